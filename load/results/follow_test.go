package results_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
)

// TestFollowersAddUpToTheMerge writes the records of two shards line by line, some lines in two parts, and looks after
// each.
func TestFollowersAddUpToTheMerge(t *testing.T) {
	s := twoStages(t)
	var dirs []string
	var rest [][]byte
	var shards []*results.Follower
	for i := range 2 {
		dir := shardOf(t, s, i, 2, nil)
		dirs, rest = append(dirs, dir), append(rest, read(t, dir, runfolder.IntervalsName))
		shards = append(shards, &results.Follower{Dir: t.TempDir()})
	}
	sending := func(f *results.Follower) bool { return !f.Ended() }
	if _, some := results.Sum(shards, sending); some {
		t.Error("something was recorded before anything was")
	}
	highest, sent := 0.0, int64(0)
	for len(rest[0])+len(rest[1]) > 0 {
		for i, f := range shards {
			if len(rest[i]) == 0 {
				continue
			}
			n := min(bytes.IndexByte(rest[i], '\n')+1+7, len(rest[i])) // and the beginning of the next line
			file, err := os.OpenFile(filepath.Join(f.Dir, runfolder.IntervalsName),
				os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Write(rest[i][:n]); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			rest[i] = rest[i][n:]
			if _, err := f.Read(); err != nil {
				t.Fatal(err)
			}
		}
		status, _ := results.Sum(shards, sending)
		if status.Sent < sent {
			t.Errorf("%d requests were sent, then %d", sent, status.Sent)
		}
		highest, sent = max(highest, status.Target), status.Sent
	}
	whole, _ := together(t, s, 2, dirs...)
	status, some := results.Sum(shards, func(*results.Follower) bool { return true })
	if !some || !shards[0].Ended() || status.Sent != whole.Requests.Sent || status.K != whole.Requests.Scheduled ||
		status.Classes[judge.Accepted] != whole.Requests.Accepted {
		t.Errorf("%+v, of a run with %+v", status, whole.Requests)
	}
	if status.Response.P99 <= 0 || highest < 1500 || highest > 2500 { // 4,000 requests in 2 s
		t.Errorf("p99 %g ms, at most %g/s meant", status.Response.P99, highest)
	}
}
