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

// Rebuild makes a run out of its journal. A journal that was cut off, with a torn last line or a tail of zero bytes,
// gives what it holds and is marked partial, as is one with unreadable lines in between. The error says why nothing
// can be rebuilt: the first line, which names the run and its rules, is missing or of another kind.
func Rebuild(r io.Reader) (Run, error) {
	b := rebuilder{ids: map[string]bool{}, created: map[string]int{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for b.read < mostLines && lines.Scan() {
		b.line(bytes.Trim(lines.Bytes(), "\x00 \t\r"))
	}
	if err := lines.Err(); err != nil || b.read >= mostLines {
		b.notes = append(b.notes, fmt.Sprintf("the journal could not be read to its end: %v", cmp.Or(err, errTooLong)))
		b.damaged++
	}
	switch {
	case b.refused != nil:
		return Run{}, b.refused
	case !b.begun:
		return Run{}, errors.New(
			"the journal has no readable first line, which names the run and its rules: nothing can be rebuilt from it")
	}
	return b.run(), nil
}

var errTooLong = fmt.Errorf("it has more than %d lines", mostLines)

type rebuilder struct {
	found    Found
	notes    []string
	begun    bool
	ended    bool
	lines    int // read well, without the end
	read     int // lines and IDs in them
	damaged  int
	seq      int // highest number of an exchange seen
	retries  int
	last     time.Time
	ids      map[string]bool // of what was created
	created  map[string]int  // by kind
	refused  error
	finished Info
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
	b.read += len(l.IDs)
	if l.At.After(b.last) {
		b.last = l.At
	}
	if l.Type != lineEnd {
		b.lines++
	}
	switch l.Type {
	case lineRun:
		b.begin(l)
	case lineCheck:
		if l.Check != nil {
			b.found.Checks = append(b.found.Checks, *l.Check)
			b.saw(l.Check.Exchanges...)
		}
	case lineCreated:
		for _, id := range l.IDs {
			if id = l.Kind + " " + id; !b.ids[id] {
				b.ids[id] = true
				b.created[l.Kind]++
			}
		}
	case lineObservation:
		if l.Observation != nil {
			b.found.Observations = append(b.found.Observations, *l.Observation)
			b.saw(l.Observation.Exchanges...)
		}
	case lineExchange:
		if l.Exchange != nil {
			b.saw(l.Exchange.Seq)
			if l.Exchange.Attempt > 1 {
				b.retries++
			}
		}
	case lineNote:
		b.found.Notes = append(b.found.Notes, l.Note)
	case lineEnd:
		if l.Run != nil {
			b.ended, b.finished = true, *l.Run
			if l.Lines > b.lines {
				b.damaged = max(b.damaged, l.Lines-b.lines)
			}
		}
	}
}

func (b *rebuilder) begin(l line) {
	if b.begun {
		b.damaged++
		return
	}
	if l.Schema != Schema {
		b.refused = fmt.Errorf("the journal is of schema %q, this version reads %q", l.Schema, Schema)
		return
	}
	if l.Run == nil {
		b.damaged++
		return
	}
	b.begun = true
	b.found.Info, b.found.Catalogue = *l.Run, l.Rules
	for _, w := range l.Waivers {
		until, err := time.Parse(day, w.Until)
		if err != nil {
			until = time.Time{} // a waiver without a day never holds
		}
		b.found.Waivers = append(b.found.Waivers, deployment.Waiver{Rule: w.Rule, Reason: w.Reason, Until: until})
	}
}

func (b *rebuilder) saw(exchanges ...int) {
	for _, n := range exchanges {
		b.seq = max(b.seq, n)
	}
}

func (b *rebuilder) run() Run {
	InOrder(b.found.Checks)
	info := &b.found.Info
	if b.ended {
		*info = b.finished
	} else {
		info.Partial = true
		info.FinishedAt = b.last
		info.Requests = max(info.Requests, b.seq)
		info.Retries = max(info.Retries, b.retries)
		info.Created.LegalRepresentatives = max(info.Created.LegalRepresentatives, b.created[CreatedRepresentatives])
		info.Created.Exports = max(info.Created.Exports, b.created[CreatedExports])
		if len(b.found.Observations) == 0 { // a run notes them at its end
			b.found.Observations = Observations(b.found.Checks, b.found.Catalogue)
		}
		b.notes = append(b.notes, "rebuilt from a journal that has no end: the run was cut off")
	}
	if b.damaged > 0 {
		info.Partial = true
		b.notes = append(b.notes, fmt.Sprintf("missing or unreadable in the journal: %s", printable.Quantity(b.damaged, "line")))
	}
	b.found.Notes = append(b.found.Notes, b.notes...)
	return Assemble(b.found)
}
