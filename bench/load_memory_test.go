package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
)

// BenchmarkLoadMemory shows what our generator holds in memory, with either engine, after a million requests, one in a
// hundred a deliberate repeat, and after ten million with -ten-million; and what of its CPU the recording takes, by leaving
// it out.
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
			for range n {
				for figure, bare := range map[string]bool{"with": false, "without": true} {
					r := s.run(t, peers.Job{For: length, Connections: connections, NoRecord: bare}, srv)
					f.add(t.Name, figure, r.CPU.Seconds()/float64(r.requests)*100_000)
				}
			}
			goal(t.Name+": under 64 MiB resident after 1 million requests", early, early < 64)
			if *tenMillion {
				goal(t.Name+": under 64 MiB after 10 million too", r.report.FinalMiB, r.report.FinalMiB < 64)
			}
			b.ReportMetric(early, "MiB-after-1M")
		}
		f.print(fmt.Sprintf("Memory and recording, %d requests, %d rounds of %s", requests, n, length), tools, []column{
			{"early", "MiB after 1 million", "%.1f"},
			{"late", "at the end", "%.1f"},
			{"peak", "at most", "%.1f"},
			{"with", "CPU s for 100,000", "%.3f"},
			{"without", "not recorded", "%.3f"},
		})
	}
}
