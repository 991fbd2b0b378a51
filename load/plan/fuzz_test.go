package plan

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/schedule"
)

// What is written on the command line of a shard means what its type can hold, or is refused.
func FuzzWords(f *testing.F) {
	for _, s := range []string{
		"0/4", "-1/2", " 3 / 9 ", "99999999999999999999/2", "+30s", "+999999h", "2026-11-23T10:00:00Z", "9999-12-31T23:59:59.9+23:59",
		"5/s", "1e308/h", "1_000", ".5%", "100%", "NaN", "..", "run-1", "a/../b",
	} {
		f.Add(s)
	}
	now := time.Unix(1.8e9, 0)
	f.Fuzz(func(t *testing.T, text string) {
		if shard, shards, err := ParseShard(text); err == nil && (shard < 0 || shard >= shards || shards > maxShards) {
			t.Errorf("%q is shard %d of %d", text, shard, shards)
		}
		if at, relative, err := ParseStart(text, now); err == nil && relative &&
			(!at.After(now) || at.After(now.Add(schedule.MaxDuration))) {
			t.Errorf("%q is %s", text, at)
		}
		if rate, ok := ParseRate(text); ok && (!(rate >= 0) || math.IsInf(rate, 0)) {
			t.Errorf("%q is %g a second", text, rate)
		}
		if share, ok := ParseShare(text); ok && !(share >= 0 && share <= 1) {
			t.Errorf("%q is a share of %g", text, share)
		}
		if CheckRunID(text) == nil && (!filepath.IsLocal(text) || strings.ContainsAny(text, `/\`)) {
			t.Errorf("%q is no name of a file", text)
		}
	})
}

// A plan that a stranger recorded is refused, or is one plan: written again, it has the same hash.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"rate: 5/s\nduration: 10s\n", "rate: 9/s\nduration: 1m\nslo: [p99<1s]\nseed: 7\n"} {
		p, err := Parse("plan.yaml", []byte(s))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.JSON())
	}
	f.Add([]byte(`{"schema":"` + Schema + `","stages":[null]} {}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err != nil {
			return
		}
		if again, err := Decode(p.JSON()); err != nil || again.Hash() != p.Hash() {
			t.Errorf("%s is read as %s, and that: %v", data, p.JSON(), err)
		}
		_, _ = p.Schedule()
	})
}
