package gate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// GateRun is a recorded run that could be read and keeps to its schema.
type GateRun struct {
	recorded.Run
	recorded.RunHead
}

// openRun reads a run, and checks that it ended and keeps to its schema.
func openRun(path string) (GateRun, error) {
	run, err := recorded.Open(path)
	if err != nil {
		return GateRun{}, fmt.Errorf("expected a recorded run, found none: %w", err)
	}
	r := GateRun{run, run.Head()}
	if err = run.Rebuilt; errors.Is(err, fs.ErrNotExist) {
		return GateRun{}, fmt.Errorf("expected %s, found what the run recorded as it went alone: it "+
			"did not end: run it again", runfolder.RunName)
	}
	if err = cmp.Or(err, r.checkIntegrity()); err != nil {
		return GateRun{}, fmt.Errorf("expected a run, found a damaged %s: %w", runfolder.RunName, err)
	}
	return r, nil
}

// checkIntegrity finds what no run that gateassay wrote lacks or holds. Whether somebody made
// another run.json shows in a hash of it that is kept elsewhere.
func (r *GateRun) checkIntegrity() error {
	verdicts := []string{
		string(results.VerdictPass),
		string(results.VerdictFail),
		string(results.VerdictInconclusive),
	}
	if r.Kind == recorded.KindConformance {
		verdicts = []string{
			string(record.RunConformant),
			string(record.RunSelectionPassed),
			string(record.RunViolations),
			string(record.RunPartlyVerified),
			string(record.RunNoVerdict),
		}
	}
	switch {
	case r.ID == "":
		return errors.New("run.id: expected the ID of the run, found nothing")
	case r.Deployment == "":
		return errors.New("run.deployment: expected the name of a deployment, found nothing")
	case r.Started.IsZero() || r.Finished.Before(r.Started):
		return errors.New("run.finished_at: expected a time after run.started_at, found none")
	case !slices.Contains(verdicts, r.Verdict):
		return fmt.Errorf("verdict: expected %s, found %s", strings.Join(verdicts, " or "),
			quoteText(r.Verdict))
	case r.Kind == recorded.KindLoad && r.Verdict == string(results.VerdictPass) && r.Load.Requests.Sent <= 0:
		return errors.New("verdict: expected fail or inconclusive, as requests.sent is 0, found pass")
	}
	return nil
}

// shardText says which part of a load run this is; empty: the whole.
func (r *GateRun) shardText() string {
	if info := r.Load.Run; r.Kind == recorded.KindLoad && info.Shards > 1 && !info.Merged {
		return fmt.Sprintf("shard %d of %d", info.Shard, info.Shards)
	}
	return ""
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// quoteText shows a text of a run within a message.
func quoteText(s string) string { return strconv.Quote(printable.Truncate(printable.Clean(s), 80)) }
