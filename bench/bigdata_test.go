package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// BenchmarkBigData runs every suite against windows of a thousand to a hundred thousand quotes, in a process of its own beside
// that of the gateway. It prints the wall time, the CPU time and the peak memory of the run, and beside them how long
// it takes net/http to fetch, and throw away, the three files that a run fetches of a large window as a whole. Both are the
// fastest of three in turn.
func BenchmarkBigData(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "gateassay")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/gateassay").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, quotes := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d quotes", quotes), func(b *testing.B) {
			file := serveMany(b, binary, quotes)
			for b.Loop() {
				fetching, size := fetchThree(b, file)
				wall, cpu, memory := conform(b, binary, file)
				for range 2 {
					again, _ := fetchThree(b, file)
					w, c, m := conform(b, binary, file)
					fetching, wall, cpu, memory = min(fetching, again), min(wall, w), min(cpu, c), max(memory, m)
				}
				times, peak := wall.Seconds()/fetching.Seconds(), float64(memory>>20)
				b.Logf("%d quotes: run %.1f s, %.1f s of CPU, %.0f MiB; the three large files alone %.1f s, %d MiB; "+
					"%.2f times as long", quotes, wall.Seconds(), cpu.Seconds(), peak, fetching.Seconds(), size>>20, times)
				b.ReportMetric(wall.Seconds(), "s/run")
				b.ReportMetric(cpu.Seconds(), "s-CPU/run")
				b.ReportMetric(fetching.Seconds(), "s/fetching")
				b.ReportMetric(peak, "MiB-peak")
				goal(fmt.Sprintf("%d quotes: at most 256 MiB", quotes), peak, peak <= 256)
			}
		})
	}
}

// serveMany starts a gateway and returns its deployment file.
func serveMany(b *testing.B, binary string, quotes int) string {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	file := filepath.Join(b.TempDir(), "deployment.yaml")
	gateway := exec.Command(binary, "serve", "--addr", address, "--quotes",
		fmt.Sprint(quotes), "--deployment-out", file)
	if err := gateway.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = gateway.Process.Signal(os.Interrupt)
		_ = gateway.Wait()
	})
	for range 600 {
		if resp, err := http.Get("http://" + address); err == nil {
			_ = resp.Body.Close()
			return file
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.Fatal("the gateway did not start within a minute")
	return ""
}

// conform runs every suite and returns its wall time, its own CPU time and the peak of its memory.
func conform(b *testing.B, binary, file string) (wall, cpu time.Duration, memory int64) {
	b.Helper()
	run := exec.Command(binary, "conform", "-d", file, "--out", filepath.Join(b.TempDir(), uuid.NewString()), "--quiet")
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
	return time.Since(started), run.ProcessState.UserTime() + run.ProcessState.SystemTime(), usage.Maxrss << 10
}

// fetchThree exports the whole window in both orders and by the other date, and reads the files to their ends, with
// net/http and nothing else: nothing is looked for in them, and nothing is made of them.
func fetchThree(b *testing.B, file string) (took time.Duration, size int64) {
	b.Helper()
	dep, err := deployment.Load(file)
	if err != nil {
		b.Fatal(err)
	}
	started := time.Now()
	for _, sort := range [][2]string{
		{"quote_created_at", "desc"},
		{"quote_created_at", "asc"},
		{"settled_date", "desc"},
	} {
		w := dep.Fixtures.Window
		var export struct {
			ID string `json:"file_id"`
		}
		answered(b, ask(b, dep, http.MethodPost, dep.BaseURL+dep.Export.Path, map[string]string{
			"sort": sort[0], "order": sort[1], "type_extension": "CSV",
			"date_start": w.Start.Format(time.RFC3339Nano), "date_end": w.End.Format(time.RFC3339Nano),
		}), &export)
		var ready struct{ URL string }
		for ; ready.URL == ""; time.Sleep(time.Millisecond) {
			answered(b, ask(b, dep, http.MethodGet, dep.BaseURL+"/v1/files/"+export.ID, nil), &ready)
		}
		download := ask(b, nil, http.MethodGet, ready.URL, nil)
		read, err := io.Copy(io.Discard, download.Body)
		_ = download.Body.Close()
		if err != nil || download.StatusCode != http.StatusOK {
			b.Fatal(download.Status, err)
		}
		size += read
	}
	return time.Since(started), size
}

// ask sends a request, with the main credential of a deployment where one is given.
func ask(b *testing.B, dep *deployment.File, method, url string, body any) *http.Response {
	b.Helper()
	text, _ := json.Marshal(body)
	r, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	if dep != nil {
		r.Header = http.Header{
			"Authorization": {"Bearer " + dep.Credentials.Main().Value}, "Content-Type": {"application/json"},
			"Nonce": {uuid.NewString()}, "X-Include-Replay-Protection-Schema": {"nonce"},
		}
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	return resp
}

// answered reads a short answer.
func answered(b *testing.B, resp *http.Response, into any) {
	b.Helper()
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil || resp.StatusCode >= http.StatusBadRequest {
		b.Fatal(resp.Status, err)
	}
}
