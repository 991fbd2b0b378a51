package page

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/har"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	largestHAR = 192 << 20 // bytes of exchanges that are read: a run writes a third of it
	mostShown  = 64 << 20  // bytes that are kept of them: a run writes less
)

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

// exchanges are those of a HAR 1.2 file.
type exchanges struct {
	kept    map[int]*Exchange
	moments []Moment
	bytes   int // of all that is kept
}

func (h *exchanges) Exchange(seq int) *Exchange { return h.kept[seq] }
func (h *exchanges) Moments() []Moment          { return h.moments }

// readHAR reads what can be read of a file.
func readHAR(r io.Reader) *exchanges {
	h := &exchanges{kept: map[int]*Exchange{}}
	har.Read(r, h.add)
	return h
}

func (h *exchanges) add(e *har.Entry) {
	x := &Exchange{
		Method: e.Request.Method, URL: clip(e.Request.URL), Status: e.Response.Status,
		RequestHead: clip(e.Request.Headers.String()), RequestBody: clip(e.RequestBody()),
		ResponseHead: clip(e.Response.Headers.String()), ResponseBody: clip(e.ResponseBody()),
	}
	if e.Trouble != "" {
		x.Status, x.ResponseHead = 0, clip(e.Trouble)
	}
	if e.Comment != "" {
		x.ResponseBody += "\n[" + e.Comment + "]"
	}
	h.bytes += len(x.Method) + len(x.URL) + len(x.RequestHead) + len(x.RequestBody) + len(x.ResponseHead) +
		len(x.ResponseBody)
	if h.bytes > mostShown {
		return
	}
	h.kept[e.Seq] = x
	started, _ := time.Parse(time.RFC3339Nano, e.Started)
	h.moments = append(h.moments, Moment{
		Seq: e.Seq, Attempt: e.Attempt, Label: clip(e.Label), Operation: string(e.Operation), Status: x.Status,
		StartedAt: started,
		Service:   time.Duration((e.Timings.Send + e.Timings.Wait + e.Timings.Receive) * float64(time.Millisecond)),
	})
}

// clip keeps of a text no more than the page could show, so that a run of large bodies stays small in memory.
func clip(s string) string {
	if len(s) <= prettyLimit {
		return s
	}
	return strings.Clone(s[:prettyLimit]) + "…"
}
