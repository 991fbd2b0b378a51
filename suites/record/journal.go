package record

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/runfolder"
)

// Types of journal lines.
const (
	lineTypeRun      = "run"           // first line: the run, the selected rules and the waivers
	lineTypeCheck    = "check"         // an ended check
	lineTypeExchange = "exchange_note" // a request, answered or not
	lineTypeEnd      = "end"           // last line: the final figures
)

// journalLine is one line of the journal.
type journalLine struct {
	Type     string        `json:"type"`
	At       time.Time     `json:"at"`
	Schema   string        `json:"schema,omitempty"`
	Run      *RunInfo      `json:"run,omitempty"`
	Rules    []rules.Rule  `json:"rules,omitempty"`
	Waivers  []Waiver      `json:"waivers,omitempty"`
	Check    *CheckResult  `json:"check,omitempty"`
	Exchange *ExchangeNote `json:"exchange,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
}

// ExchangeNote is the entry of one exchange in the journal. It is enough to count requests,
// retries and created records.
type ExchangeNote struct {
	Seq       int              `json:"seq"`
	Label     string           `json:"label,omitempty"`
	Operation client.Operation `json:"operation,omitempty"`
	Attempt   int              `json:"attempt,omitempty"`
	Status    int              `json:"status"`            // 0: no answer
	Error     string           `json:"error,omitempty"`   // why there was no answer
	Created   string           `json:"created,omitempty"` // ID of the created record or file
	ServiceMS int64            `json:"service_ms"`
}

// Journal appends lines to journal.ndjson during a run. Its methods are safe for concurrent use
// and may be called on a nil Journal.
type Journal struct{ lines *runfolder.LineFile }

// OpenJournal creates dir/journal.ndjson, readable by its owner only, and writes the first line.
// It fails if the folder already has a journal.
func OpenJournal(
	dir string, info RunInfo, selected []rules.Rule, waivers []deployment.Waiver,
) (*Journal, error) {
	j := &Journal{runfolder.NewLineFile(dir, runfolder.JournalName)}
	first := journalLine{Type: lineTypeRun, Schema: Schema, Run: &info, Rules: selected}
	for _, w := range waivers {
		first.Waivers = append(first.Waivers, newWaiver(w))
	}
	switch err := j.appendLine(first); {
	case errors.Is(err, fs.ErrExist):
		return nil, runfolder.ExistsError(dir, runfolder.JournalName)
	case err != nil:
		_ = j.Close() // the write error is returned
		return nil, fmt.Errorf("cannot start the journal: %w; choose another folder with --out", err)
	}
	return j, nil
}

func (j *Journal) appendLine(l journalLine) error {
	if j == nil {
		return nil
	}
	l.At = time.Now().UTC()
	return j.lines.Write(l)
}

// WriteCheck records an ended check. Its Rule must be set, and its CaseNumber if ReadJournal is to
// know its position.
func (j *Journal) WriteCheck(c CheckResult) {
	_ = j.appendLine(journalLine{Type: lineTypeCheck, Check: &c})
}

// WriteExchange records a request and its outcome.
func (j *Journal) WriteExchange(x ExchangeNote) {
	_ = j.appendLine(journalLine{Type: lineTypeExchange, Exchange: &x})
}

// WriteEnd writes the last line: the final figures and the notes for a reader. info.Partial says
// whether the run was interrupted.
func (j *Journal) WriteEnd(info RunInfo, notes []string) {
	_ = j.appendLine(journalLine{Type: lineTypeEnd, Run: &info, Notes: notes})
}

// Close closes the file and returns the first error of any write. It must be called once, after
// the last line.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.lines.Close()
}
