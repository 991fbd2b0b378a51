package results

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/must"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/threshold"
)

// testdata/recorded is a run of some seconds as an earlier version recorded it, with what that version made of it.
func TestARecordOfAnEarlierVersionGivesTheSameRun(t *testing.T) {
	dir := filepath.Join("testdata", "recorded")
	run := must.Get(Read(dir))(t)
	var got, want any
	must.Succeed(t, json.Unmarshal(must.Get(run.JSON())(t), &got))
	must.Succeed(t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join(dir, runfolder.RunName)))(t), &want))
	alike(t, "run.json", got, want)
	if run.Verdict != Pass || run.Requests.Accepted < 500 || len(run.Stages) != 2 || run.Files == nil || run.Files.Ready < 50 {
		t.Errorf("%s, %+v in %d stages, files %+v", run.Verdict, run.Requests, len(run.Stages), run.Files)
	}
	n := 0
	must.Succeed(t, Intervals(dir, func(i *Interval) { n += int(i.Of(threshold.Service).Count()) }))
	if n != int(run.Requests.Sent) {
		t.Errorf("%d of %d requests in intervals", n, run.Requests.Sent)
	}
}

// alike compares JSON, figures within 1 %. What a threshold observed is a figure in a text, and left out: whether it held
// is there beside it.
func alike(t *testing.T, at string, got, want any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for key, inner := range w {
			alike(t, at+"."+key, g[key], inner)
		}
		if len(g) != len(w) {
			t.Errorf("%s: %d keys, not %d", at, len(g), len(w))
		}
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			t.Fatalf("%s: %d of %d", at, len(g), len(w))
		}
		for i, inner := range w {
			alike(t, at, g[i], inner)
		}
	case float64:
		if g, _ := got.(float64); math.Abs(g-w) > math.Abs(w)/100 {
			t.Errorf("%s: %v, recorded as %v", at, got, want)
		}
	case string:
		if g, _ := got.(string); !strings.HasSuffix(at, "observed") && g != w {
			t.Errorf("%s: %q, recorded as %q", at, got, want)
		}
	default:
		if got != want {
			t.Errorf("%s: %v, recorded as %v", at, got, want)
		}
	}
}
