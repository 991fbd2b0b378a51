package page

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/record"
)

// largestHAR is the most bytes of exchanges that are read: a run writes a third of it.
const largestHAR = 192 << 20

// HARName is the file beside a run that holds its exchanges.
const HARName = "exchanges.har"

// FromFolder renders the page of a run from what its folder holds. A run whose exchanges are missing or cut off, as
// after a crash, still gives a page, with those exchanges that can be read.
func FromFolder(dir string, run record.Run) ([]byte, error) {
	file, err := runfolder.Open(filepath.Join(dir, HARName), largestHAR)
	if errors.Is(err, fs.ErrNotExist) {
		return Write(run, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the exchanges: %w", err)
	}
	defer file.Close()
	return Write(run, readHAR(file))
}

// har is the exchanges of a HAR 1.2 file.
type har struct {
	kept    map[int]*Exchange
	moments []Moment
}

func (h *har) Exchange(seq int) *Exchange { return h.kept[seq] }
func (h *har) Moments() []Moment          { return h.moments }

type harHeader struct{ Name, Value string }

type harEntry struct {
	StartedDateTime time.Time
	Comment         string
	Timings         struct{ Send, Wait, Receive float64 }
	Request         struct {
		Method, URL string
		Headers     []harHeader
		PostData    struct {
			Text     string
			Encoding string `json:"_encoding"`
		}
	}
	Response struct {
		Status  int
		Headers []harHeader
		Content struct{ Text, Encoding string }
	}
	Seq       int    `json:"_seq"`
	Label     string `json:"_label"`
	Operation string `json:"_operation"`
	Attempt   int    `json:"_attempt"`
	Trouble   string `json:"_trouble"`
}

// readHAR reads entries until the end or the first that cannot be read.
func readHAR(r io.Reader) *har {
	h := &har{kept: map[int]*Exchange{}}
	in := json.NewDecoder(r)
	for { // to the array of entries, which the writer puts last
		token, err := in.Token()
		if err != nil {
			return h
		}
		if token == "entries" {
			break
		}
	}
	if _, err := in.Token(); err != nil {
		return h
	}
	for in.More() {
		var e harEntry
		if err := in.Decode(&e); err != nil {
			return h
		}
		h.add(&e)
	}
	return h
}

func (h *har) add(e *harEntry) {
	x := &Exchange{
		Method: e.Request.Method, URL: clip(e.Request.URL), Status: e.Response.Status,
		RequestHead:  harHead(e.Request.Headers),
		RequestBody:  harBody(e.Request.PostData.Text, e.Request.PostData.Encoding),
		ResponseHead: harHead(e.Response.Headers),
		ResponseBody: harBody(e.Response.Content.Text, e.Response.Content.Encoding),
	}
	if e.Trouble != "" {
		x.Status, x.ResponseHead = 0, clip(e.Trouble)
	}
	if e.Comment != "" {
		x.ResponseBody += "\n[" + e.Comment + "]"
	}
	h.kept[e.Seq] = x
	h.moments = append(h.moments, Moment{
		Seq: e.Seq, Attempt: e.Attempt, Label: clip(e.Label), Operation: e.Operation, Status: x.Status,
		StartedAt: e.StartedDateTime,
		Service:   time.Duration((e.Timings.Send + e.Timings.Wait + e.Timings.Receive) * float64(time.Millisecond)),
	})
}

func harHead(list []harHeader) string {
	var lines []string
	for _, l := range list {
		lines = append(lines, l.Name+": "+l.Value)
	}
	return clip(strings.Join(lines, "\n"))
}

func harBody(text, encoding string) string {
	if encoding == "base64" {
		if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
			text = string(raw)
		}
	}
	return clip(text)
}

// clip keeps of a text no more than the page could show, so that a run of large bodies stays small in memory.
func clip(s string) string {
	if len(s) <= prettyLimit {
		return s
	}
	return strings.Clone(s[:prettyLimit]) + "…"
}
