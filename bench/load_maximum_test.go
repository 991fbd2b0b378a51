package bench

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/target"
)

// The names of what goals compare.
const (
	ours   = "gateassay"
	vegeta = "vegeta"
	k6     = "k6"
)

// BenchmarkLoadMaximum lets each generator send as fast as it can over 64 connections to a target that answers at once.
// Ours makes every request anew, judges every answer and records every result.
func BenchmarkLoadMaximum(b *testing.B) {
	n, length := rounds(5, 3*time.Second)
	all := []peers.Tool{peers.Ours(ours), peers.Vegeta(vegeta), peers.VegetaFed(), peers.K6(), peers.Hey(), peers.Fortio(), peers.Wrk()}
	if !testing.Short() {
		all = append(all, peers.Ours("gateassay --engine vegeta", "-engine", "vegeta"), peers.Ours("gateassay --transport nethttp", "-transport", "nethttp"))
	}
	s, tools := newStage(b, all)
	srv := s.start(target.Options{})
	defer srv.Close()
	feed := filepath.Join(b.TempDir(), "targets.json")
	writeFeed(b, feed, srv.URL(), int(40_000*length.Seconds()))
	for b.Loop() {
		f := figures{}
		for range n {
			for _, t := range tools {
				r := s.run(t, peers.Job{For: length, Connections: connections, Feed: feed}, srv)
				f.add(t.Name, "rate", float64(r.requests)/length.Seconds())
				f.add(t.Name, "cpu", r.CPU.Seconds()/float64(r.requests)*100_000)
				f.add(t.Name, "mib", r.PeakMiB)
			}
		}
		f.relate("rate", vegeta)
		f.relate("cpu", vegeta)
		f.print(fmt.Sprintf("Maximum rate, %d connections, %d rounds of %s", connections, n, length), tools, []column{
			{"rate", "requests/s", "%.0f"}, {"rate/" + vegeta, "of vegeta's", "%.2f"}, {"cpu", "CPU s for 100,000", "%.2f"}, {"cpu/" + vegeta, "of vegeta's", "%.2f"}, {"mib", "peak MiB", "%.0f"},
		})
		rate, cpu, to6 := f.ratio("rate", ours, vegeta), f.ratio("cpu", ours, vegeta), f.ratio("rate", ours, k6)
		goal(fmt.Sprintf("at least 1.8 times the rate of vegeta with a static target: %.2f", rate), rate >= 1.8)
		goal(fmt.Sprintf("at least 5 times the rate of k6: %.2f", to6), to6 >= 5)
		goal(fmt.Sprintf("at most 0.55 of vegeta's CPU for a request: %.2f", cpu), cpu <= 0.55)
		b.ReportMetric(f.median(ours, "rate"), "req/s")
		b.ReportMetric(rate, "x-vegeta")
		b.ReportMetric(to6, "x-k6")
		b.ReportMetric(cpu, "cpu/vegeta")
	}
}

// writeFeed makes the targets that vegeta reads, with what vegeta can be given: identifiers of their own.
func writeFeed(b *testing.B, path, url string, n int) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	body := base64.StdEncoding.EncodeToString([]byte(peers.Body))
	for range n {
		line, err := json.Marshal(map[string]any{"method": "POST", "url": url + peers.Path, "body": body, "header": map[string][]string{
			"Content-Type": {peers.ContentType}, "Authorization": {peers.Authorization}, "Nonce": {uuid.NewString()}, "X-Transaction-Uuid": {uuid.NewString()},
			"X-Include-Replay-Protection-Schema": {"nonce"}, "X-Lang": {"pt-BR"},
		}})
		if err != nil {
			b.Fatal(err)
		}
		w.Write(append(line, '\n'))
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}
