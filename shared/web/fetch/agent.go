package fetch

import (
	"errors"
	"net/mail"
	"net/url"
	"strings"
)

// Product is the product token, by which robots.txt files address this crawler,
// and the start of the User-Agent.
const Product = "sluice"

// UserAgent returns "sluice/VERSION (+CONTACT)". The contact is how a webmaster
// reaches the operator of the crawl: an http or https URL or an e-mail address,
// ASCII, at most 200 bytes, without characters that would end the comment or
// the header. Without a contact the comment is left out.
func UserAgent(version, contact string) (string, error) {
	if strings.Trim(version, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_") != "" || version == "" {
		return "", errors.New("version is not a valid product version")
	}
	agent := Product + "/" + version
	if contact == "" {
		return agent, nil
	}
	if err := checkContact(contact); err != nil {
		return "", err
	}
	return agent + " (+" + contact + ")", nil
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
