package eval

import (
	"bytes"
	"strings"
	"testing"
)

const interval = `{"thd": 0.5, "f": 120, "F": 320, "r": 60, "S": 100, "T": 3, "alpha": 1.05, "beta": 1.25, "gamma": 0.95, "mu": 0.25}`

func TestAdapt(t *testing.T) {
	var out bytes.Buffer
	in := interval + "\n" + strings.Replace(interval, `"r": 60`, `"r": 29`, 1) + "\n" + strings.Replace(interval, `"F": 320`, `"F": 300`, 1)
	if err := Adapt(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	const want = `{"threshold":0.525,"rule":"raise"}
{"threshold":0.625,"rule":"raise_more"}
{"threshold":0.5,"rule":"keep"}
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAdaptErrors(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", "line 1, column 1"},
		{"no JSON", interval + "\n{", "line 2, column 2"},
		{"a key is missing", `{"thd": 1}`, `key "f" is missing`},
		{"an unknown key", strings.Replace(interval, `"f"`, `"g"`, 1), `key "g" is unknown`},
		{"no number", strings.Replace(interval, "120", `"many"`, 1), `key "f" is "many": it must be a number`},
		{"negative", strings.Replace(interval, "320", "-1", 1), `key "F" is -1: it must not be negative`},
		{"alpha too large", interval + strings.Replace(interval, "1.05", "1.1", 1), "interval 2: alpha is 1.1: it must be above 1 and below 1.1"},
		{"too large", strings.Replace(interval, "0.5", "1.75e308", 1), "too large for a number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Adapt(strings.NewReader(test.in), new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
