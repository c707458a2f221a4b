package fetch

import "strings"

// acceptable reports whether a response of that Content-Type is worth
// downloading: HTML, XML and feeds, plain text, and unspecific types. Gzip
// files are accepted by the path of the URL, for sitemaps only.
func acceptable(contentType, path string) bool {
	switch kind := mediaType(contentType); kind {
	case "text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml":
		return true
	case "", "*/*", "unknown/unknown", "application/unknown", "application/x-unknown-content-type":
		return true // browsers look at the bytes too
	case "application/gzip", "application/x-gzip":
		return strings.HasSuffix(strings.ToLower(path), ".gz")
	case "application/octet-stream", "binary/octet-stream":
		return strings.HasSuffix(strings.ToLower(path), ".xml.gz") // the type from servers that do not know .gz
	default:
		text := strings.HasPrefix(kind, "application/") || strings.HasPrefix(kind, "text/")
		return text && (strings.HasSuffix(kind, "+xml") || strings.HasSuffix(kind, "rss") || strings.HasSuffix(kind, "rdf") || strings.HasSuffix(kind, "atom")) ||
			!strings.Contains(kind, "/")
	}
}

// gzipFile reports whether the body is to be a gzip file, not a page.
func gzipFile(contentType, path string) bool {
	kind := mediaType(contentType)
	return (strings.HasSuffix(kind, "gzip") || strings.HasSuffix(kind, "/octet-stream")) &&
		strings.HasSuffix(strings.ToLower(path), ".gz")
}

// mediaType returns the type without parameters, in lower case. Real headers
// break the grammar ("text/html charset=gbk", "text/html,text/html"), so it
// stops at the first separator of any kind.
func mediaType(contentType string) string {
	s := strings.TrimLeft(contentType, " \t\"")
	if i := strings.IndexAny(s, "; \t,\""); i >= 0 {
		s = s[:i]
	}
	return strings.ToLower(s)
}
