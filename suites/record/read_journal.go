package record

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
)

const (
	maxLineBytes = 32 << 20 // bytes of one line
	maxLines     = 100_000  // a run of 1,500 requests writes a few thousand lines
)

// LoadJournal rebuilds a run from the journal at path.
func LoadJournal(path string) (Run, error) {
	file, err := runfolder.OpenBounded(path, runfolder.MaxStreamBytes)
	if err != nil {
		return Run{}, fmt.Errorf("cannot read the journal: %w", err)
	}
	defer file.Close()
	found, err := ReadJournal(file)
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return Assemble(found), nil
}

// ReadJournal returns what a run had collected. A truncated or damaged journal gives its readable
// lines and is marked partial. The error says why nothing can be read: the first line, which names
// the run and its rules, is missing or has another schema.
func ReadJournal(r io.Reader) (f UnjudgedRun, err error) {
	var last time.Time
	var begun, ended bool
	created, read, damaged := map[string]bool{}, 0, 0
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLineBytes)
	for ; read < maxLines && lines.Scan(); read++ {
		text := bytes.Trim(lines.Bytes(), "\x00 \t\r")
		var l journalLine
		switch {
		case len(text) == 0:
		case runfolder.CheckRecordSize(text) != nil || json.Unmarshal(text, &l) != nil || l.Type == "":
			damaged++
		case l.Type == lineTypeRun && l.Run != nil && !begun:
			if l.Schema != Schema {
				return f, fmt.Errorf("the journal is of schema %q, this version reads %q", l.Schema, Schema)
			}
			begun, f.Info, f.Catalogue = true, *l.Run, l.Rules
			for _, w := range l.Waivers {
				until, _ := time.Parse(dateLayout, w.Until) // a waiver without a day has expired
				f.Waivers = append(f.Waivers, deployment.Waiver{Rule: w.Rule, Reason: w.Reason, Until: until})
			}
		case l.Type == lineTypeRun:
			damaged++
		case l.Type == lineTypeCheck && l.Check != nil:
			f.Checks = append(f.Checks, *l.Check)
		case l.Type == lineTypeExchange && l.Exchange != nil && !ended:
			f.Info.addExchange(*l.Exchange, created)
		case l.Type == lineTypeEnd && l.Run != nil:
			f.Info, f.Notes, ended = *l.Run, l.Notes, true
		}
		if l.At.After(last) {
			last = l.At
		}
	}
	if !begun {
		return f, errors.New(
			"the journal has no readable first line, which names the run and its rules: nothing can be " +
				"rebuilt from it",
		)
	}
	if !ended {
		f.Info.Partial, f.Info.FinishedAt = true, last
		f.Notes = append(f.Notes, "rebuilt from a journal that has no end: the run was cut off")
	}
	if err := lines.Err(); err != nil || read >= maxLines {
		f.Info.Partial = true
		f.Notes = append(f.Notes,
			fmt.Sprintf("the journal could not be read to its end: %v", cmp.Or(err, errTooLong)))
	}
	if damaged > 0 {
		f.Info.Partial = true
		f.Notes = append(f.Notes, "unreadable in the journal: "+printable.Quantity(damaged, "line"))
	}
	return f, nil
}

var errTooLong = fmt.Errorf("it has more than %d lines", maxLines)

// addExchange adds an exchange to the figures of a run without an end. created holds the IDs
// counted so far.
func (i *RunInfo) addExchange(x ExchangeNote, created map[string]bool) {
	i.Requests = max(i.Requests, x.Seq)
	if x.Attempt > 1 {
		i.Retries++
	}
	switch {
	case x.Created == "" || created[x.Created]:
	case x.Operation == client.OperationExport:
		i.Created.Exports++
	default:
		i.Created.LegalRepresentatives++
	}
	created[x.Created] = true
}
