package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/gateway/must"
)

func TestAReportOfWhatTheTargetSaw(t *testing.T) {
	srv := must.Get(sink.Start("127.0.0.1:0", sink.Options{}))(t)
	defer srv.Close()
	try := func(task peers.Task) (peers.Report, error) {
		task.RunID = "a run"
		text := must.Get(json.Marshal(task))(t)
		var out bytes.Buffer
		if err := run([]string{string(text)}, &out); err != nil {
			return peers.Report{}, err
		}
		return peers.ReadReport(out.Bytes())
	}
	for _, task := range []peers.Task{
		{Rate: 500, For: 200 * time.Millisecond},
		{Rate: 500, For: 200 * time.Millisecond, MaxInFlight: 4, Engine: "vegeta"},
		{Requests: 100, Workers: 4, Milestone: 1, Repeats: 0.1},
		{Requests: 100, Workers: 4, NoRecord: true, Engine: "direct"},
	} {
		task.URL = srv.URL()
		before := srv.Requests()
		if r, err := try(task); err != nil || r.Sent != 100 || r.Bad != 0 || srv.Requests()-before != 100 ||
			r.StartNS == 0 {
			t.Errorf("%+v: %+v, %v", task, r, err)
		}
	}
	for _, wrong := range []peers.Task{
		{},
		{URL: srv.URL()},
		{URL: srv.URL(), Rate: 5},
		{URL: "ftp://x", For: time.Second},
		{URL: srv.URL(), For: time.Second, Engine: "steam"},
	} {
		if _, err := try(wrong); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}
