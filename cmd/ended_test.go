//go:build unix

package cmd

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

// Files of a run can be written although its connections used up all descriptors.
func TestLoadThatRunsOutOfDescriptorsIsRecorded(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		fmt.Fprintf(w, `{"file_id": %q, "file_state": {}, "created_at": "2026-01-01T00:00:00Z"}`,
			r.Header.Get("nonce"))
	}))
	defer server.Close()
	dir := t.TempDir()
	testmust.Succeed(t,
		os.WriteFile(filepath.Join(dir, "d.yaml"), []byte("name: a\nbase_url: "+server.URL+
			"\ncredentials: {api_key: abcdefgh12345678}\nload: {allow: true, max_rate: 1000}\n"), 0o600))
	for _, engine := range []string{"vegeta", "direct"} {
		c := exec.Command("sh", "-c",
			"ulimit -n 40; exec gateassay load run -d d.yaml --rate 200/s --duration 1s --slo none --yes "+
				"--fail-on-misblock=false --repeats 0 --out "+engine+" --engine "+engine)
		c.Dir = dir
		said, err := c.CombinedOutput()
		if code(t, err) != exitNoVerdict || !bytes.Contains(said, []byte("out of")) {
			t.Errorf("%s: %v: %s", engine, err, said)
		}
		for _, name := range []string{
			"exchanges.ndjson", "histograms.hlog", "series.csv", "report.html",
		} {
			if len(read(filepath.Join(dir, engine, name))) == 0 {
				t.Errorf("%s left no %s", engine, name)
			}
		}
	}
}
