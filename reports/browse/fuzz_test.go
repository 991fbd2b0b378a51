package browse_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// No request shows anything outside the runs, and pages load nothing from elsewhere.
func FuzzRequest(f *testing.F) {
	dir := filepath.Join(runs(f), "good")
	outside := filepath.Join(filepath.Dir(dir), "notes") // contains the word private
	testmust.Succeed(f, os.Symlink(outside, filepath.Join(dir, "link")))
	testmust.Succeed(f,
		os.Symlink(filepath.Join(outside, "readme.txt"), filepath.Join(dir, "junit.xml")))
	h := open(f, dir)
	for _, s := range []string{
		"/", "/run/report.html", "/run/junit.xml", "/run/../notes/readme.txt", "/trends?deployment=x",
		"/compare?a=.&b=x",
		"/../notes/readme.txt", "/run/probes/1/report.html", "/run/%2e%2e%2fnotes/readme.txt",
		"/run/..\\x00/run.json",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || !strings.HasPrefix(target, "/") {
			return
		}
		w := answer(h, &http.Request{Method: http.MethodGet, Host: host, URL: u, Header: http.Header{}})
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code >= 500 || !strings.Contains(policy, "default-src 'none'") ||
			strings.Contains(policy, "http") {
			t.Errorf("%q: %d, %q", target, w.Code, policy)
		}
		if strings.Contains(w.Body.String(), "private") {
			t.Errorf("%q shows what is outside", target)
		}
	})
}
