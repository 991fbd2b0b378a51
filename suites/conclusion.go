package suites

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// conclude judges the rules, closes the record and writes the reports. Unjudged cases are recorded
// as interrupted, or as inconclusive if the run was given up.
func (s *session) conclude() RunResult {
	verdict, why, dead := record.VerdictNotVerified, spec.ErrInterrupted, s.abortReason()
	if dead != nil {
		verdict, why = record.VerdictInconclusive, dead
	} else if s.succeeded {
		why = errors.New("its spec was skipped")
	}
	if _, ended := errors.AsType[tooManyViolations](dead); ended {
		verdict = record.VerdictNotVerified
	}
	left := s.recordUnjudged(verdict, why.Error())
	s.info.Partial = left > 0 && dead == nil && !s.succeeded
	stats := s.client.Stats()
	s.client.Close() // frees file descriptors for the files that follow
	s.info.Requests, s.info.Retries = stats.Sent, stats.Retries
	s.info.InFlight, s.info.PeakFlight = s.client.InFlightLimit(), stats.PeakInFlight
	s.info.Created = record.CreatedCounts{LegalRepresentatives: stats.Created, Exports: stats.Exports}
	s.info.FinishedAt = time.Now().UTC()
	found := record.UnjudgedRun{
		Info: s.info, Catalogue: s.selected, Checks: s.checks, Notes: s.notesForReader(stats, left),
		Waivers: s.waiversInScope(),
	}
	s.journal.WriteEnd(s.info, found.Notes)
	result := RunResult{
		Run:           record.Assemble(found),
		Folder:        s.folder,
		Obstacle:      s.startObstacle(),
		HarnessErrors: s.harnessErrors(),
	}
	if s.folder != "" {
		s.keepError(s.journal.Close())
		s.keepError(s.har.Close())
		s.keepError(s.writeScripts(result.Run.Rules))
		data, err := result.Run.JSON()
		if err == nil {
			err = runfolder.WriteAtomic(s.folder, runfolder.RunName, data)
		}
		s.keepError(err)
		if s.options.Render != nil {
			s.keepError(s.options.Render(s.folder))
		}
	}
	result.Errors = s.errors
	return result
}

// scriptsFolder is the folder of the run that holds the scripts of its findings.
const scriptsFolder = "repeat"

// writeScripts writes a script for each failed rule that repeats its decisive check.
func (s *session) writeScripts(list []record.RuleResult) error {
	var errs []error
	for i, r := range list {
		c, judged := record.DecisiveCheck(r)
		script, repeatable := s.scripts[[2]string{r.ID, c.Name}]
		if !judged || !repeatable || c.Verdict != record.VerdictFail {
			continue
		}
		folder := filepath.Join(s.folder, scriptsFolder)
		err := os.MkdirAll(folder, 0o700)
		if err == nil {
			file := filepath.Join(folder, r.ID+".sh")
			err = os.WriteFile(file, []byte(script.Text()), 0o700) // executable
		}
		errs = append(errs, err)
		if err == nil {
			list[i].Script = scriptsFolder + "/" + r.ID + ".sh"
		}
	}
	return errors.Join(errs...)
}

// notesForReader returns what a reader of the run must know.
func (s *session) notesForReader(stats client.Stats, left int) []string {
	var notes []string
	if o := s.startObstacle(); o != nil {
		notes = append(notes, "the run ended before its tests began: "+o.Cause+"; next: "+o.NextStep)
	}
	if ended, is := errors.AsType[tooManyViolations](s.abortReason()); is && left > 0 {
		notes = append(notes,
			fmt.Sprintf("%s, with %s left: rules that it did not reach are not verified", ended,
				printable.Quantity(left, "check")))
	}
	if n := stats.Throttled - stats.Postponed; n > 0 {
		notes = append(notes,
			fmt.Sprintf("the deployment throttled %s; the run waited %s in all and slowed down",
				printable.Quantity(n, "request"), stats.Waited.Round(time.Millisecond)))
	}
	if stats.Postponed > 0 {
		notes = append(notes, fmt.Sprintf("the deployment refused %s, perhaps as it worked on others; the run "+
			"slowed down and sent them again", printable.Quantity(stats.Postponed, "export")))
	}
	if spelling := s.target.CreationSpelling.Load().String(); spelling != "" {
		notes = append(notes,
			"a plain creation was refused; the run therefore sent creations with: "+spelling)
	}
	if spelling := s.target.ExportSpelling.Load().String(); spelling != "" {
		notes = append(notes,
			"a plain export was refused; the run therefore sent exports with: "+spelling)
	}
	notes = append(notes, s.lab.ExcludedOptions()...)
	for _, fault := range s.harnessErrors() {
		notes = append(notes, "harness defect: "+strings.SplitN(fault, "\n", 2)[0])
	}
	return notes
}

// recordUnjudged records the verdict for the cases without a result and returns their number.
func (s *session) recordUnjudged(verdict record.Verdict, why string) int {
	left, ended := 0, s.startObstacle() != nil
	for _, k := range s.plan.Cases() {
		if s.plan.CaseResult(k) != nil {
			continue
		}
		left++
		c := record.CheckResult{
			Rule:       k.Rule.ID,
			CaseNumber: k.Number,
			Name:       k.Text,
			Verdict:    verdict,
			Message:    why,
			Exchanges:  []int{},
		}
		if need := spec.NotVerifiedReason(s.target.MissingSettings(k.Rule.Rule)); ended && need != nil {
			c.Verdict, c.Message, c.MissingKey, c.KeyIsGiven = record.VerdictNotVerified,
				need.Error(), need.Key, need.Text != ""
		}
		s.checks = append(s.checks, c)
		s.journal.WriteCheck(c)
	}
	return left
}
