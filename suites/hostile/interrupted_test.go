package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
)

// site is a gateway with a latency of some milliseconds, and the folder of its run.
type site struct {
	binary, deployment, folder string
	as                         []string // prefix of the command line, such as nohup
	left                       string   // path of the folder after the run; empty: unchanged
}

func newSite(t *testing.T, binary string) site {
	t.Helper()
	gateway := testmust.Get(reference.New(reference.Options{Seed: 1}))(t)
	late := func(l *wire, a answer) { time.Sleep(20 * time.Millisecond); l.plain(a) }
	server := httptest.NewServer(&proxy{up: gateway, reach: all, spoil: late})
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	dir := t.TempDir()
	s := site{
		binary: binary, deployment: filepath.Join(dir, "deployment.yaml"),
		folder: filepath.Join(dir, "run"),
	}
	testmust.Succeed(t, os.WriteFile(s.deployment, gateway.DeploymentYAML(server.URL), 0o600))
	return s
}

// conform returns the command line of a run; with -short of some rules only.
func (s site) conform() []string {
	command := append(slices.Clip(s.as), s.binary, "conform", "-d", s.deployment, "--out", s.folder,
		"--quiet")
	if testing.Short() {
		command = append(command, "--suite", "auth,replay")
	}
	return command
}

// process is a running command.
type process struct {
	*exec.Cmd
	said  *bytes.Buffer
	began time.Time
	peak  chan int64
	ended chan struct{}
}

// start starts a command. on connects it to a terminal or another output.
func start(t *testing.T, on func(*exec.Cmd), command ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longest+30*time.Second)
	t.Cleanup(cancel)
	p := &process{
		Cmd: exec.CommandContext(ctx, command[0], command[1:]...), said: &bytes.Buffer{},
		began: time.Now(), peak: make(chan int64, 1), ended: make(chan struct{}),
	}
	p.Stdout, p.Stderr = p.said, p.said
	if on != nil {
		on(p.Cmd)
	}
	testmust.Succeed(t, p.Start())
	go func() { p.peak <- memory(p.Process.Pid, p.ended) }()
	return p
}

// end waits for a command. The exit code is -1 if a signal ended it; peak is in bytes.
func (p *process) end(t *testing.T) (code int, took time.Duration, peak int64) {
	t.Helper()
	var exit *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	close(p.ended)
	return p.ProcessState.ExitCode(), time.Since(p.began), <-p.peak
}

// shown returns the run as report show rebuilds it.
func (s site) shown() (run record.Run, err error) {
	out, err := exec.Command(s.binary, "report", "show", s.folder, "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(out, &run)
	}
	return run, err
}

// kept returns the numbers of checks and exchanges in the journal, and whether it has an end.
func (s site) kept() (checks, exchanges int, ended bool) {
	data, _ := os.ReadFile(filepath.Join(s.folder, runfolder.JournalName))
	for line := range bytes.Lines(data) {
		var l struct{ Type string }
		if json.Unmarshal(line, &l) != nil {
			continue // the last line may be cut off
		}
		switch l.Type {
		case "check":
			checks++
		case "exchange_note":
			exchanges++
		case "end":
			ended = true
		}
	}
	return checks, exchanges, ended
}

// entries returns the number of readable exchanges in exchanges.har. The last may be cut off.
func (s site) entries() (count int) {
	data, err := os.ReadFile(filepath.Join(s.folder, "exchanges.har"))
	if err != nil {
		return 0
	}
	_, data, _ = bytes.Cut(data, []byte(`"entries":[`))
	for line := range bytes.Lines(data) {
		if json.Valid(bytes.TrimSuffix(bytes.TrimSpace(line), []byte(","))) {
			count++
		}
	}
	return count
}

// untilAnswered waits until n requests were answered.
func (s site) untilAnswered(n int) {
	for until := time.Now().Add(longest); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if _, exchanges, _ := s.kept(); exchanges >= n {
			return
		}
	}
}

// checksOf counts the judged checks of a run.
func checksOf(run record.Run) (count int) {
	for _, rule := range run.Rules {
		count += len(rule.Checks)
	}
	return count
}
