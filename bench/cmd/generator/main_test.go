package main

import (
	"bytes"
	"testing"

	"github.com/gateassay/gateassay/bench/peers"
	"github.com/gateassay/gateassay/load/sink"
)

func TestAReportOfWhatTheTargetSaw(t *testing.T) {
	srv, err := sink.Start("127.0.0.1:0", sink.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	for _, more := range [][]string{
		{"-rate", "500", "-for", "200ms"},
		{"-rate", "500", "-for", "200ms", "-max-in-flight", "4", "-engine", "vegeta"},
		{"-requests", "100", "-workers", "4", "-milestone", "1", "-repeats", "0.1"},
		{"-requests", "100", "-workers", "4", "-record=false", "-engine", "direct"},
	} {
		before := srv.Requests()
		var out bytes.Buffer
		if err := run(append([]string{"-url", srv.URL()}, more...), &out); err != nil {
			t.Fatalf("%q: %v", more, err)
		}
		r, err := peers.ReadReport(out.Bytes())
		if err != nil || r.Sent != 100 || r.Bad != 0 || srv.Requests()-before != 100 || r.StartNS == 0 {
			t.Errorf("%q: %+v, %v", more, r, err)
		}
	}
	for _, wrong := range [][]string{
		{},
		{"-url", srv.URL()},
		{"-url", srv.URL(), "-rate", "5"},
		{"-url", "ftp://x", "-for", "1s"},
		{"-url", srv.URL(), "-for", "1s", "-engine", "steam"},
	} {
		if run(wrong, new(bytes.Buffer)) == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
}
