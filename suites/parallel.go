package suites

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	// mostExchanges keeps the numbers of the exchanges of several processes apart.
	mostExchanges = 1_000_000
	// partsWithin is how long the first process waits for what the others write when their specs have ended.
	partsWithin = 30 * time.Second
)

// part is the folder of what one process of ginkgo -p finds.
func part(out string, suite types.SuiteConfig) string {
	return partOf(out, suite.ParallelProcess, suite.ParallelTotal)
}

func partOf(out string, process, total int) string {
	if total <= 1 {
		return out
	}
	return filepath.Join(out, fmt.Sprintf("process-%d", process))
}

// join makes one run of what the processes of ginkgo -p recorded, and removes their parts.
func (s *session) join(out string, suite types.SuiteConfig) (Result, error) {
	runs := make([]record.Run, suite.ParallelTotal)
	for i := range runs {
		var err error
		if runs[i], err = awaitPart(partOf(out, i+1, suite.ParallelTotal)); err != nil {
			return Result{}, fmt.Errorf("process %d of %d left no record: %w", i+1, suite.ParallelTotal, err)
		}
	}
	s.selected, s.checks, s.errs = s.plan.Selected(), nil, nil
	info := &s.info
	info.Requests, info.Retries, info.PeakFlight, info.InFlight = 0, 0, 0, 0
	info.Created = record.Created{}
	var notes []string
	for _, run := range runs {
		info.Partial = info.Partial || run.Run.Partial
		info.Requests += run.Run.Requests
		info.Retries += run.Run.Retries
		info.InFlight += run.Run.InFlight
		info.PeakFlight += run.Run.PeakFlight
		info.Created.Exports += run.Run.Created.Exports
		info.Created.LegalRepresentatives += run.Run.Created.LegalRepresentatives
		for _, n := range run.Notes {
			if !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
		for _, r := range run.Rules {
			for _, c := range r.Checks {
				c.Rule = r.ID
				s.checks = append(s.checks, c)
			}
		}
	}
	if err := s.record(out, "ginkgo"); err != nil {
		return Result{}, err
	}
	for i := range runs {
		dir := partOf(out, i+1, suite.ParallelTotal)
		s.remember(s.journal.Include(filepath.Join(dir, runfolder.JournalName)))
		s.remember(s.har.Include(filepath.Join(dir, "exchanges.har")))
	}
	info.Partial = s.leave(record.Inconclusive, errEnded.Error()) > 0 || info.Partial
	result := s.conclude(notes)
	if len(result.Errors) == 0 {
		for i := range runs {
			result.Errors = append(result.Errors, os.RemoveAll(partOf(out, i+1, suite.ParallelTotal)))
		}
		result.Errors = slices.DeleteFunc(result.Errors, func(err error) bool { return err == nil })
	}
	return result, nil
}

// awaitPart reads what a process recorded, once its run.json is there.
func awaitPart(dir string) (record.Run, error) {
	deadline := time.Now().Add(partsWithin)
	for {
		_, err := os.Stat(filepath.Join(dir, runfolder.RunName))
		if err == nil || time.Now().After(deadline) || !errors.Is(err, os.ErrNotExist) {
			return record.Load(dir) // from the journal, where the process did not get as far as run.json
		}
		time.Sleep(50 * time.Millisecond)
	}
}
