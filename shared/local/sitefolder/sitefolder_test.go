package sitefolder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/shared/local/sitefolder"
	"sluice/shared/structure/site"
	"sluice/shared/structure/site/sitetest"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sitetest.Run(t, func(_ *testing.T, name string) site.Store { return sitefolder.Folder(filepath.Join(dir, name)) })
}

// A file that people have made is refused if it is no file of a site.
func TestForeignFile(t *testing.T) {
	t.Parallel()
	f := sitefolder.Folder(t.TempDir())
	if path, err := f.Path("WWW.Example.COM:8080"); err != nil || filepath.Base(path) != "www.example.com_8080.yaml" {
		t.Errorf("a host in capitals has the file %s, error %v", path, err)
	}
	for want, data := range map[string]string{"larger than 1024 KiB": strings.Repeat("#", 2<<20), ".yaml:1:7: not valid YAML": "host: ["} {
		if err := os.WriteFile(filepath.Join(string(f), "www.example.com.yaml"), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Site(t.Context(), "www.example.com"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
