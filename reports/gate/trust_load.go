package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/recorded"
)

// rounded is by how much a figure of run.json may differ from what was measured, in percent.
const rounded = 0.1

// shard says which part of a load run this is; empty: the whole.
func (r *Run) shard() string {
	if info := r.Load.Run; r.Kind == recorded.OfLoad && info.Shards > 1 && !info.Merged {
		return fmt.Sprintf("shard %d of %d", info.Shard, info.Shards)
	}
	return ""
}

// passes reports whether a load run or a search passed. An error means that its verdict is none.
func passes(v results.Verdict) (bool, error) {
	if v == results.Pass || v == results.Fail || v == results.Inconclusive {
		return v == results.Pass, nil
	}
	return false, fmt.Errorf("verdict: expected pass, fail or inconclusive, found %s", cited(string(v)))
}

// loadAgrees compares the verdict of a load run with the figures that it follows from.
func loadAgrees(run results.Run) error {
	if passed, err := passes(run.Verdict); err != nil || !passed {
		return err
	}
	switch q := run.Requests; {
	case q.Sent <= 0:
		return fmt.Errorf("verdict: expected fail or inconclusive, as requests.sent is %d, found pass", q.Sent)
	case threshold.Numbers{Classes: q.Classes()}.Sent() > q.Sent:
		return fmt.Errorf("requests.sent: expected at least as many as there are answers, found %d", q.Sent)
	case !q.Worked():
		n, of := q.Usable()
		return fmt.Errorf("verdict: expected fail or inconclusive, as only %d of %d requests "+
			"got a usable answer, found pass", n, of)
	case !run.Generator.Reliable:
		return errors.New("verdict: expected fail or inconclusive, as generator.reliable is false, found pass")
	}
	for _, t := range run.Thresholds {
		if !t.OK {
			return fmt.Errorf("verdict: expected fail or inconclusive, as the threshold %s does not hold, found pass",
				cited(t.Expr))
		}
		parsed, err := threshold.Parse(t.Expr)
		if err != nil {
			return fmt.Errorf("thresholds: expected one such as p99<300ms, found %s", cited(t.Expr))
		}
		if _, known := figure(parsed); !known || parsed.Bind(stages(run)) != nil {
			continue // run.json does not hold the figure, or not of that stage
		}
		again := parsed.Judge(snapshots(run))
		if off, known := again.Off(); known && math.Abs(off) < rounded {
			continue
		}
		if !again.OK && again.Observed != threshold.NoData {
			return fmt.Errorf("thresholds: expected that %s does not hold, as its figures say %s, found that it does",
				cited(t.Expr), again.Observed)
		}
	}
	return nil
}

// trustCapacity finds what a search says otherwise than its probes do.
func (r *Run) trustCapacity() error {
	run := r.Capacity
	if passed, err := passes(run.Verdict); err != nil || !passed {
		return err
	}
	if run.Capacity.Rate <= 0 {
		return fmt.Errorf("verdict: expected fail or inconclusive, as capacity.rate is %g, found pass", run.Capacity.Rate)
	}
	probes := make([]capacity.Run, len(run.Probes))
	for i, p := range run.Probes {
		probes[i] = p.Run
		if err := r.probe(p.Run); err != nil {
			return err
		}
	}
	if again := capacity.Summarise(probes, ""); again.Rate != run.Capacity.Rate {
		return fmt.Errorf("capacity.rate: expected %g, the highest at which its probes held, found %g",
			again.Rate, run.Capacity.Rate)
	}
	return nil
}

// probe compares what a search says of one of its runs with that run, where it is there.
func (r *Run) probe(p capacity.Run) error {
	dir := filepath.Join(r.Dir, capacity.Name(p.Number))
	if _, err := os.Stat(filepath.Join(dir, runfolder.IntervalsName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	made, err := results.Read(dir)
	if err != nil {
		return fmt.Errorf("its probe %d cannot be read as the record of a run: %w", p.Number, err)
	}
	if again := capacity.OutcomeOf(made); again.Holds != p.Outcome.Holds {
		return fmt.Errorf("probes[%d].outcome.holds: expected %v, which the record in %s comes to, found %v",
			p.Number-1, again.Holds, capacity.Name(p.Number), p.Outcome.Holds)
	}
	return nil
}
