package bench

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/load/sink"
)

// The names of what goals compare.
const (
	ours   = "gateassay"
	direct = "gateassay --engine direct"
	vegeta = "vegeta"
	fed    = "vegeta, JSON targets"
	k6     = "k6"
	wrk    = "wrk"
)

// feedRate is how many targets a second the feed of JSON targets holds: more than its reader can send, or the feed
// would be what is measured.
const feedRate = 100_000

// both are our engines.
func both() []peers.Tool {
	return []peers.Tool{peers.Ours(ours, peers.Task{}), peers.Ours(direct, peers.Task{Engine: "direct"})}
}

// BenchmarkLoadMaximum lets each generator send as fast as it can over 64 connections to a target that answers at once,
// over HTTP and HTTPS. Ours make every request anew, judge every answer and record every result.
func BenchmarkLoadMaximum(b *testing.B) {
	conf, _, err := sink.SelfSigned()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		target     sink.Options
		fast, slow float64 // goals of the direct engine and of the vegeta engine, beside a static target
	}{{"HTTP", sink.Options{}, 3.3, 0.95}, {"HTTPS", sink.Options{TLS: conf}, 3, 0.95}} {
		b.Run(c.name, func(b *testing.B) {
			n, length := rounds(5, 3*time.Second)
			s, tools := newStage(b, append(both(), peers.Vegeta(vegeta), peers.VegetaFed(fed),
				peers.K6(), peers.Hey(), peers.Fortio(),
				peers.WrkFresh(), peers.Wrk(wrk)))
			srv := s.start(c.target)
			defer srv.Close()
			feed := filepath.Join(b.TempDir(), "targets.json")
			targets := int64(feedRate * length.Seconds())
			writeFeed(b, feed, srv.URL(), targets)
			for b.Loop() {
				f := figures{}
				for range n {
					for _, t := range tools {
						r := s.run(t, peers.Job{For: length, Connections: connections, Feed: feed}, srv)
						if t.Name == fed && r.requests >= targets {
							b.Fatalf("%s: its feed of %d targets ran dry before the %s were over, so its rate is that "+
								"of the feed; raise feedRate", t.Name, targets, length)
						}
						f.add(t.Name, "rate", float64(r.requests)/length.Seconds())
						f.add(t.Name, "cpu", r.CPU.Seconds()/float64(r.requests)*100_000)
						f.add(t.Name, "mib", r.PeakMiB)
					}
				}
				f.relate("rate", vegeta)
				f.relate("cpu", vegeta)
				f.relate("rate", wrk)
				f.relate("cpu", wrk)
				f.print(fmt.Sprintf("Maximum rate over %s, %d connections, %d rounds of %s", c.name,
					connections, n, length), tools, []column{
					{"rate", "requests/s", "%.0f"},
					{"rate/" + vegeta, "of vegeta's", "%.2f"},
					{"rate/" + wrk, "of wrk's", "%.2f"},
					{"cpu", "CPU s for 100,000", "%.2f"},
					{"cpu/" + vegeta, "of vegeta's", "%.2f"},
					{"cpu/" + wrk, "of wrk's", "%.2f"},
					{"mib", "peak MiB", "%.0f"},
				})
				same, static := f.ratio("rate", ours, fed), f.ratio("rate", ours, vegeta)
				rate, cpu := f.ratio("rate", direct, vegeta), f.ratio("cpu", direct, vegeta)
				goal("vegeta engine at least 1.4 times the rate of vegeta with fresh identifiers", same, same >= 1.4)
				goal("vegeta engine level with vegeta and a static target", static, static >= c.slow)
				goal(fmt.Sprintf("direct at least %.1f times the rate of vegeta with a static target", c.fast), rate,
					rate >= c.fast)
				goal("direct at most 0.3 of vegeta's CPU for a request", cpu, cpu <= 0.3)
				b.ReportMetric(same, "vegeta-engine/fresh")
				b.ReportMetric(rate, "direct/vegeta")
				b.ReportMetric(cpu, "direct-cpu/vegeta")
				if floor := f.ratio("rate", direct, wrk); !math.IsNaN(floor) { // it is not everywhere installed
					b.ReportMetric(floor, "direct/wrk")
					b.ReportMetric(f.ratio("cpu", direct, wrk), "direct-cpu/wrk")
				}
			}
		})
	}
}

// writeFeed makes the targets that vegeta reads, with what vegeta can be given: identifiers of their own.
func writeFeed(b *testing.B, path, url string, n int64) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	body := base64.StdEncoding.EncodeToString([]byte(peers.Body))
	for range n {
		line, err := json.Marshal(map[string]any{
			"method": "POST", "url": url + peers.Path,
			"body": body, "header": map[string][]string{
				"Content-Type": {peers.ContentType}, "Authorization": {peers.Authorization},
				"Nonce":                              {uuid.NewString()},
				"X-Transaction-Uuid":                 {uuid.NewString()},
				"X-Include-Replay-Protection-Schema": {"nonce"}, "X-Lang": {"pt-BR"},
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		w.Write(append(line, '\n'))
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}
