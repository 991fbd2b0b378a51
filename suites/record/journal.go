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
	lineTypeRun      = "run"           // first: what is run, with the selected rules and the waivers
	lineTypeCheck    = "check"         // a check ended
	lineTypeExchange = "exchange_note" // a request was answered, or was not
	lineTypeEnd      = "end"           // last: the final figures
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

// ExchangeNote is the trace of one exchange in the journal: enough to count requests, retries and
// what they created.
type ExchangeNote struct {
	Seq       int              `json:"seq"`
	Label     string           `json:"label,omitempty"`
	Operation client.Operation `json:"operation,omitempty"`
	Attempt   int              `json:"attempt,omitempty"`
	Status    int              `json:"status"`            // 0: no answer
	Error     string           `json:"error,omitempty"`   // why there is none
	Created   string           `json:"created,omitempty"` // ID of what the deployment created
	ServiceMS int64            `json:"service_ms"`
}

// Journal appends to journal.ndjson as a run goes. All methods may be called from several
// goroutines and on a nil Journal.
type Journal struct{ lines *runfolder.LineFile }

// OpenJournal creates dir/journal.ndjson, readable by its owner only, and writes its first line. It
// refuses a folder that holds a journal already.
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
		_ = j.Close() // of a file that cannot be written to
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

// WriteCheck records the end of a check; its Rule must be set, and its CaseNumber for ReadJournal
// to know its place.
func (j *Journal) WriteCheck(c CheckResult) {
	_ = j.appendLine(journalLine{Type: lineTypeCheck, Check: &c})
}

// WriteExchange records that a request was sent and what became of it.
func (j *Journal) WriteExchange(x ExchangeNote) {
	_ = j.appendLine(journalLine{Type: lineTypeExchange, Exchange: &x})
}

// WriteEnd writes the last line with the final figures and what a reader must know. Whether the run
// was interrupted is info.Partial.
func (j *Journal) WriteEnd(info RunInfo, notes []string) {
	_ = j.appendLine(journalLine{Type: lineTypeEnd, Run: &info, Notes: notes})
}

// Close ends the file and returns the first error of the journal's life. It must be called once,
// after the last line.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.lines.Close()
}
