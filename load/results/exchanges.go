package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/redact"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
)

const keptEach = 20 // exchanges of each bad class

// Header is one header of a message, in the order sent or received.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Exchange is a request with its answer. What Keep is given may hold secrets; what it writes holds none.
type Exchange struct {
	K              int64     `json:"k"`
	Class          string    `json:"class"`
	Rule           string    `json:"rule,omitempty"`    // that the answer violates
	Failure        string    `json:"failure,omitempty"` // why there was no answer
	Detail         string    `json:"detail,omitempty"`
	RepeatOf       *int64    `json:"repeat_of,omitempty"` // the earlier request that this one repeats
	At             time.Time `json:"at"`                  // when it began
	Method         string    `json:"method"`
	URL            string    `json:"url"`
	RequestHeader  []Header  `json:"request_header"`
	RequestBody    string    `json:"request_body"`
	Status         int       `json:"status,omitempty"`
	ResponseHeader []Header  `json:"response_header,omitempty"`
	ResponseBody   string    `json:"response_body,omitempty"`
	ServiceMS      float64   `json:"service_ms"`
	ResponseMS     float64   `json:"response_ms"`
	LagMS          float64   `json:"lag_ms"`
}

// exchanges keeps the first of each bad class, written the moment they are seen.
type exchanges struct {
	dir      string
	redactor Redactor
	taken    [judge.NumClasses]atomic.Int32

	mu   sync.Mutex
	file *os.File
	err  error
}

// wants claims a place for an exchange of a class; false once there are enough.
func (e *exchanges) wants(class judge.Class) bool {
	if e.redactor == nil || !class.Bad() || int(class) >= len(e.taken) || e.taken[class].Load() >= keptEach {
		return false
	}
	return e.taken[class].Add(1) <= keptEach
}

// keep redacts and writes an exchange. Its size is bounded by what a transport reads of an answer.
func (e *exchanges) keep(x Exchange) {
	clean := func(s string) string { return strings.ToValidUTF8(e.redactor.Text(s), "\uFFFD") }
	for _, headers := range [][]Header{x.RequestHeader, x.ResponseHeader} {
		for i, h := range headers {
			headers[i] = Header{clean(h.Name), clean(h.Value)}
			if redact.SecretHeader(h.Name) && h.Value != "" {
				headers[i].Value = "[redacted]"
			}
		}
	}
	x.URL, x.Detail = clean(x.URL), clean(x.Detail)
	x.RequestBody, x.ResponseBody = clean(body(x.RequestBody)), clean(body(x.ResponseBody))
	data, err := json.Marshal(x)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.file == nil && e.err == nil {
		e.file, e.err = create(e.dir, ExchangesName)
	}
	if err == nil && e.file != nil {
		_, err = e.file.Write(append(data, '\n'))
	}
	e.err = cmp.Or(e.err, err)
}

// exchange copies what is kept of a result. Header fields of the target are left out: they are the same for all.
func (r *Recorder) exchange(x *engine.Result) Exchange {
	e := Exchange{
		K: x.K, Class: x.Verdict.Class.String(), Rule: x.Verdict.Rule, Failure: x.Verdict.Failure.String(),
		At: r.start.Add(x.Intended + x.Lag).UTC(), Method: "POST", URL: r.o.URL,
		ServiceMS: millis(x.Service), ResponseMS: millis(x.Response), LagMS: millis(x.Lag),
	}
	if q := x.Request; q != nil {
		if q.Repeat {
			e.RepeatOf = new(q.Of)
		}
		e.RequestBody = string(q.Body)
		q.EachHeader(func(name, value string) { e.RequestHeader = append(e.RequestHeader, Header{name, value}) })
		if trace := traceOf(x); trace != "" {
			e.RequestHeader = append(e.RequestHeader, Header{"traceparent", trace})
		}
	}
	if a := x.Exchange; a != nil {
		if a.Err != nil {
			e.Detail = a.Err.Error()
		}
		e.Status, e.ResponseBody = a.Status, string(a.Answer)
		a.EachHeader(func(name, value []byte) bool {
			e.ResponseHeader = append(e.ResponseHeader, Header{string(name), string(value)})
			return true
		})
	}
	return e
}

// body leaves out what is not text.
func body(s string) string {
	if !utf8.ValidString(s) && strings.IndexByte(s, 0) >= 0 {
		return fmt.Sprintf("[%d bytes of binary data]", len(s))
	}
	return s
}

// notes name the classes that have more exchanges than are kept.
func (e *exchanges) notes(classes [judge.NumClasses]int64) []string {
	var notes []string
	for c, n := range classes {
		if kept := e.taken[c].Load(); kept > 0 && n > int64(kept) {
			notes = append(notes, fmt.Sprintf("%s: the first %d exchanges are in %s",
				judge.Class(c), keptEach, ExchangesName))
		}
	}
	return notes
}

func (e *exchanges) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.file != nil {
		e.err = cmp.Or(e.err, e.file.Close())
		e.file = nil
	}
	if e.err != nil {
		return fmt.Errorf("cannot keep exchanges: %w", e.err)
	}
	return nil
}
