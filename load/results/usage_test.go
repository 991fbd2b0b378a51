package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
)

func TestTheLimitOfAContainerIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cpu.stat")
	if got := throttled(path); got != 0 {
		t.Errorf("without a control group: %s", got)
	}
	must.Succeed(t, os.WriteFile(path, []byte("usage_usec 5\nnr_throttled 3\nthrottled_usec 1900000\nnr_bursts 0\n"), 0o600))
	if got := throttled(path); got != 1900*time.Millisecond {
		t.Error(got)
	}
}

// What a machine lacks is said also where it did no harm, but not twice.
func TestWhatTheGeneratorLackedIsRemarked(t *testing.T) {
	for ms, reason := range map[float64]string{
		0: "", 400: "",
		1900: "the generator was short of CPU time; the CPU limit of its container held the generator back for 1.9 s in all: raise the limit, try --engine direct",
	} {
		total := &totals{head: header{CPUs: 2, LagLimit: lagLimit, Duration: 10 * time.Second}}
		total.add(&Interval{N: 1, To: 10 * time.Second, Throttled: ms})
		run := total.assemble(Info{}, nil)
		remarked := len(run.Remarks()) == 1
		if g := run.Generator; !strings.HasPrefix(g.Reason, reason) || g.Reliable != (reason == "") || remarked != (ms == 400) {
			t.Errorf("%g ms: %+v, %v", ms, g, run.Remarks())
		}
	}
}
