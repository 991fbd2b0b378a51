package browse_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

func TestAReportIsServedInASandboxOfItsOwn(t *testing.T) {
	dir := runs(t)
	put(t, filepath.Join(dir, "load-1", "report.html"), `<script>alert(1)</script>`)
	h := open(t, dir)
	for _, run := range []string{"good", "load-1", "deep/er/bad"} {
		w := get(h, of("/report", run))
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK ||
			!strings.HasPrefix(policy, "sandbox allow-scripts; default-src 'none'; script-src 'sha256-") {
			t.Errorf("%s: %d %q", run, w.Code, policy)
		}
		scripts, _, _ := strings.Cut(policy[strings.Index(policy, "script-src"):], ";")
		for _, forbidden := range []string{"unsafe", "self", "http", "*", "allow-same-origin", "connect-src"} {
			if strings.Contains(scripts, forbidden) || strings.Contains(policy, "allow-same-origin") {
				t.Errorf("%s: %q in %q", run, forbidden, policy)
			}
		}
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Error(w.Header())
		}
	}
}

func TestAReportIsMadeWhereItIsNotThere(t *testing.T) {
	dir := runs(t)
	// What another version wrote would show here without its scripts: it is made anew.
	put(t, filepath.Join(dir, "good", "report.html"),
		`<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-AAAA'"><p>of another version</p>`)
	h := open(t, dir)
	for run, want := range map[string]string{
		"good": "staging", "deep/er/bad": "export.range.end_exclusive",
		"load-1": "Load on",
	} {
		if w := get(h, of("/report", run)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(),
			want) || strings.Contains(w.Body.String(), "another version") ||
			!strings.Contains(w.Body.String(), `<a href="/">All runs</a>`) {
			t.Errorf("%s: %d", run, w.Code)
		}
	}
	for _, name := range []string{"summary.md", "junit.xml"} {
		if w := get(h, of("/file", "deep/er/bad", "name", name)); w.Code != http.StatusOK ||
			!strings.Contains(w.Body.String(), "end_exclusive") {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	for _, target := range []string{
		of("/report", "cut"), of("/file", "cut", "name", "junit.xml"),
		of("/file", "load-1", "name", "junit.xml"), of("/file", "good", "name", "report.html"),
	} {
		if w := get(h, target); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

func TestTheComparisonIsThatOfTheCommand(t *testing.T) {
	dir := runs(t)
	put(t, filepath.Join(dir, "search", "run.json"),
		`{"schema":"gateassay/load-capacity/v1","verdict":"pass","run":{"deployment":"staging"},"capacity":{"rate":310,"low":310}}`)
	h := open(t, dir)
	for target, want := range map[string][]string{
		"/compare?a=capacity&b=search&tolerance=.1": {"<b>10%</b>", "tolerance=0.2"},
		"/compare?a=good&b=deep%2Fer%2Fbad": {
			"export.range.end_exclusive", "create.error_language",
			"egression",
		},
		"/compare?a=load-1&b=load-2":              {"p99", "tolerance"},
		"/compare?a=load-1&b=load-2&tolerance=.2": {"p99"},
	} {
		w := get(h, target)
		if policy := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK ||
			!strings.HasPrefix(policy, "sandbox") || !strings.Contains(policy, "; default-src 'none'; ") {
			t.Errorf("%s: %d %q", target, w.Code, policy)
		}
		for _, text := range append(want, `href="/"`, "swap the two") {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s lacks %q", target, text)
			}
		}
		if strings.Contains(w.Body.String(), dir) {
			t.Errorf("%s says where the folder is", target)
		}
	}
}

func TestWhatCannotBeComparedIsExplained(t *testing.T) {
	dir := runs(t)
	h := open(t, dir)
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "load-1", runfolder.IntervalsName)); err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{
		"/compare": "Choose two", "/compare?a=good": "as B", "/compare?b=good": "as A",
		"/compare?a=good&b=good": "the same run", "/compare?a=good&b=load-1": "choose two of the same kind",
		"/compare?a=good&b=cut": "B cannot be read", "/compare?a=load-1&b=load-2": "not a regular file",
		"/compare?a=load-2&b=good&tolerance=many": "share from 0 to 10",
		"/compare?a=load-2&b=good&tolerance=-1":   "share from 0 to 10",
		"/compare?a=load-2&b=good&tolerance=NaN":  "share from 0 to 10",
	} {
		if w := get(h, target); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) ||
			strings.Contains(w.Body.String(), dir) {
			t.Errorf("%s: %d\n%s", target, w.Code, w.Body)
		}
	}
	if w := get(h, "/compare?a=good&b=..%2Fgood"); w.Code != http.StatusNotFound {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

func TestFoldersThatCannotBeReadAreNamed(t *testing.T) {
	dir := runs(t)
	if err := os.Mkdir(filepath.Join(dir, "not utf-8: \xff"), 0o755); err != nil {
		t.Skip(err)
	}
	if body := get(open(t, dir), "/").Body.String(); !strings.Contains(body, "not utf-8: ") ||
		!strings.Contains(body, " could not be read.") {
		t.Error(body)
	}
}
