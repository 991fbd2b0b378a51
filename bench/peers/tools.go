package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

const (
	toolGenerator = "generator"
	toolVegeta    = "vegeta"

	// sampleID is the identifier for tools that can only repeat one.
	sampleID = "0f8fad5b-d9cb-469f-a165-70867728950e"
)

// A Tool is a generator with one of its configurations.
type Tool struct {
	Name  string
	Build string                      // name for BuildTool; empty: installed on the system
	args  func(Job) []string          // arguments; the tool runs in the folder of the files
	files func(Job) map[string]string // content of files that it reads, by name
}

// IsOurs reports whether the tool is our own generator.
func (t Tool) IsOurs() bool { return t.Build == toolGenerator }

// OurGenerator returns our generator with an engine. bound is the limit of requests in flight;
// 0: none.
func OurGenerator(name, engine string, bound int) Tool {
	return Tool{Name: name, Build: toolGenerator, files: noFiles, args: func(j Job) []string {
		j.InFlight = max(j.InFlight, bound)
		text, _ := json.Marshal(j) // cannot fail: only numbers and strings
		return []string{engine, string(text)}
	}}
}

func noFiles(Job) map[string]string { return nil }

// VegetaCLI returns the vegeta CLI with one repeated target. bound is as for OurGenerator.
func VegetaCLI(name string, bound int) Tool {
	return Tool{Name: name, Build: toolVegeta, args: func(j Job) []string {
		args := []string{
			"attack", "-insecure", "-duration", j.For.String(), "-targets", "targets.txt",
			"-output", "results.bin",
			"-rate", strconv.FormatFloat(j.Rate, 'f', -1, 64),
		}
		if n := strconv.Itoa(max(j.InFlight, bound)); n != "0" {
			args = append(args, "-max-workers", n)
			if j.Rate == 0 {
				args = append(args, "-workers", n, "-connections", n, "-output", "/dev/null")
			}
		}
		return args
	}, files: func(j Job) map[string]string {
		return map[string]string{
			"body.json": Body,
			"targets.txt": fmt.Sprintf("POST %s%s\nContent-Type: %s\nAuthorization: %s\n"+
				"Nonce: %s\nX-Transaction-Uuid: %[5]s\nX-Include-Replay-Protection-Schema: "+
				"nonce\nX-Lang: pt-BR\n@body.json\n",
				j.URL, Path, ContentType, Authorization, sampleID),
		}
	}}
}

func vegetaP99(ctx context.Context, bin, dir string) (time.Duration, error) {
	// #nosec G204: built by BuildTool
	out, err := exec.CommandContext(ctx, bin, "report", "-type", "json",
		filepath.Join(dir, "results.bin")).Output()
	if err != nil {
		return 0, fmt.Errorf("vegeta report: %w", err)
	}
	var v struct {
		Latencies struct {
			P99 time.Duration `json:"99th"`
		}
	}
	err = json.Unmarshal(out, &v)
	return v.Latencies.P99, err
}

// Wrk returns wrk as installed on the system. It is written in C, repeats one request and judges
// nothing, so it shows the lowest cost of a generator. It has no rate.
func Wrk(name string) Tool {
	return wrk(name, `wrk.method, wrk.path, wrk.headers, wrk.body = "POST", path, headers, body
headers["nonce"], headers["x-transaction-uuid"] = "`+sampleID+`", "`+sampleID+`"
`)
}

// WrkWithFreshIDs returns wrk with a Lua script that makes new identifiers.
func WrkWithFreshIDs() Tool {
	return wrk("wrk, Lua", `local n = 0
function request()
  n = n + 1
  local id = string.format("%08x-0000-4000-8000-%012x", math.random(0, 2147483647), n)
  headers["nonce"], headers["x-transaction-uuid"] = id, id
  return wrk.format("POST", path, headers, body)
end
`)
}

func wrk(name, lua string) Tool {
	return Tool{Name: name, args: func(j Job) []string {
		threads, seconds := strconv.Itoa(min(runtime.NumCPU(), j.InFlight)),
			strconv.Itoa(int(j.For.Seconds()))+"s"
		return []string{
			"-t", threads, "-c", strconv.Itoa(j.InFlight), "-d", seconds, "-s",
			"script.lua", j.URL,
		}
	}, files: func(Job) map[string]string {
		return map[string]string{"script.lua": fmt.Sprintf(`local path, body = '%s', '%s'
local headers = {
  ["Content-Type"] = "%s", ["Authorization"] = "%s",
  ["x-include-replay-protection-schema"] = "nonce", ["x-lang"] = "pt-BR",
}
`, Path, Body, ContentType, Authorization) + lua}
	}}
}
