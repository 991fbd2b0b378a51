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
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
)

const (
	longestLine = 32 << 20 // bytes
	mostLines   = 100_000  // and IDs in them; a run of 1,500 requests writes a few thousand
)

// LoadJournal rebuilds a run from a file.
func LoadJournal(path string) (Run, error) {
	file, err := runfolder.Open(path, runfolder.LargestStream)
	if err != nil {
		return Run{}, fmt.Errorf("cannot read the journal: %w", err)
	}
	defer file.Close()
	run, err := Rebuild(file)
	if err != nil {
		return Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

// Rebuild makes a run out of its journal. A journal that was cut off, with a torn last line or a tail of zero bytes,
// gives what it holds and is marked partial, as is one with unreadable lines in between. The error says why nothing
// can be rebuilt: the first line, which names the run and its rules, is missing or of another kind.
func Rebuild(r io.Reader) (Run, error) {
	b := rebuilder{created: map[string]string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for b.read < mostLines && lines.Scan() {
		b.line(bytes.Trim(lines.Bytes(), "\x00 \t\r"))
	}
	info, notes := &b.found.Info, &b.found.Notes
	switch {
	case b.refused != nil:
		return Run{}, b.refused
	case !b.begun:
		return Run{}, errors.New(
			"the journal has no readable first line, which names the run and its rules: nothing can be rebuilt from it")
	case b.end != nil:
		*info = *b.end
	default:
		info.Partial, info.FinishedAt = true, b.last
		info.Requests, info.Retries = max(info.Requests, b.seq), max(info.Retries, b.retries)
		for _, kind := range b.created {
			if kind == CreatedExports {
				info.Created.Exports++
			} else {
				info.Created.LegalRepresentatives++
			}
		}
		*notes = append(*notes, "rebuilt from a journal that has no end: the run was cut off")
	}
	if err := lines.Err(); err != nil || b.read >= mostLines {
		info.Partial = true
		*notes = append(*notes, fmt.Sprintf("the journal could not be read to its end: %v", cmp.Or(err, errTooLong)))
	}
	if b.damaged > 0 {
		info.Partial = true
		*notes = append(*notes, "unreadable in the journal: "+printable.Quantity(b.damaged, "line"))
	}
	InOrder(b.found.Checks)
	return Assemble(b.found), nil
}

var errTooLong = fmt.Errorf("it has more than %d lines", mostLines)

type rebuilder struct {
	found   Found
	begun   bool
	refused error
	end     *Info
	read    int // lines and IDs in them
	damaged int
	seq     int // highest number of an exchange seen
	retries int
	last    time.Time
	created map[string]string // kinds by ID
}

func (b *rebuilder) line(raw []byte) {
	b.read++
	if len(raw) == 0 {
		return
	}
	var l line
	if runfolder.Bounded(raw) != nil || json.Unmarshal(raw, &l) != nil || l.Type == "" {
		b.damaged++
		return
	}
	if b.read += len(l.IDs); l.At.After(b.last) {
		b.last = l.At
	}
	switch {
	case l.Type == lineRun && !b.begun && l.Run != nil:
		b.begin(l)
	case l.Type == lineRun:
		b.damaged++
	case l.Type == lineCheck && l.Check != nil:
		b.found.Checks = append(b.found.Checks, *l.Check)
	case l.Type == lineCreated:
		for _, id := range l.IDs {
			b.created[id] = l.Kind
		}
	case l.Type == lineExchange && l.Exchange != nil:
		if b.seq = max(b.seq, l.Exchange.Seq); l.Exchange.Attempt > 1 {
			b.retries++
		}
	case l.Type == lineNote:
		b.found.Notes = append(b.found.Notes, l.Note)
	case l.Type == lineEnd:
		b.end = l.Run
	}
}

func (b *rebuilder) begin(l line) {
	if l.Schema != Schema {
		b.refused = fmt.Errorf("the journal is of schema %q, this version reads %q", l.Schema, Schema)
		return
	}
	b.begun = true
	b.found.Info, b.found.Catalogue = *l.Run, l.Rules
	for _, w := range l.Waivers {
		until, _ := time.Parse(day, w.Until) // a waiver without a day never holds
		b.found.Waivers = append(b.found.Waivers, deployment.Waiver{Rule: w.Rule, Reason: w.Reason, Until: until})
	}
}
