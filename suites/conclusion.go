package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/record"
)

// conclude judges the rules, ends the record and makes what follows from it.
func (s *session) conclude() Result {
	stats := s.client.Stats()
	s.info.Requests, s.info.Retries = stats.Sent, stats.Retries
	s.info.InFlight, s.info.PeakFlight = s.client.Limit(), stats.PeakInFlight
	s.info.Created = record.Created{LegalRepresentatives: stats.Created, Exports: stats.Exports}
	s.info.FinishedAt = time.Now().UTC()
	record.InOrder(s.checks)
	found := record.Found{
		Info: s.info, Catalogue: s.selected, Checks: s.checks, Notes: s.notes(stats), Waivers: s.waivers(),
	}
	s.journal.End(s.info, found.Notes)
	result := Result{
		Run: record.Assemble(found), Folder: s.folder, Obstacle: s.obstacle,
		Faults: s.plan.Faults(), LongestChain: s.plan.LongestChain(),
	}
	if s.folder != "" {
		s.remember(s.journal.Close())
		s.remember(s.har.Close())
		data, err := result.Run.JSON()
		if err == nil {
			err = runfolder.WriteAtomic(s.folder, runfolder.RunName, data)
		}
		s.remember(err)
		if s.o.Render != nil {
			s.remember(s.o.Render(s.folder))
		}
	}
	result.Errors = s.errs
	return result
}

// notes says what a reader of the run must know.
func (s *session) notes(stats client.Stats) []string {
	var notes []string
	if s.obstacle != nil {
		notes = append(notes, "the run ended before its tests began: "+s.obstacle.Cause+"; next: "+s.obstacle.Next)
	}
	if stats.Throttled > 0 {
		notes = append(notes, fmt.Sprintf("the deployment throttled %s; the run waited %s in all and slowed down",
			printable.Quantity(stats.Throttled, "request"), stats.Waited.Round(time.Millisecond)))
	}
	if s.target.ProductRequired() {
		notes = append(
			notes, "an export without a product was refused and one with fixtures.product_id accepted: every "+
				"request names it")
	}
	if spelling := s.target.Spelling(); spelling != "" {
		notes = append(notes, "the plain creation was refused; the run sent creations that were accepted, with: "+spelling)
	}
	if spelling := s.target.ExportSpelling().String(); spelling != "" {
		notes = append(notes, "the plain export was refused; the run sent exports that were accepted, with: "+spelling)
	}
	notes = append(notes, s.controls.Dropped()...)
	for _, fault := range s.plan.Faults() {
		notes = append(notes, "harness defect: "+strings.SplitN(fault, "\n", 2)[0])
	}
	return notes
}
