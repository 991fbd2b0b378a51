package hostile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	longest = 120 * time.Second // maximum duration of a run
	most    = 256 << 20         // maximum memory of a run in bytes
)

// result is the result of a run.
type result struct {
	kase
	verdict string
	code    int
	codes   string // exit codes of several runs
	took    time.Duration
	memory  int64
	wrong   []string // failed expectations
}

// exits maps verdicts to exit codes.
var exits = map[string]int{
	"conformant":   0,
	"passed":       0,
	"partial":      0,
	"violations":   1,
	"inconclusive": 3,
}

// TestSample runs some of the cases, including the ones that once were the worst.
func TestSample(t *testing.T) {
	sample := []string{
		"reset: amid the body, every tenth", "closed: after the answer, all",
		"length: endless chunks, every tenth", "headers: one of 900 kB, all",
		"headers: one of 60 kB, all", "JSON: 9,900 levels of objects, all",
		"JSON: 60,000 more keys, every tenth", "gzip: a bomb of 200 MB as Content-Encoding, files",
		"file: of one row of 50 MB, files", "file: of 100,000 columns, files",
		"protocol: endless informational answers, all",
	}
	if testing.Short() {
		sample = sample[:4]
	}
	binary := build(t)
	byTitle := map[string]kase{}
	for _, c := range cases(t) {
		byTitle[c.title()] = c
	}
	for _, title := range sample {
		c, known := byTitle[title]
		if !known {
			t.Fatalf("there is no case %q", title)
		}
		t.Run(title, func(t *testing.T) {
			if r := try(t, binary, c); len(r.wrong) > 0 {
				t.Errorf("%s, exit code %d, %.0f s, %d MiB: %s", r.verdict, r.code, r.took.Seconds(),
					r.memory>>20, strings.Join(r.wrong, "; "))
			}
		})
	}
}

// TestReliability runs every case and writes the table, for make reliability. RELIABILITY is the
// file, and RELIABILITY_ONLY a pattern of cases; the rows of other cases stay as they are.
func TestReliability(t *testing.T) {
	file := os.Getenv("RELIABILITY")
	if file == "" {
		t.Skip("RELIABILITY names no file to write: make reliability")
	}
	only := regexp.MustCompile(os.Getenv("RELIABILITY_ONLY"))
	binary := build(t)
	var mu sync.Mutex
	var results []result
	t.Run("cases", func(t *testing.T) {
		for _, c := range cases(t) {
			if !only.MatchString(c.title()) {
				continue
			}
			t.Run(c.title(), func(t *testing.T) {
				t.Parallel()
				r := try(t, binary, c)
				mu.Lock()
				defer mu.Unlock()
				results = append(results, r)
				if len(r.wrong) > 0 {
					t.Errorf("%s, exit code %d, %.0f s, %d MiB: %s", r.verdict, r.code, r.took.Seconds(),
						r.memory>>20, strings.Join(r.wrong, "; "))
				}
			})
		}
	})
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	// #nosec G306: a page of the documentation
	testmust.Succeed(t, os.WriteFile(file, page(rowsOf(cases(t), string(before), results)), 0o644))
}

func TestCasesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cases(t) {
		if seen[c.title()] {
			t.Errorf("two cases are called %q", c.title())
		}
		seen[c.title()] = true
	}
	if len(seen) < 200 {
		t.Errorf("%d cases", len(seen))
	}
}

// workplace is the folder of the command under test, which is built once.
var workplace string

var program = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(workplace, "gateassay")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary,
		"../../cmd/gateassay").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	var err error
	if workplace, err = os.MkdirTemp("", "gateassay-hostile-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(workplace)
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	binary := testmust.Get(program())(t)
	return binary
}

// try runs conform in a separate process against a gateway behind the proxy.
func try(t *testing.T, binary string, c kase) result {
	t.Helper()
	if c.happens != nil {
		r := c.happens.try(t, binary, max(c.happens.repeats, 1))
		r.kase = c
		return r
	}
	gateway := testmust.Get(reference.New(reference.Options{Seed: 1}))(t)
	dir := t.TempDir()
	serve := c.serve
	if serve == nil {
		serve = func(h http.Handler) secured { return secured{Server: httptest.NewServer(h)} }
	}
	server := serve(&proxy{up: gateway, reach: c.reach, spoil: c.spoil})
	defer func() { server.CloseClientConnections(); server.Close() }()
	deployment, folder := filepath.Join(dir, "deployment.yaml"), filepath.Join(dir, "run")
	yaml := server.yaml(t, dir, string(gateway.DeploymentYAML(server.URL)))
	testmust.Succeed(t, os.WriteFile(deployment, []byte(yaml), 0o600))
	command := []string{
		binary, "conform", "-d", deployment, "--out", folder, "--timeout", "3s", "--quiet",
	}
	if testing.Short() {
		command = append(command, "--suite", "auth,replay")
	}
	running := start(t, func(run *exec.Cmd) { run.Dir = dir }, command...)
	r := result{kase: c}
	r.code, r.took, r.memory = running.end(t)
	r.judge(folder, running.said.String())
	return r
}

// memory returns the peak memory of a process or its child, in bytes, until ended is closed. The
// figure that the system reports after exit includes the memory of the parent at the fork.
func memory(pid int, ended chan struct{}) (peak int64) {
	for {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		for _, one := range append(strings.Fields(string(children)), strconv.Itoa(pid)) {
			data, _ := os.ReadFile("/proc/" + one + "/status")
			for line := range strings.Lines(string(data)) {
				var kib int64
				if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
					peak = max(peak, kib<<10)
				}
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (r *result) judge(folder, out string) {
	wrong := func(format string, args ...any) {
		r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
	}
	if r.took > longest {
		wrong("%.0f s", r.took.Seconds())
	}
	if r.memory > most {
		wrong("%d MiB", r.memory>>20)
	}
	if strings.Contains(out, "panic:") || strings.Contains(out, "defect of the harness") {
		wrong("the harness failed: %.300s", out)
	}
	if info, err := os.Stat(filepath.Join(folder, "report.html")); err != nil || info.Size() == 0 {
		wrong("no report.html")
	}
	data, err := os.ReadFile(filepath.Join(folder, runfolder.RunName))
	var run record.Run
	if err != nil || json.Unmarshal(data, &run) != nil {
		wrong("no run.json: %.300s", out)
		return
	}
	r.verdict = string(run.Verdict)
	if want, known := exits[r.verdict]; !known || r.code != want {
		wrong("exit code %d of the verdict %s", r.code, r.verdict)
	}
	if r.verdict == "violations" && !r.accuses {
		wrong("it accuses the deployment of %s", strings.Join(violated(run), ", "))
	}
	if clear := r.verdict == "conformant" || r.verdict == "passed"; r.cause != "" && !clear &&
		r.reach != tenth {
		if !regexp.MustCompile(r.cause).Match(append(data, out...)) {
			wrong("the cause (%s) is not named", r.cause)
		}
	}
}

func violated(run record.Run) (ids []string) {
	for _, rule := range run.Rules {
		if rule.Verdict == record.VerdictFail && (rule.Level == "must" || rule.Security) {
			ids = append(ids, rule.ID)
		}
	}
	return ids[:min(len(ids), 5)]
}
