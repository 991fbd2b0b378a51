package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTheWorstGeneratorStandsForAll(t *testing.T) {
	part := func(shard int, lag float64, reason string) Part {
		g := Generator{LagP99MS: lag, Reason: reason, Reliable: reason == "", Intervals: 3}
		return Part{Shard: shard, State: Complete, Generator: g}
	}
	for want, m := range map[int]Composition{
		2: {Shards: []Part{part(0, 5, ""), part(1, 7, ""), part(2, 9, "")}},
		1: {Shards: []Part{part(0, 90, ""), part(1, 7, "no file descriptors"), part(2, 9, "")}},
		0: {Shards: []Part{part(0, 90, "late"), part(1, 7, "no file descriptors"), {Shard: 2, State: Missing}}},
	} {
		if g := m.generator(); *g.Shard != want || g.Reliable != m.Shards[want].Generator.Reliable || !g.Reliable &&
			!strings.HasPrefix(g.Reason, fmt.Sprintf("shard %d: ", want)) {
			t.Errorf("shard %d stands for all instead of %d: %+v", *g.Shard, want, g)
		}
	}
	if g := (&Composition{Shards: []Part{{State: Missing}}}).generator(); g.Reliable || g.Reason == "" {
		t.Errorf("nothing was recorded, and yet %+v", g)
	}
}

func TestHowFarApartShardsBegan(t *testing.T) {
	for name, c := range map[string]struct {
		parts  []Part
		want   *float64
		clocks bool
	}{
		"late": {[]Part{{FirstMS: new(1.0)}, {FirstMS: new(4.0)}, {FirstMS: new(2.0)}}, new(3.0), false},
		"clocks known": {[]Part{
			{FirstMS: new(1.0), ClockMS: new(0.0)},
			{FirstMS: new(1.0), ClockMS: new(30.0)},
			{FirstMS: new(2.0), ClockMS: new(-10.0)},
		}, new(41.0), true},
		"one unknown":    {[]Part{{FirstMS: new(1.0), ClockMS: new(0.0)}, {FirstMS: new(3.0)}}, new(2.0), false},
		"only one began": {[]Part{{FirstMS: new(1.0), ClockMS: new(0.0)}, {ClockMS: new(1.0)}}, nil, false},
	} {
		m := &Composition{Shards: c.parts}
		if m.skew(); m.Clocks != c.clocks || (m.SkewMS == nil) != (c.want == nil) ||
			c.want != nil && *m.SkewMS != *c.want {
			t.Errorf("%s: %v, %v", name, m.SkewMS, m.Clocks)
		}
	}
}

// TestAnAbortRuleOfOneShardFailsTheRun sets it apart from a shard that was interrupted.
func TestAnAbortRuleOfOneShardFailsTheRun(t *testing.T) {
	s := hundred(t, 3*time.Second)
	for aborted, code := range map[string]int{"errors>20% for 10s": 1, "": 3} {
		ended := clocked(t, s, 1, 2, false, 1000, 2000)
		ended.Info.Partial, ended.Info.Aborted, ended.reading.end.Run.Partial = true, aborted, true
		run, _ := joined(t, s, clocked(t, s, 0, 2, false, 1000, 2000, 3000), ended)
		if ExitCode(run) != code || !run.Run.Partial || !strings.Contains(run.Reason, "shard 1") {
			t.Errorf("%q: exit code %d, %s", aborted, ExitCode(run), run.Reason)
		}
	}
}

// TestMergedExchangesAreBounded keeps as many of each class as one process does, and the earliest.
func TestMergedExchangesAreBounded(t *testing.T) {
	s := hundred(t, 3*time.Second)
	var shards []*ShardRecord
	for i := range 3 {
		shard := clocked(t, s, i, 3, false, 1000, 2000, 3000)
		var text strings.Builder
		for n := range keptEach {
			fmt.Fprintf(&text, `{"k":%d,"class":"timeout","at":"2026-05-01T12:00:%02dZ","request_header":[]}`+"\n",
				3*n+i, 10*(2-i)+n/10)
		}
		text.WriteString(`{"k":1,"class":"no such class"}` + "\n" + `{"k":2,"cla`)
		if err := os.WriteFile(filepath.Join(shard.Dir, ExchangesName), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		shards = append(shards, shard)
	}
	run, dir := joined(t, s, shards...)
	kept, err := readExchanges(dir)
	if err != nil || len(kept) != keptEach {
		t.Fatalf("%d kept, %v", len(kept), err)
	}
	for _, x := range kept {
		if x.K%3 != 2 {
			t.Errorf("request %d of another shard came later and was kept", x.K)
		}
	}
	if !strings.Contains(strings.Join(run.Notes, "\n"), "more in the folders of the shards") {
		t.Error(run.Notes)
	}
}
