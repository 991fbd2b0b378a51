package peers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// Job is what a generator is told to do.
type Job struct {
	URL  string // origin of the target
	For  time.Duration
	Rate float64 // requests per second; 0: as many as Connections can carry
	// Connections bounds those without a rate, and with one the tools that have no open model.
	Connections int
	Dir         string // for scripts and results, the job's own
	RunID       string // of our own identifiers
	NoRecord    bool   // our own: leave the recording out
}

// Tool is a generator in one of the ways that it can be run.
type Tool struct {
	Name  string
	Build string // the tool for Build; empty: found on the system
	Fresh string // what of a request is new each time
	// Args are its arguments; files it needs are written to the job's folder.
	Args func(Job) ([]string, error)
	// P99 reads from what it printed, or from the job's folder, the 99th percentile that it reports. bin is its binary.
	P99 func(bin string, j Job, printed []byte) (time.Duration, error)
}

// Ours is our generator, which does what is left open here as the job says.
func Ours(name string, task Task) Tool {
	return Tool{Name: name, Build: "generator", Fresh: "all", P99: ownP99, Args: func(j Job) ([]string, error) {
		t := task
		t.URL, t.RunID, t.For, t.NoRecord = j.URL, j.RunID, j.For, j.NoRecord
		t.Rate, t.Workers = j.Rate, j.Connections
		text, err := json.Marshal(t)
		return []string{string(text)}, err
	}}
}

// Vegeta is the vegeta CLI with one target that is repeated. more are further arguments.
func Vegeta(name string, more ...string) Tool {
	return Tool{Name: name, Build: "vegeta", Fresh: "nothing", P99: vegetaP99, Args: func(j Job) ([]string, error) {
		body, targets := filepath.Join(j.Dir, "body.json"), filepath.Join(j.Dir, "targets.txt")
		text := fmt.Sprintf("POST %s%s\nContent-Type: %s\nAuthorization: %s\nNonce: %s\nX-Transaction-Uuid: "+
			"%s\nX-Include-Replay-Protection-Schema: nonce\nX-Lang: pt-BR\n@%s\n",
			j.URL, Path, ContentType, Authorization, sampleID, sampleID, body)
		if err := write(body, Body); err != nil {
			return nil, err
		}
		return append(append(vegetaArgs(j), "-targets", targets), more...), write(targets, text)
	}}
}

func vegetaArgs(j Job) []string {
	args := []string{"attack", "-insecure", "-duration", j.For.String(), "-output", filepath.Join(j.Dir, "results.bin")}
	if j.Rate > 0 {
		return append(args, "-rate", number(j.Rate)+"/1s")
	}
	n := strconv.Itoa(j.Connections)
	args[len(args)-1] = os.DevNull
	return append(args, "-rate", "0", "-workers", n, "-max-workers", n, "-connections", n)
}

// Wrk is wrk, which is found on the system, not built: the same request all the time, written in C, and nothing judged.
// It is the floor of what a generator takes. It has no rate.
func Wrk(name string) Tool {
	return wrk(name, "nothing", `wrk.method, wrk.path, wrk.headers, wrk.body = "POST", path, headers, body
headers["nonce"] = "`+sampleID+`"
headers["x-transaction-uuid"] = "`+sampleID+`"
`)
}

// WrkFresh is wrk with identifiers that a Lua script counts up.
func WrkFresh() Tool {
	return wrk("wrk, Lua", "identifiers", `local n = 0
function request()
  n = n + 1
  local id = string.format("%08x-0000-4000-8000-%012x", math.random(0, 2147483647), n)
  headers["nonce"] = id
  headers["x-transaction-uuid"] = id
  return wrk.format("POST", path, headers, body)
end
`)
}

func wrk(name, fresh, lua string) Tool {
	return Tool{Name: name, Fresh: fresh, Args: func(j Job) ([]string, error) {
		script := filepath.Join(j.Dir, "script.lua")
		text := fmt.Sprintf(`local path, body = '%s', '%s'
local headers = {["Content-Type"] = "%s", ["Authorization"] = "%s", ["x-include-replay-protection-schema"] = "nonce", ["x-lang"] = "pt-BR"}
`, Path, Body, ContentType, Authorization)
		threads := strconv.Itoa(min(runtime.NumCPU(), j.Connections))
		args := []string{
			"-t", threads, "-c", strconv.Itoa(j.Connections), "-d",
			strconv.Itoa(int(j.For.Seconds())) + "s",
		}
		return append(args, "-s", script, j.URL), write(script, text+lua)
	}}
}

// sampleID stands in for identifiers where a tool can only repeat one.
const sampleID = "0f8fad5b-d9cb-469f-a165-70867728950e"

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func write(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
