package driver

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

// childKey names the variable that makes the test binary carry out a run instead.
const childKey = "GATEASSAY_TEST_RUN"

// child is the run that a process of its own carries out.
type child struct {
	YAML, Out string
	Rate      string
}

func TestMain(m *testing.M) {
	text := os.Getenv(childKey)
	if text == "" {
		os.Exit(m.Run())
	}
	var c child
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	d, err := deployment.Parse("test", "", []byte(c.YAML), os.LookupEnv)
	if err != nil {
		panic(err)
	}
	p, err := planOf("rate="+c.Rate, "duration=1m")
	if err != nil {
		panic(err)
	}
	if _, err := Run(context.Background(), Options{Deployment: d, Plan: p, Out: c.Out}); err != nil {
		panic(err)
	}
}

// TestWhatAKilledRunLeaves kills a run without warning: what it recorded is a run, and at most two seconds are missing.
func TestWhatAKilledRunLeaves(t *testing.T) {
	var arrived atomic.Int64
	yaml := serving(t, before(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/exports") {
			arrived.Add(1)
		}
		return false
	}))
	folder := filepath.Join(t.TempDir(), "run")
	text := must.Get(json.Marshal(child{yaml, folder, "100/s"}))(t)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childKey+"="+string(text))
	must.Succeed(t, command.Start())
	records := func() int {
		data, _ := os.ReadFile(filepath.Join(folder, runfolder.IntervalsName))
		return strings.Count(string(data), "\n")
	}
	for deadline := time.Now().Add(50 * second); records() < 4 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	sent := arrived.Load()
	if _, err := os.Stat(filepath.Join(folder, runfolder.RunName)); err == nil {
		t.Fatal("the run ended by itself")
	}
	run := must.Get(results.Rebuild(folder))(t)
	const preflight, seconds = 10, 2
	known := run.Requests.Accepted + run.Requests.Blocked
	if known == 0 || known < sent-preflight-seconds*100 {
		t.Errorf("%d requests arrived, %d are known: %+v", sent, known, run.Requests)
	}
	if !run.Run.Partial || results.ExitCode(run) != 130 || run.Requests.MissedBlocks+run.Requests.FalseBlocks != 0 {
		t.Errorf("%+v, %+v", run.Run, run.Requests)
	}
}
