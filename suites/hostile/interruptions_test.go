package hostile

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

// interruption is something that happens to a run of conform or to its files.
type interruption struct {
	name    string
	repeats int                                     // how often the case runs; 0: 1
	on      func(*testing.T, *exec.Cmd)             // connects the output of the run
	prepare func(*testing.T, *site)                 // runs before conform
	when    func(whole time.Duration) time.Duration // moment of the interruption; nil: during the run
	act     func(*testing.T, site, *process)
	codes   []int  // valid exit codes; 130 only if the run is partial
	cause   string // pattern that the output must contain
	nothing bool   // no record is expected
	unread  bool   // the record is too short to be shown
	cut     bool   // some files are missing
}

// sometime returns a random moment after the start of the process, and atLast one in the last 200
// ms of a run.
func sometime(whole time.Duration) time.Duration {
	const up = 100 * time.Millisecond
	return up + rand.N(max(whole-up, up))
}

func atLast(whole time.Duration) time.Duration { return max(0, whole-rand.N(200*time.Millisecond)) }

func signalled(with syscall.Signal) func(*testing.T, site, *process) {
	// the process may have ended already
	return func(_ *testing.T, _ site, p *process) { _ = p.Process.Signal(with) }
}

func limited(by string) func(*testing.T, *site) {
	return func(_ *testing.T, s *site) {
		s.as = []string{"sh", "-c", "ulimit " + by + `; exec "$@"`, "sh"}
	}
}

func interruptions() (list []interruption) {
	for _, with := range []struct {
		name   string
		signal syscall.Signal
	}{{"SIGINT", syscall.SIGINT}, {"SIGTERM", syscall.SIGTERM}, {"SIGHUP", syscall.SIGHUP}} {
		for name, when := range map[string]func(time.Duration) time.Duration{
			"at a random moment": sometime, "in the last 200 ms": atLast,
		} {
			list = append(list, interruption{
				name: with.name + " " + name, repeats: 10, when: when, act: signalled(with.signal),
				codes: []int{0, 130},
			})
		}
	}
	return append(
		list,
		interruption{
			name: "kill -9 at a random moment", repeats: 50, when: sometime, act: signalled(syscall.SIGKILL),
			codes: []int{-1, 0}, cut: true,
		},
		interruption{
			name: "the terminal is closed", repeats: 10, on: onTerminal, act: hangUp, codes: []int{130},
		},
		interruption{name: "a closed pipe", on: onClosedPipe, codes: []int{4}},
		interruption{name: "/dev/full for a terminal", on: onFull, codes: []int{4}},
		interruption{
			name: "a disk of 16 KiB", prepare: disk("16k"), codes: []int{4}, cause: "no space left",
			unread: true, cut: true,
		},
		interruption{
			name: "a disk of 256 KiB", prepare: disk("256k"), codes: []int{4},
			cause: "no space left", cut: true,
		},
		interruption{
			name: "files of 200 KiB at most", prepare: limited("-f 400"), codes: []int{4},
			cause: "file too large", cut: true,
		},
		interruption{
			name: "a folder that cannot be written to", prepare: forbidden, codes: []int{2}, cause: "--out",
			nothing: true,
		},
		interruption{
			name: "a folder that cannot be written to any more", prepare: unprivileged,
			act:   func(t *testing.T, s site, _ *process) { allow(t, s.folder, 0o555) },
			codes: []int{4}, cause: runfolder.RunName, cut: true,
		},
		interruption{
			name: "a folder that vanishes", codes: []int{4}, cause: runfolder.RunName, cut: true,
			prepare: func(_ *testing.T, s *site) { s.left = s.folder + "-away" },
			act: func(t *testing.T, s site, _ *process) {
				testmust.Succeed(t, os.Rename(s.folder, s.left))
			},
		},
		interruption{name: "32 descriptors", prepare: limited("-n 32"), codes: []int{0, 3}},
	)
}

// try interrupts this many runs, one after the other.
func (i interruption) try(t *testing.T, binary string, repeats int) (r result) {
	t.Helper()
	s := newSite(t, binary)
	var lasts time.Duration
	if i.when != nil {
		whole := start(t, nil, s.conform()...)
		if r.code, lasts, _ = whole.end(t); r.code != 0 {
			t.Fatalf("exit code %d of a run that nothing disturbs: %s", r.code, whole.said)
		}
	}
	codes, verdicts := []string{}, []string{}
	for range repeats {
		s.folder, s.as = filepath.Join(t.TempDir(), "run"), nil
		one := i.once(t, s, lasts)
		for _, fell := range one.wrong {
			r.wrong = append(r.wrong, fmt.Sprintf("%s (after %s)", fell, one.took.Round(time.Millisecond)))
		}
		codes, verdicts = append(codes, fmt.Sprint(one.code)), append(verdicts, one.verdict)
		r.took, r.memory = max(r.took, one.took), max(r.memory, one.memory)
	}
	slices.Sort(codes)
	slices.Sort(verdicts)
	r.codes = strings.ReplaceAll(strings.Join(slices.Compact(codes), ", "), "-1", "killed")
	r.verdict = strings.Join(slices.Compact(verdicts), ", ")
	return r
}

