package urlnorm

// Place is a set of URLs that one entry of a scope describes (see NewScope).
type Place struct{ places }

// ParsePlace reads an entry.
func ParsePlace(entry string) (Place, error) {
	p := Place{newPlaces()}
	return p, p.addEntry(entry)
}

// Contains reports whether u is one of the URLs.
func (p Place) Contains(u URL) bool { return !u.IsZero() && p.contain(u) }

// ContainsHost reports whether all URLs of a host, on every port, are among them.
func (p Place) ContainsHost(host string) bool { return p.hosts[host] || p.containSubdomain(host) }
