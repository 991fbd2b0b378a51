package bench

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// BenchmarkBigData runs every suite against windows of a thousand to a hundred thousand quotes.
// The run and the gateway are separate processes. It prints the wall time, CPU time and peak
// memory of the run, the lower of two.
func BenchmarkBigData(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "gateassay")
	if out, err := exec.Command("go", "build", "-o", binary,
		"../cmd/gateassay").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, quotes := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d quotes", quotes), func(b *testing.B) {
			file := serveMany(b, binary, quotes)
			for b.Loop() {
				wall, cpu, memory := conform(b, binary, file)
				w, c, m := conform(b, binary, file)
				wall, cpu, memory = min(wall, w), min(cpu, c), max(memory, m)
				peak := float64(memory >> 20)
				b.Logf("%d quotes: run %.1f s, %.1f s of CPU, %.0f MiB", quotes, wall.Seconds(),
					cpu.Seconds(), peak)
				b.ReportMetric(wall.Seconds(), "s/run")
				b.ReportMetric(cpu.Seconds(), "s-CPU/run")
				b.ReportMetric(peak, "MiB-peak")
				goal(fmt.Sprintf("%d quotes: at most 256 MiB", quotes), peak, peak <= 256)
			}
		})
	}
}

// serveMany starts a gateway and returns its deployment file.
func serveMany(b *testing.B, binary string, quotes int) string {
	b.Helper()
	listener := testmust.Get(net.Listen("tcp", "127.0.0.1:0"))(b)
	address := listener.Addr().String()
	_ = listener.Close()
	file := filepath.Join(b.TempDir(), "deployment.yaml")
	gateway := exec.Command(binary, "serve", "--addr", address, "--quotes",
		fmt.Sprint(quotes), "--deployment-out", file)
	testmust.Succeed(b, gateway.Start())
	b.Cleanup(func() {
		_ = gateway.Process.Signal(os.Interrupt)
		_ = gateway.Wait()
	})
	for range 600 {
		if resp, err := http.Get("http://" + address); err == nil {
			_ = resp.Body.Close()
			if _, err := os.Stat(file); err == nil {
				return file
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.Fatal("the gateway did not start within a minute")
	return ""
}

// conform runs every suite and returns its wall time, CPU time and peak memory.
func conform(b *testing.B, binary, file string) (wall, cpu time.Duration, memory int64) {
	b.Helper()
	run := exec.Command(binary, "conform", "-d", file, "--out",
		filepath.Join(b.TempDir(), uuid.NewString()), "--quiet")
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, &out
	started := time.Now()
	if err := run.Run(); err != nil {
		b.Fatalf("%v\n%s", err, out.String())
	}
	usage, ok := run.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Skip("the memory of a process cannot be measured here")
	}
	return time.Since(started), run.ProcessState.UserTime() + run.ProcessState.SystemTime(),
		usage.Maxrss << 10
}
