// Package pii finds and masks personal data in the main text of a page, as
// Dolma (Soldaini et al. 2024) and FineWeb (Penedo et al. 2024) do, for Chinese
// text first: numbers of mobile phones, of identity and bank cards, e-mail and
// IP addresses.
//
// A number is masked for its own evidence: a checksum, an allocated prefix, a
// date, a length. The text around it can only prevent that: a label (QQ, 订单号),
// a unit (元, bytes), a longer number, word or URL that it is part of. URLs are
// left unchanged, except for an IP address as the host.
//
// docs/ablation.md has the gain of each rule.
//
// Full-width digits, letters and signs are read as narrow ones. Invisible and
// control characters, which the corpus drops, do not separate a number.
//
// Everything is a pure function of the text and today's date, which no date of
// birth exceeds; it takes linear time and is safe for concurrent use.
package pii

import (
	"strings"
)

// Kind is a kind of personal data. Its value is the mask that replaces it:
// ASCII and the same in texts of every language, so that a tokenizer can make
// it one token.
type Kind string

// The kinds.
const (
	// Mobile is a number of a mobile phone: of China's allocated prefixes, with
	// or without 86; of Taiwan as 0912-345-678; of other countries and of Hong
	// Kong, Macau and Taiwan any number in international format, which does not
	// distinguish mobile phones from others, except for free-phone numbers.
	Mobile Kind = "<MOBILE>"

	// IDNumber is a number of a Chinese identity card or residence permit.
	IDNumber Kind = "<ID_NUMBER>"

	// Email is an e-mail address, also as name(at)host.cn and
	// name[at]host[dot]cn.
	Email Kind = "<EMAIL>"

	// BankCard is a number of a payment card.
	BankCard Kind = "<BANK_CARD>"

	// IP is an IP address of the public internet, or one of those reserved for
	// documentation, which represent one. Private, loopback and other local
	// addresses and net masks identify no person and are left unchanged.
	IP Kind = "<IP_ADDRESS>"
)

// Counts says how many of each kind were found. All fields are in every JSON
// record.
type Counts struct {
	Mobile   int `json:"mobile_number"`
	IDNumber int `json:"id_number"`
	Email    int `json:"email"`
	BankCard int `json:"bank_card"`
	IP       int `json:"ip_address"`
}

// Add adds the counts of another text.
func (c *Counts) Add(o Counts) {
	c.Mobile += o.Mobile
	c.IDNumber += o.IDNumber
	c.Email += o.Email
	c.BankCard += o.BankCard
	c.IP += o.IP
}

func (c *Counts) add(k Kind) {
	switch k {
	case Mobile:
		c.Mobile++
	case IDNumber:
		c.IDNumber++
	case Email:
		c.Email++
	case BankCard:
		c.BankCard++
	case IP:
		c.IP++
	}
}

// match is personal data at text[Start:End].
type match struct {
	Kind       Kind
	Start, End int // in bytes
}

// Mask replaces every match by the mask of its kind and leaves the rest
// unchanged, invalid UTF-8 too. Text without matches is returned without
// allocation.
//
// Masking twice changes nothing: near a mask, within some 64 bytes, nothing
// else counts as personal data, since the first time left it. A page that
// contains such a mask itself is left unchanged there, too.
func Mask(text string) (masked string, found Counts) {
	var b strings.Builder
	done := 0
	f := finder{text: text}
	for m, ok := f.next(); ok; m, ok = f.next() {
		if done == 0 {
			b.Grow(len(text))
		}
		b.WriteString(text[done:m.Start])
		b.WriteString(string(m.Kind))
		done = m.End
		found.add(m.Kind)
	}
	if done == 0 {
		return text, found
	}
	b.WriteString(text[done:])
	return b.String(), found
}
