package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/sink"
)

// stallVariable asks the test binary to be a target that stalls, and how.
const stallVariable = "GATEASSAY_STALL_TARGET"

func serveStall(order string) {
	var o sink.Options
	if err := json.Unmarshal([]byte(order), &o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	t, err := sink.Start("127.0.0.1:0", o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(t.URL())
	io.Copy(io.Discard, os.Stdin)
	t.Close()
	t.WriteLog(os.Stdout)
}

// BenchmarkStall compares the response p99 through a stall of one second with the truth, which the target knows.
func BenchmarkStall(b *testing.B) {
	for _, rate := range []float64{2000, 5000} {
		for _, limit := range []int{0, 64} {
			for _, name := range both {
				b.Run(fmt.Sprintf("%s-%.0f-in-flight-%d", name, rate, limit), func(b *testing.B) {
					for b.Loop() {
						stall(b, name, rate, limit)
					}
				})
			}
		}
	}
}

func stall(b *testing.B, name engine.Name, rate float64, limit int) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	order, _ := json.Marshal(sink.Options{
		Delay:   5 * time.Millisecond,
		StallAt: 2 * time.Second, StallFor: time.Second, Log: true,
	})
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), stallVariable+"="+string(order))
	cmd.Stderr = os.Stderr
	in, _ := cmd.StdinPipe()
	pipe, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	out := bufio.NewReader(pipe)
	origin, err := out.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	s := constant(b, rate, 5*time.Second)
	o, sink := options(b, strings.TrimSpace(origin), s, 0)
	o.Name, o.MaxInFlight = name, limit
	sum := run(b, context.Background(), o)
	resident := maxResident()
	in.Close()
	intended := map[string]time.Duration{}
	for _, r := range sink.all {
		intended[string(r.nonce[:])] = r.intended
	}
	var truth []time.Duration
	for {
		line, err := out.ReadString('\n')
		if err != nil {
			break
		}
		f := strings.Split(strings.TrimSpace(line), ",")
		answered, _ := strconv.ParseInt(f[2], 10, 64)
		truth = append(truth, time.Unix(0, answered).Sub(sum.Start)-intended[f[0]])
	}
	if len(truth) != len(sink.all) {
		b.Fatalf("%d answers, %d results", len(truth), len(sink.all))
	}
	want, got := at(truth, 0.99), sink.quantile(0.99, func(o one) time.Duration { return o.response })
	b.ReportMetric(float64(want.Microseconds())/1e3, "true-p99-ms")
	b.ReportMetric(float64(got.Microseconds())/1e3, "response-p99-ms")
	b.ReportMetric(100*(float64(got)/float64(want)-1), "off-%")
	b.ReportMetric(float64(sum.PeakInFlight), "in-flight")
	b.ReportMetric(float64(resident)/(1<<20), "max-MiB") // of the process so far: run one alone to compare
}
