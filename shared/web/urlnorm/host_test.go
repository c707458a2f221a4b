package urlnorm

import "testing"

func TestRegistrableDomain(t *testing.T) {
	tests := []struct{ host, want string }{
		{"news.sina.com.cn", "sina.com.cn"},
		{"sina.com.cn", "sina.com.cn"},
		{"WWW.X.CN.", "x.cn"},
		{"a.b.gov.cn", "b.gov.cn"},
		{"www.portal.test", "portal.test"},
		{"foo.公司.cn", "foo.xn--55qx5d.cn"},
		{"a.foo.xn--55qx5d.cn", "foo.xn--55qx5d.cn"},
		{"me.github.io", "me.github.io"},
		{"com.cn", "com.cn"},
		{"localhost", "localhost"},
		{"192.168.1.1", "192.168.1.1"},
		{"0x7f.1", "127.0.0.1"},
		{"::1", "::1"},
		{"[::1]", "::1"},
		{"x.cn:80", "x.cn:80"},
		{"no host/", "no host/"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := RegistrableDomain(tt.host); got != tt.want {
			t.Errorf("RegistrableDomain(%q) = %q, want %q", tt.host, got, tt.want)
		}
	}
}

func TestLiteral(t *testing.T) {
	tests := []struct{ host, want string }{
		{"127.0.0.1", "127.0.0.1"},
		{"0x7f000001", "127.0.0.1"},
		{"2130706433", "127.0.0.1"},
		{"0x7f.1", "127.0.0.1"},
		{"0177.0.0.1", "127.0.0.1"},
		{"127.0.0.1.", "127.0.0.1"},
		{"１２７.0.0.1", "127.0.0.1"},
		{"169.254.169.254", "169.254.169.254"},
		{"::1", "::1"},
		{"[::1]", "::1"},
		{"[0:0:0:0:0:0:0:1]", "::1"},
		{"::ffff:127.0.0.1", "127.0.0.1"},
		{"[::ffff:7f00:1]", "127.0.0.1"},
		{"fe80::1%eth0", "fe80::1"},
		{"x.cn", ""},
		{"1x.cn", ""},
		{"localhost", ""},
		{"256.1.1.1", ""},
		{"x.cn:80", ""},
		{"", ""},
	}
	for _, tt := range tests {
		addr, ok := Literal(tt.host)
		got := ""
		if ok {
			got = addr.String()
		}
		if got != tt.want {
			t.Errorf("Literal(%q) = %q, want %q", tt.host, got, tt.want)
		}
	}
}

func FuzzHost(f *testing.F) {
	f.Add("0x7f.1")
	f.Add("[::ffff:127.0.0.1%a]")
	f.Add("foo.公司.cn.")
	f.Fuzz(func(t *testing.T, host string) {
		if domain := RegistrableDomain(host); RegistrableDomain(domain) != domain {
			t.Errorf("RegistrableDomain(%q) = %q, of which it is %q", host, domain, RegistrableDomain(domain))
		}
		if addr, ok := Literal(host); ok != addr.IsValid() {
			t.Errorf("Literal(%q) = %v, %v", host, addr, ok)
		}
	})
}
