// Package browsertest opens pages in tests, the way their readers do, and holds every one of them to what all pages
// promise: nothing is logged as an error, and no other host is asked for anything.
package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/browser"
)

// Main runs the tests of a package with one Chromium, which keep is given before the first of them.
func Main(m *testing.M, keep func(*browser.Browser)) {
	b, err := browser.Start(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	keep(b)
	code := m.Run()
	b.Close()
	os.Exit(code)
}

// Full leaves a test out of the sample that -short takes.
func Full(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("one page of each kind is opened with -short")
	}
}

// Written puts a rendered page into a file of its own and gives the path.
func Written(t testing.TB, html []byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, html, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Open opens a file that must neither log an error nor ask any host for anything until the test ends.
func Open(t testing.TB, b *browser.Browser, path string, look browser.Look) *browser.Page {
	t.Helper()
	p, err := b.Open(path, look)
	if err != nil {
		t.Fatal(err)
	}
	hold(t, p, "the page", "")
	return p
}

// Visit opens a served page that must neither log an error nor ask another host for anything until the test ends.
func Visit(t testing.TB, b *browser.Browser, address string, look browser.Look) *browser.Page {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Visit(address, look)
	if err != nil {
		t.Fatal(err)
	}
	hold(t, p, address, u.Scheme+"://"+u.Host+"/")
	return p
}

// hold closes the page at the end of the test, when it may have asked for addresses below own alone.
func hold(t testing.TB, p *browser.Page, name, own string) {
	t.Cleanup(func() {
		for _, e := range p.Errors() {
			t.Errorf("%s logs: %s", name, e)
		}
		for _, u := range p.Requests() {
			if own == "" || !strings.HasPrefix(u, own) {
				t.Errorf("%s asks for %s", name, u)
			}
		}
		p.Close()
	})
}

// Eval evaluates JavaScript in a page.
func Eval[T any](t testing.TB, p *browser.Page, script string) T {
	t.Helper()
	v, err := browser.Eval[T](p, script)
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}
