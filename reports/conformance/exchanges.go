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
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/har"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	largestHAR  = 192 << 20 // bytes of exchanges that are read: a run writes a third of it
	mostKept    = 64 << 20  // bytes that are kept of them: a run writes less
	prettyLimit = 64 << 10  // how long a body may be to be laid out anew; a page shows the beginning of a longer one anyway
	perCheck    = 6         // exchanges shown with a check
)

// HARName is the file beside a run that holds its exchanges.
const HARName = "exchanges.har"

// exchange is one request and its answer as they may be shown: without secrets.
type exchange struct {
	seq, attempt, status       int // status 0: no answer
	label                      string
	operation                  client.Operation
	started                    time.Time
	service                    time.Duration
	method, url                string
	requestHead, requestBody   string
	responseHead, responseBody string
}

// archive is the exchanges of a run, in the order of their start.
type archive struct {
	all []*exchange
	at  map[int]*exchange
}

// readFolder reads the exchanges of a run, as far as they can be read, as after a crash; nil where there is no such file.
func readFolder(dir string) (*archive, error) {
	file, err := runfolder.Open(filepath.Join(dir, HARName), largestHAR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the exchanges: %w", err)
	}
	defer file.Close()
	return readHAR(file), nil
}

func readHAR(r io.Reader) *archive {
	a := &archive{at: map[int]*exchange{}}
	kept := 0
	har.Read(r, func(e *har.Entry) {
		x := &exchange{
			seq: e.Seq, attempt: e.Attempt, label: clip(e.Label), operation: e.Operation, status: e.Response.Status,
			method: e.Request.Method, url: clip(e.Request.URL),
			requestHead: clip(e.Request.Headers.String()), requestBody: clip(e.RequestBody()),
			responseHead: clip(e.Response.Headers.String()), responseBody: clip(e.ResponseBody()),
			service: time.Duration((e.Timings.Send + e.Timings.Wait + e.Timings.Receive) * float64(time.Millisecond)),
		}
		x.started, _ = time.Parse(time.RFC3339Nano, e.Started)
		if e.Trouble != "" {
			x.status, x.responseHead = 0, clip(e.Trouble)
		}
		if e.Comment != "" {
			x.responseBody += "\n[" + e.Comment + "]"
		}
		kept += len(x.url) + len(x.requestHead) + len(x.requestBody) + len(x.responseHead) + len(x.responseBody)
		if kept > mostKept {
			return
		}
		a.at[x.seq] = x
		if !x.started.IsZero() {
			a.all = append(a.all, x)
		}
	})
	slices.SortFunc(a.all, func(x, y *exchange) int { return cmp.Or(x.started.Compare(y.started), cmp.Compare(x.seq, y.seq)) })
	return a
}

// clip keeps of a text no more than the page could show, so that a run of large bodies stays small in memory.
func clip(s string) string {
	if len(s) <= prettyLimit {
		return s
	}
	return strings.Clone(s[:prettyLimit]) + "…"
}

// budget bounds the exchanges of a page.
type budget struct {
	each    int // characters of one body
	cards   int // bytes of exchanges shown with findings
	bodies  int // bytes of heads and bodies in the list of all
	moments int // exchanges in that list
}

// newBudget is the share'th part of the most that a page may hold.
func newBudget(share int) *budget {
	return &budget{
		each: max(200, 8_000/share), cards: 1_000_000 / share, bodies: 1_500_000 / share, moments: 24_000 / share,
	}
}

// exchanges are those of a check: first the one that shows what is wrong; files come after what asked for them.
func (b *builder) exchanges(r record.Rule, c record.Check) (list []view.Exchange) {
	if b.archive == nil {
		return nil
	}
	if c.Decisive == 0 && c.Verdict == record.Fail {
		c.Decisive = b.archive.decisive(c)
	}
	order := slices.Clone(c.Exchanges)
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.place(x, c), b.place(y, c)) })
	for _, seq := range order {
		x := b.archive.at[seq]
		if x == nil || len(list) == perCheck || b.budget.cards <= 0 {
			continue
		}
		for _, text := range []string{x.url, x.requestHead, x.requestBody, x.responseHead, x.responseBody} {
			b.budget.cards -= min(b.budget.each, len(text))
		}
		list = append(list, x.shown(b.budget.each, r.ID, c))
	}
	return list
}

// decisive is the exchange that a failed check is about where it does not say: the first that is neither a control nor a
// file.
func (a *archive) decisive(c record.Check) int {
	for _, seq := range c.Exchanges {
		if x := a.at[seq]; x != nil && seq != c.Control && x.operation != client.File {
			return seq
		}
	}
	return 0
}

func (b *builder) place(seq int, c record.Check) int {
	x := b.archive.at[seq]
	switch {
	case x == nil:
		return 3
	case seq == c.Decisive:
		return 0
	case x.operation == client.File:
		return 2
	}
	return 1
}

// shown is the exchange beside a check.
func (x *exchange) shown(limit int, rule string, c record.Check) view.Exchange {
	role, field := "exchange", fieldOf(rule)
	switch {
	case x.seq == c.Decisive:
		role = "request"
	case x.seq == c.Control:
		role = "control"
	case x.operation == client.File:
		role = "download"
	}
	body := func(s string) []view.Piece {
		if s == "" {
			return nil
		}
		return marked(printable.CleanLines(printable.Clip(pretty(s), limit)), field)
	}
	return view.Exchange{
		Role: role, Status: answer(x.status), Tone: view.Tone(class(x.status)), Name: fmt.Sprintf("#%d", x.seq), Title: x.label,
		Line: x.method + " " + near(x.url), Open: x.seq == c.Decisive,
		Sides: []view.Side{
			{Name: "Request", Line: x.method + " " + x.url, Head: fields(x.requestHead), Body: body(x.requestBody)},
			{Name: "Answer", Line: answer(x.status), Head: fields(x.responseHead), Body: body(x.responseBody)},
		},
	}
}

func answer(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprint(status)
}

// class groups answers by what they mean for a reader: 2xx, 3xx, 4xx, throttled (429), 5xx or none.
func class(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "throttled"
	case status < 100 || status > 599:
		return "none"
	}
	return fmt.Sprintf("%dxx", status/100)
}

// pretty lays JSON out in lines, members in the order received; other texts stay as they are. A line in square brackets
// at the end, what the recording has to say about a body, is kept.
func pretty(s string) string {
	if i := strings.LastIndex(s, "\n["); i > 0 && strings.HasSuffix(s, "]") && i <= prettyLimit && json.Valid([]byte(s[:i])) {
		return pretty(s[:i]) + s[i:]
	}
	var out bytes.Buffer
	if len(s) > prettyLimit || json.Indent(&out, []byte(strings.TrimSpace(s)), "", "  ") != nil || out.Len() > 4*prettyLimit {
		return s // deep nesting: the indentation alone would outgrow the text
	}
	return out.String()
}

// fields splits a head into its lines; a line without a colon is a value alone.
func fields(head string) (found []view.Fact) {
	for line := range strings.SplitSeq(printable.CleanLines(printable.Clip(head, 8_000)), "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			found = append(found, view.Fact{Name: name + ":", Value: value})
		} else if line != "" {
			found = append(found, view.Fact{Value: line})
		}
	}
	return found
}

// near is an address without its scheme and host, which are the same throughout a run.
func near(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Path == "" {
		return address
	}
	u.Scheme, u.Host, u.User = "", "", nil
	return u.String()
}
