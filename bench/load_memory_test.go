package bench

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/load/sink"
)

// BenchmarkLoadMemory shows what our generator holds in memory, with either engine, after a million requests, one in a
// hundred a deliberate repeat, and after ten million with -ten-million; and which share of its CPU the recording takes,
// by a profile, and by leaving it out.
func BenchmarkLoadMemory(b *testing.B) {
	n, length := rounds(3, 4*time.Second)
	requests := int64(1_000_000)
	if *tenMillion {
		requests *= 10
	}
	task := peers.Task{Requests: requests, Milestone: 1_000_000, Repeats: 0.01}
	tools := []peers.Tool{peers.Ours(ours, task)}
	task.Engine = "direct"
	tools = append(tools, peers.Ours(direct, task))
	s, _ := newStage(b, tools)
	srv := s.start(sink.Options{})
	defer srv.Close()
	for b.Loop() {
		f := figures{}
		for i, t := range both() {
			r := s.run(tools[i], peers.Job{For: 20 * time.Minute, Connections: connections}, srv)
			early := r.report.EarlyMiB
			if early == 0 {
				early = r.report.FinalMiB // it had ended before one could look
			}
			f.add(t.Name, "early", early)
			f.add(t.Name, "late", r.report.FinalMiB)
			f.add(t.Name, "peak", r.PeakMiB)
			// profiles: at the highest rate only results count, at a lower one so does what is done each second
			var busy, steady []string
			for i := range n {
				busy = append(busy, filepath.Join(b.TempDir(), fmt.Sprintf("busy%d.prof", i)))
				steady = append(steady, filepath.Join(b.TempDir(), fmt.Sprintf("steady%d.prof", i)))
				s.run(t, peers.Job{For: length, Connections: connections, Profile: busy[i]}, srv)
				s.alone(t, peers.Job{For: 2 * length, Rate: 5000, Profile: steady[i]}, sink.Options{Delay: delay})
				for figure, bare := range map[string]bool{"with": false, "without": true} {
					r := s.run(t, peers.Job{For: length, Connections: connections, NoRecord: bare}, srv)
					f.add(t.Name, figure, r.CPU.Seconds()/float64(r.requests)*100_000)
				}
			}
			recording := share(b, s.bins["own"], busy, "load/results")
			f.add(t.Name, "profile", recording)
			f.add(t.Name, "steady", share(b, s.bins["own"], steady, "load/results"))
			goal(t.Name+": under 64 MiB resident after 1 million requests", early, early < 64)
			if *tenMillion {
				goal(t.Name+": under 64 MiB after 10 million too", r.report.FinalMiB, r.report.FinalMiB < 64)
			}
			goal(t.Name+": recording under 3 % of CPU", recording, recording < 3)
			b.ReportMetric(early, "MiB-after-1M")
			b.ReportMetric(recording, "%CPU-recording")
		}
		f.print(fmt.Sprintf("Memory and recording, %d requests, %d rounds of %s", requests, n, length), tools, []column{
			{"early", "MiB after 1 million", "%.1f"},
			{"late", "at the end", "%.1f"},
			{"peak", "at most", "%.1f"},
			{"profile", "recording, % of CPU", "%.2f"},
			{"steady", "at 5,000/s", "%.2f"},
			{"with", "CPU s for 100,000", "%.3f"},
			{"without", "not recorded", "%.3f"},
		})
	}
}

var nodes = regexp.MustCompile(`Showing nodes accounting for .*, ([0-9.]+)% of `)

// share of the samples of profiles whose stack goes through a package, in percent.
func share(b *testing.B, bin string, profiles []string, pkg string) float64 {
	b.Helper()
	args := append([]string{
		"tool", "pprof", "-top", "-nodecount=10000",
		"-nodefraction=0", "-focus", pkg, bin,
	}, profiles...)
	out, err := exec.CommandContext(b.Context(), "go", args...).CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	m := nodes.FindSubmatch(out)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return v
}
