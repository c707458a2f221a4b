package fetch

import (
	"errors"
	"net/mail"
	"net/url"
	"strings"
)

// Product is the product token, by which robots.txt files address this crawler.
// It is in every User-Agent.
const Product = "sluice"

// UserAgent returns "NAME sluice/VERSION (+CONTACT)". The name is the operator's own
// for the crawler, see CheckName. The contact is how a webmaster reaches the operator
// of the crawl: an http or https URL or an e-mail address, ASCII, at most 200 bytes,
// without characters that would end the comment or the header. Without a name or a
// contact these are left out.
func UserAgent(name, version, contact string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	if strings.Trim(version, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_") != "" || version == "" {
		return "", errors.New("version is not a valid product version")
	}
	agent := strings.TrimPrefix(name+" "+Product+"/"+version, " ")
	if contact == "" {
		return agent, nil
	}
	if err := checkContact(contact); err != nil {
		return "", err
	}
	return agent + " (+" + contact + ")", nil
}

// CheckName refuses names that a User-Agent cannot begin with: they are ASCII, at most
// 200 bytes, such as "lab-bot/2.0" or "Mozilla/5.0 (compatible; lab-bot/2.0)".
func CheckName(name string) error {
	if len(name) > 200 || strings.TrimSpace(name) != name || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return errors.New("use up to 200 printable ASCII characters, without spaces at the ends, such as lab-bot/2.0")
	}
	return nil
}

func checkContact(s string) error {
	if len(s) > 200 {
		return errors.New("contact is longer than 200 bytes")
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || strings.IndexByte(`()<>"\;,`, s[i]) >= 0 {
			return errors.New("contact has a character that a User-Agent can't carry")
		}
	}
	if u, err := url.Parse(s); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if u.User == nil && u.Hostname() != "" {
			return nil
		}
		return errors.New("contact URL needs a host name and no password")
	}
	address := strings.TrimPrefix(s, "mailto:")
	a, err := mail.ParseAddress(address)
	if err != nil || a.Address != address {
		return errors.New("contact is neither an http URL nor an e-mail address")
	}
	return nil
}
