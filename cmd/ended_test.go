//go:build unix

package cmd

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

// Files of a run can be written although its connections used up all descriptors.
func TestLoadThatRunsOutOfDescriptorsIsRecorded(t *testing.T) {
	t.Parallel()
	id := strings.NewReplacer("ID", "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(300 * time.Millisecond)
		_, _ = id.WriteString(w,
			`{"file_id": "ID", "file_state": {}, "created_at": "2026-01-01T00:00:00Z"}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	testmust.Succeed(t,
		os.WriteFile(filepath.Join(dir, "d.yaml"), []byte("name: a\nbase_url: "+server.URL+
			"\ncredentials: {api_key: abcdefgh12345678}\nload: {allow: true, max_rate: 1000}\n"), 0o600))
	for _, engine := range []string{"vegeta", "direct"} {
		c := exec.Command("sh", "-c",
			"ulimit -n 40; exec gateassay load run -d d.yaml --rate 200/s --duration 1s --slo none --yes "+
				"--repeats 0 --out "+engine+" --engine "+engine)
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