// once interrupts one run and checks its record.
func (i interruption) once(t *testing.T, s site, whole time.Duration) (r result) {
	t.Helper()
	wrong := func(format string, args ...any) {
		r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
	}
	if i.prepare != nil {
		i.prepare(t, &s)
	}
	on := func(*exec.Cmd) {}
	if i.on != nil {
		on = func(c *exec.Cmd) { i.on(t, c) }
	}
	running := start(t, on, s.conform()...)
	switch {
	case i.when != nil:
		time.Sleep(i.when(whole))
	case i.act != nil:
		s.untilAnswered(100)
	}
	if i.act != nil {
		i.act(t, s, running)
	}
	r.code, r.took, r.memory = running.end(t)
	s.folder = cmp.Or(s.left, s.folder)
	out := running.said.String()
	if !slices.Contains(i.codes, r.code) {
		wrong("exit code %d: %.300s", r.code, out)
	}
	if strings.Contains(out, "panic:") || strings.Contains(out, "fatal error:") ||
		strings.Contains(out, "goroutine ") {
		wrong("the harness failed: %.600s", out)
	}
	if !strings.Contains(out, i.cause) {
		wrong("the cause (%s) is not named: %.300s", i.cause, out)
	}
	if r.took > longest || r.memory > most {
		wrong("%.0f s and %d MiB", r.took.Seconds(), r.memory>>20)
	}
	if left, _ := filepath.Glob(filepath.Join(s.folder, "*.tmp-*")); len(left) > 0 && r.code >= 0 {
		wrong("%s is left", left[0])
	}
	i.look(s, &r, wrong)
	return r
}

// look compares the output of report show with the journal and exchanges.har.
func (i interruption) look(s site, r *result, wrong func(string, ...any)) {
	checks, exchanges, ended := s.kept()
	run, err := s.shown()
	switch {
	// nothing was sent
	case i.nothing || i.unread || checks+exchanges == 0 && slices.Contains([]int{-1, 130}, r.code):
		r.verdict = "none"
		if i.nothing && exists(filepath.Join(s.folder, runfolder.JournalName)) {
			wrong("something was recorded")
		}
		return
	case err != nil:
		wrong("report show: %v", err)
		return
	}
	r.verdict = string(run.Verdict)
	if partial := run.Run.Partial; partial != (r.code == 130) && r.code >= 0 && !i.cut ||
		r.code < 0 && partial == ended {
		wrong("partial: %v, and exit code %d", run.Run.Partial, r.code)
	}
	if shown := checksOf(run); shown < checks || run.Run.Requests < exchanges {
		wrong("%d checks and %d requests of %d and %d are shown", shown, run.Run.Requests, checks,
			exchanges)
	}
	if entries := s.entries(); entries < exchanges && !i.cut || entries < exchanges && r.code < 0 {
		wrong("exchanges.har holds %d exchanges of %d", entries, exchanges)
	}
	for _, name := range []string{runfolder.RunName, "report.html"} {
		if !i.cut && !exists(filepath.Join(s.folder, name)) {
			wrong("no %s", name)
		}
	}
	if run.Verdict == "violations" {
		wrong("it accuses the deployment of %s", strings.Join(violated(run), ", "))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestInterruptions interrupts one or two runs in each way; with -short one run of each kind.
func TestInterruptions(t *testing.T) {
	// otherwise commands started under nohup ignore SIGHUP
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	binary, repeats := build(t), 2
	of := interruptions()
	if testing.Short() {
		kinds := []string{
			"SIGTERM in the last 200 ms", "kill -9 at a random moment", "the terminal is closed",
			"a closed pipe", "a disk of 256 KiB", "a folder that vanishes",
		}
		of = slices.DeleteFunc(of, func(i interruption) bool { return !slices.Contains(kinds, i.name) })
		if repeats = 1; len(of) != len(kinds) {
			t.Fatalf("%d of %d are known", len(of), len(kinds))
		}
	}
	for _, i := range of {
		t.Run(i.name, func(t *testing.T) {
			t.Parallel()
			if r := i.try(t, binary, max(1, min(i.repeats, repeats))); len(r.wrong) > 0 {
				t.Error(strings.Join(r.wrong, "; "))
			}
		})
	}
}
