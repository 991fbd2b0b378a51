package driver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
)

func TestTheCapacityIsFound(t *testing.T) {
	d := gateway(t, nil)
	out := filepath.Join(t.TempDir(), "run")
	found, folder, err := Find(t.Context(), Search{
		Options: Options{Deployment: d, Plan: planned(t, "slo=errors<5%"), Out: out, Render: page},
		From:    20, To: 40, Step: 300 * time.Millisecond, Precision: 0.3, Factor: 2,
		OnRun: func(r capacity.Run) { // what a search leaves that is killed now
			kept, err := capacity.Load(out)
			if err != nil || len(kept.Probes) != r.Number || !kept.Run.Partial ||
				kept.Run.FinishedAt.IsZero() || kept.ExitCode() != 130 {
				t.Errorf("after probe %d: %v, %+v", r.Number, err, kept)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	rendered(t, folder)
	rendered(t, filepath.Join(folder, capacity.Name(1)))
	if found.Capacity.Limit == capacity.ByGenerator { // the machine was too busy to send at all: it has to say so
		if found.ExitCode() != 3 || found.Verdict != results.Inconclusive {
			t.Errorf("%+v", found)
		}
		return
	}
	if c := found.Capacity; c.Rate != 40 || found.ExitCode() != 0 || len(found.Probes) < 2 {
		t.Errorf("%+v", found)
	}
	run := recorded(t, folder)
	for _, path := range []string{
		"schema", "verdict", "capacity.rate", "capacity.curve",
		"confidence.share", "probes", "run.id", "plan.slo",
	} {
		at(t, run, path)
	}
	if _, err := os.Stat(filepath.Join(folder, "probes", "001", runfolder.RunName)); err != nil {
		t.Error(err)
	}
}

func TestTheCapacityOfTheDeadAndTheSlow(t *testing.T) {
	dead := file(t, "name: dead\nbase_url: http://127.0.0.1:9\ncredentials: {api_key: top-secret-key-1234}\nload: "+
		"{allow: true, max_rate: 1000}\n")
	s := Search{
		Options: Options{Deployment: dead, Plan: planned(t, "slo=errors<5%"), Out: filepath.Join(t.TempDir(), "run")},
		From:    20, To: 100, Step: 300 * time.Millisecond, Precision: 0.5, Factor: 2,
	}
	found, _, err := Find(t.Context(), s)
	if err != nil || found.ExitCode() != 3 || found.Reason == "" {
		t.Errorf("%v, %+v", err, found)
	}
	s.Plan, s.Deployment, s.Out = planned(t, "slo=service.p50<1ns"), gateway(t, nil), filepath.Join(t.TempDir(), "run")
	s.Step = 300 * time.Millisecond
	if found, _, err = Find(t.Context(), s); err != nil || found.ExitCode() != 1 &&
		found.Capacity.Limit != capacity.ByGenerator {
		t.Errorf("%v, %+v", err, found)
	}
	s.Out = filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(t.Context())
	s.OnRun = func(capacity.Run) { stop() }
	if found, _, err = Find(ctx, s); err != nil || found.ExitCode() != 130 {
		t.Errorf("%v, %+v", err, found)
	}
	for _, broken := range []func(*Search){
		func(s *Search) { s.Plan = planned(t) }, func(s *Search) { s.To = 1e6 }, func(s *Search) { s.From = 500 },
	} {
		other := s
		broken(&other)
		var usage *UsageError
		if _, _, err := Find(t.Context(), other); !errors.As(err, &usage) {
			t.Errorf("%v", err)
		}
	}
}
