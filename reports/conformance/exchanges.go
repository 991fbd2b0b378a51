package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/har"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// Limits, so that arbitrary exchanges fit into memory, and those of any run on a page.
const (
	maxHARBytes          = 192 << 20 // bytes read from the file: a run writes a third of it
	maxKeptBytes         = 64 << 20  // bytes kept of them: a run writes less
	maxIndentedBytes     = 64 << 10  // bytes of a body that is indented
	maxPartRunes         = 4000      // characters of a head or a body
	maxExchangesPerCheck = 6         // exchanges shown with a check
	maxCardBytes         = 1_000_000 // bytes of exchanges shown with findings
	maxBodyBytes         = 1_500_000 // bytes of heads and bodies in the list of all
	maxListedExchanges   = 8_000     // exchanges in that list
)

// HARName is the file in the folder of a run that holds its exchanges.
const HARName = "exchanges.har"

// exchange is a request and its answer without secrets; as JSON the page's script reads it.
type exchange struct {
	Seq       int              `json:"n"`
	At        float64          `json:"at"`     // ms since the first exchange
	Took      float64          `json:"took"`   // ms
	Status    int              `json:"status"` // 0: no answer
	Operation client.Operation `json:"operation"`
	Label     string           `json:"label"`
	Attempt   int              `json:"attempt"`
	// method and URL, then head and body of the request and of the answer; nil: no room
	Parts   []string `json:"parts"`
	started time.Time
}

// exchangeArchive holds the exchanges of a run in the order of their start.
type exchangeArchive struct {
	all []*exchange
	at  map[int]*exchange
}

// readExchanges reads the readable exchanges of a run, also after a crash.
func readExchanges(dir string) (exchangeArchive, error) {
	file, err := runfolder.OpenBounded(filepath.Join(dir, HARName), maxHARBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return exchangeArchive{}, nil
	}
	if err != nil {
		return exchangeArchive{}, fmt.Errorf("cannot read the exchanges: %w", err)
	}
	defer file.Close()
	return readHAR(file), nil
}

func readHAR(r io.Reader) exchangeArchive {
	a, kept := exchangeArchive{at: map[int]*exchange{}}, 0
	har.Read(r, func(e *har.Entry) {
		x := &exchange{
			Seq: e.Seq, Attempt: e.Attempt, Label: printable.Clip(e.Label, 200),
			Operation: e.Operation,
			Status:    e.Response.Status,
			Took: roundedMilliseconds(
				time.Duration((e.Timings.Send + e.Timings.Wait + e.Timings.Receive) * 1e6)),
		}
		head, body := e.Response.Headers.String(), indentJSON(e.ResponseBody())
		if e.Trouble != "" {
			x.Status, head = 0, e.Trouble
		}
		if e.Comment != "" {
			body += "\n[" + e.Comment + "]"
		}
		for _, part := range []string{
			e.Request.Method + " " + e.Request.URL, e.Request.Headers.String(), indentJSON(e.RequestBody()),
			head, body,
		} {
			x.Parts = append(x.Parts, printable.CleanLines(printable.Truncate(part, maxPartRunes)))
			kept += len(part)
		}
		if x.started, _ = time.Parse(time.RFC3339Nano, e.Started); x.started.IsZero() ||
			kept > maxKeptBytes {
			return
		}
		a.all, a.at[x.Seq] = append(a.all, x), x
	})
	slices.SortFunc(a.all, func(x, y *exchange) int {
		return cmp.Or(x.started.Compare(y.started), cmp.Compare(x.Seq, y.Seq))
	})
	for _, x := range a.all {
		x.At = roundedMilliseconds(x.started.Sub(a.all[0].started))
	}
	return a
}

// roundedMilliseconds returns a duration in milliseconds with three decimals.
func roundedMilliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / 1e6
}

// indentJSON indents JSON and keeps the order of members. It returns other texts unchanged.
func indentJSON(s string) string {
	var out bytes.Buffer
	if len(s) > maxIndentedBytes || !redact.IsShallowJSON([]byte(s)) ||
		json.Indent(&out, []byte(strings.TrimSpace(s)), "", "  ") != nil {
		return s // the indentation of deep nesting would be larger than the text
	}
	return out.String()
}

// exchangeList is the list of all exchanges for the page's script.
type exchangeList struct {
	Rows []exchange `json:"rows"`
	Left int        `json:"left"` // exchanges without a row
}

