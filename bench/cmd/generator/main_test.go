package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/bench/sink"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
)

func TestARecordOfWhatTheTargetSaw(t *testing.T) {
	srv := testmust.Get(sink.Start(sink.Options{}))(t)
	defer srv.Close()
	try := func(engine string, job peers.Job) (record results.Run, err error) {
		var out bytes.Buffer
		if err = run([]string{engine, string(testmust.Get(json.Marshal(job))(t))}, &out); err == nil {
			err = json.Unmarshal(out.Bytes(), &record)
		}
		return record, err
	}
	for _, engine := range []string{"vegeta", "direct"} {
		for _, job := range []peers.Job{
			{Rate: 500, For: 200 * time.Millisecond},
			{Rate: 5000, For: 20 * time.Millisecond, InFlight: 4, Repeats: 0.1},
			{For: time.Second, InFlight: 4}, // ends by the clock: time enough on a busy machine
		} {
			job.URL = srv.URL
			before := srv.Requests()
			r, err := try(engine, job)
			sent := r.Requests.Sent
			if err != nil || r.Requests.Accepted+r.Requests.MissedBlocks != sent ||
				srv.Requests()-before != sent || sent == 0 || job.Rate > 0 && sent != 100 {
				t.Errorf("%s, %+v: %+v, %v", engine, job, r.Requests, err)
			}
		}
	}
	for _, wrong := range []peers.Job{
		{},
		{URL: srv.URL, Rate: 5},
		{URL: srv.URL, For: time.Second},
	} {
		if _, err := try("direct", wrong); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}
