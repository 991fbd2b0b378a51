package browser_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gateassay/gateassay/internal/testmust"
)

// shared is the browser of all tests, set before the first of them.
var shared context.Context

func TestMain(m *testing.M) {
	browser, stop, err := start(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = browser
	code := m.Run()
	stop()
	os.Exit(code)
}

var phone = look{Width: 390, Height: 844, Phone: true}

// written writes a rendered page to a file and returns its address.
func written(t *testing.T, html []byte, err error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	testmust.Succeed(t, err)
	testmust.Succeed(t, os.WriteFile(path, html, 0o600))
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// open opens a page. Until the test ends, the page must not log an error or send a request to
// another host.
func open(t *testing.T, address string, as look) *Page {
	t.Helper()
	p := testmust.Get(visit(shared, address, as))(t)
	u, _ := url.Parse(address)
	t.Cleanup(func() {
		errors, requests := p.Heard()
		for _, e := range errors {
			t.Errorf("%s logs: %s", address, e)
		}
		for _, asked := range requests {
			if u.Host == "" || !strings.HasPrefix(asked, u.Scheme+"://"+u.Host+"/") {
				t.Errorf("%s asks for %s", address, asked)
			}
		}
		p.Close()
	})
	return p
}

// eval evaluates JavaScript in a page. Values, if any, take the places of verbs of fmt.
func eval[T any](t *testing.T, p *Page, script string, values ...any) T {
	t.Helper()
	if values != nil {
		script = fmt.Sprintf(script, values...)
	}
	v, err := evaluate[T](p, script)
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// do runs JavaScript in a page and waits until the page is drawn.
func do(t *testing.T, p *Page, script string, values ...any) {
	t.Helper()
	eval[bool](t, p, script+`; new Promise(r => setTimeout(() => r(true), 100))`, values...)
}

// set changes a control as user input does.
func set(t *testing.T, p *Page, id, value string) {
	t.Helper()
	do(t, p, `(c => { c.value = %q; c.dispatchEvent(new Event("input", {bubbles: true})) })`+
		`(document.getElementById(%q))`, value, id)
}

func press(t *testing.T, p *Page, keys string) {
	t.Helper()
	testmust.Succeed(t, p.Do(chromedp.KeyEvent(keys)))
}

func click(t *testing.T, p *Page, selector string) {
	t.Helper()
	if err := p.Do(chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
}