func (a exchangeArchive) listed() exchangeList {
	list, bodies := exchangeList{Left: max(0, len(a.all)-maxListedExchanges)}, 0
	for _, x := range a.all[:len(a.all)-list.Left] {
		row := *x
		if bodies += len(strings.Join(x.Parts, "")); bodies > maxBodyBytes {
			row.Parts = nil
		}
		list.Rows = append(list.Rows, row)
	}
	return list
}

// summary returns the number of exchanges and their time span.
func (a exchangeArchive) summary() string {
	var end float64
	for _, x := range a.all {
		end = max(end, x.At+x.Took)
	}
	return printable.Quantity(len(a.all), "exchange") + " in " +
		view.FormatDuration(time.Duration(end*1e6)) + "."
}

// showExchanges returns the exchanges of a check: the decisive one first, files after the request
// that asked for them.
func (b *reportBuilder) showExchanges(rule string, c record.CheckResult) (list []view.Exchange) {
	var found []*exchange
	for _, seq := range digest.ShownExchanges(c) {
		if x := b.archive.at[seq]; x != nil {
			found = append(found, x)
			if c.Decisive == 0 && c.Verdict == record.VerdictFail && seq != c.Control &&
				x.Operation != client.OperationFile {
				c.Decisive = seq // without a decisive exchange it is the first
			}
		}
	}
	place := func(x *exchange) int {
		switch {
		case x.Seq == c.Decisive:
			return 0
		case x.Operation == client.OperationFile:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(found, func(x, y *exchange) int { return cmp.Compare(place(x), place(y)) })
	for _, x := range found[:min(len(found), maxExchangesPerCheck)] {
		if b.exchangeBytes += len(strings.Join(x.Parts, "")); b.exchangeBytes <= maxCardBytes {
			list = append(list, b.showExchange(x, rule, c))
		}
	}
	return list
}

func (b *reportBuilder) showExchange(x *exchange, rule string, c record.CheckResult) view.Exchange {
	role, status := "exchange", fmt.Sprint(x.Status)
	switch {
	case x.Seq == c.Decisive:
		role = "request"
	case x.Seq == c.Control:
		role = "control"
	case x.Operation == client.OperationFile:
		role = "download"
	}
	if x.Status == 0 {
		status = "no answer"
	}
	return view.Exchange{
		Role: role, Status: status, Class: statusClass(x.Status), Name: fmt.Sprintf("#%d", x.Seq),
		Title: x.Label,
		Line:  strings.Replace(x.Parts[0], " "+b.run.Run.BaseURL, " ", 1), Open: x.Seq == c.Decisive,
		Sides: []view.Side{
			{
				Name: "Request", Line: x.Parts[0], Head: headerFacts(x.Parts[1]),
				Body: markField(x.Parts[2], rule),
			},
			{Name: "Answer", Line: status, Head: headerFacts(x.Parts[3]), Body: markField(x.Parts[4], rule)},
		},
	}
}

// statusClass groups answers by their meaning: 2xx, 3xx, 4xx, throttled (429), 5xx or none.
func statusClass(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "throttled"
	case status < 100 || status > 599:
		return "none"
	}
	return fmt.Sprintf("%dxx", status/100)
}

// headerFacts splits a head into its lines. A line without a colon has a value only.
func headerFacts(head string) (found []view.Fact) {
	for line := range strings.SplitSeq(head, "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			found = append(found, view.Fact{Name: name + ":", Value: value})
		} else if line != "" {
			found = append(found, view.Fact{Value: line})
		}
	}
	return found
}

// markField splits an indented body into pieces and marks the members whose path is the field of
// the rule: the part of its ID after the topic, or the longest prefix of it that a member has.
func markField(body, rule string) []view.Piece {
	_, rule, _ = strings.Cut(rule, ".")
	_, path, _ := strings.Cut(rule, ".")
	for ; path != ""; path = path[:max(0, strings.LastIndexByte(path, '.'))] {
		var pieces []view.Piece
		var above []string // names of the members around, by depth
		hit := false
		for line := range strings.SplitAfterSeq(body, "\n") {
			text := strings.TrimLeft(line, " ")
			indent, name := line[:len(line)-len(text)], ""
			if quoted, found := strings.CutPrefix(text, `"`); found && strings.Contains(quoted, `":`) {
				name, _, _ = strings.Cut(quoted, `":`)
			}
			above = append(above[:min(len(indent)/2, len(above))], name)
			is := name != "" && strings.HasSuffix("."+strings.Join(above, "."), "."+path)
			pieces = append(pieces, view.Piece{Text: indent}, view.Piece{Text: text, Marked: is})
			hit = hit || is
		}
		if hit {
			return pieces
		}
	}
	if body == "" {
		return nil
	}
	return []view.Piece{{Text: body}}
}
