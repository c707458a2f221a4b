package render

import (
	"encoding/json"
	"fmt"
	"time"
)

// maxMore is how often a page is asked for more of its list.
const maxMore = 30

// maxIdle is how often in a row it may add nothing.
const maxIdle = 4

// drawn is a time in which a page is drawn.
const drawn = 100 * time.Millisecond

// askForMore clicks what is shown, is no link to another page and has a text that matches,
// or else goes to the end of the page, from there to its beginning. It returns how many
// elements the page had before.
const askForMore = `(label => {
	const count = document.getElementsByTagName('*').length
	const idle = e => e.disabled || e.getAttribute('aria-disabled') === 'true' || !e.getClientRects().length
	const leads = e => { const a = e.closest('a[href]'); return a && !/^(#|javascript:)/i.test(a.getAttribute('href').trim()) }
	const found = [...document.querySelectorAll('button, a, div, span, p, li, input[type=button], [role=button]')].filter(e =>
		(e.textContent || e.value || '').length < 60 && label.test((e.innerText || e.value || '').trim()) && !idle(e) && !leads(e) && !e.closest('form'))
	if (found.length) found.at(-1).click()
	else scrollTo(0, scrollY + innerHeight + 1 < document.documentElement.scrollHeight ? document.documentElement.scrollHeight : 0)
	return count
})(new RegExp(%s, 'i'))`

// more has the page show what it adds to its list when it is asked to, if ask wants it: by a
// button, or at its end. It returns the mark-up that the page had before, "" if it has not
// grown.
func (l *load) more(ask func(markup []byte) (button string), until time.Time) (before string, err error) {
	if before, err = l.markup(); err != nil {
		return "", err
	}
	button := ask([]byte(before))
	if button == "" {
		return "", nil
	}
	quoted, err := json.Marshal(button)
	if err != nil {
		return "", err
	}
	least, last, idle := -1, -1, 0
	for range maxMore {
		got, err := l.evaluate(fmt.Sprintf(askForMore, quoted))
		if err != nil {
			return "", err
		}
		count := 0
		if err := json.Unmarshal(got.Value, &count); err != nil {
			return "", fmt.Errorf("ask for more: %w", err)
		}
		if least < 0 {
			least = count
		} else if count > last {
			idle = 0
		} else if idle++; idle == maxIdle {
			break
		}
		last = count
		time.Sleep(drawn) // what watches its end learns of it when the page is drawn
		if settled, err := l.settle(until); err != nil {
			return "", err
		} else if !settled {
			break
		}
	}
	if last <= least {
		return "", nil
	}
	return before, nil
}
