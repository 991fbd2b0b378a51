package client

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sort"
	"sync"
	"time"
	"unicode/utf8"
)

// HAR writes exchanges to a HAR 1.2 file that is valid JSON after each of them. It is safe for concurrent use.
type HAR struct {
	mu    sync.Mutex
	file  *os.File
	end   int64 // where the next entry goes; the closing brackets stand there
	count int
	err   error
}

// harBodies is the size of a file after which entries have no bodies.
const harBodies = 60 << 20

const harTail = "\n]}}\n"

// NewHAR creates the file, readable by its owner only. It fails when the file exists.
func NewHAR(path, creator, version string) (*HAR, error) {
	head, err := json.Marshal(map[string]string{"name": creator, "version": version})
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	start := `{"log":{"version":"1.2","creator":` + string(head) + `,"entries":[`
	if _, err := f.WriteString(start + harTail); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &HAR{file: f, end: int64(len(start))}, nil
}

// Append writes one exchange. The first error is returned; after it nothing is written any more and Append returns nil,
// so that a full disk is told once and the run goes on.
func (h *HAR) Append(x *Exchange) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil {
		return nil
	}
	e := harEntryOf(x)
	if h.end > harBodies {
		e.Request.PostData, e.Response.Content.Text = nil, ""
		e.Comment = join(e.Comment, fmt.Sprintf("the bodies are left out: this file holds %d MiB", harBodies>>20))
	}
	entry, err := json.Marshal(e)
	if err != nil {
		h.err = err
		return err
	}
	return h.write(entry)
}

// Include writes the entries of another HAR file behind those that are there.
func (h *HAR) Include(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var other struct {
		Log struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if err := json.Unmarshal(data, &other); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, entry := range other.Log.Entries {
		if err := h.write(entry); err != nil {
			return err
		}
	}
	return nil
}

func (h *HAR) write(entry []byte) error {
	lead := "\n"
	if h.count > 0 {
		lead = ",\n"
	}
	text := append(append([]byte(lead), entry...), harTail...)
	if _, err := h.file.WriteAt(text, h.end); err != nil {
		h.err = err
		// What is there already stays readable.
		if _, tailErr := h.file.WriteAt([]byte(harTail), h.end); tailErr == nil {
			_ = h.file.Truncate(h.end + int64(len(harTail)))
		}
		return err
	}
	h.end += int64(len(text) - len(harTail))
	h.count++
	return nil
}

// Close closes the file.
func (h *HAR) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = os.ErrClosed
		return h.file.Close()
	}
	_ = h.file.Close()
	return nil
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harPost struct {
	MimeType string    `json:"mimeType"`
	Params   []harPair `json:"params"`
	Text     string    `json:"text"`
	Encoding string    `json:"_encoding,omitempty"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Comment  string `json:"comment,omitempty"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	QueryString []harPair `json:"queryString"`
	PostData    *harPost  `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harTimings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
	SSL     float64 `json:"ssl"`
}

type harEntry struct {
	Started   string      `json:"startedDateTime"`
	Time      float64     `json:"time"`
	Request   harRequest  `json:"request"`
	Response  harResponse `json:"response"`
	Cache     struct{}    `json:"cache"`
	Timings   harTimings  `json:"timings"`
	Comment   string      `json:"comment,omitempty"`
	Seq       int         `json:"_seq"`
	Label     string      `json:"_label"`
	Operation Operation   `json:"_operation"`
	Attempt   int         `json:"_attempt"`
	Trouble   string      `json:"_trouble,omitempty"`
}

func harEntryOf(x *Exchange) harEntry {
	r := x.Recorded
	e := harEntry{
		// In microseconds: cut to milliseconds, requests that followed each other would seem to overlap.
		Started: x.StartedAt.UTC().Format("2006-01-02T15:04:05.000000Z07:00"),
		Comment: r.Comment, Seq: x.Seq, Label: x.Label, Operation: x.Operation, Attempt: x.Attempt,
		Timings: harTimings{
			Blocked: millis(x.Queued), DNS: -1, Connect: -1, SSL: -1,
			Send: millis(x.Written), Wait: millis(x.FirstByte - x.Written), Receive: millis(x.Service - max(x.FirstByte, x.Written)),
		},
	}
	t := e.Timings
	e.Time = t.Blocked + t.Send + t.Wait + t.Receive
	if x.Err != nil {
		e.Trouble = x.Err.Error()
	}
	version := r.ResponseProto
	if version == "" {
		version = "unknown"
	}
	e.Request = harRequest{
		Method: r.Method, URL: r.URL, HTTPVersion: version, Cookies: []harPair{}, Headers: harHeaders(r.RequestHeader),
		QueryString: harQuery(r.URL), HeadersSize: -1, BodySize: len(r.RequestBody),
	}
	if len(r.RequestBody) > 0 {
		text, encoding := harText(r.RequestBody)
		e.Request.PostData = &harPost{MimeType: headerValue(r.RequestHeader, "Content-Type"), Params: []harPair{}, Text: text, Encoding: encoding}
	}
	text, encoding := harText(r.ResponseBody)
	e.Response = harResponse{
		Status: r.Status, StatusText: http.StatusText(r.Status), HTTPVersion: version, Cookies: []harPair{},
		Headers: harHeaders(r.ResponseHeader), RedirectURL: headerValue(r.ResponseHeader, "Location"), HeadersSize: -1, BodySize: int(x.Size),
		Content: harContent{Size: int(x.Size), MimeType: headerValue(r.ResponseHeader, "Content-Type"), Text: text, Encoding: encoding},
	}
	return e
}

func millis(d time.Duration) float64 { return float64(max(d, 0).Microseconds()) / 1000 }

func harText(b []byte) (text, encoding string) {
	if utf8.Valid(b) {
		return string(b), ""
	}
	return base64.StdEncoding.EncodeToString(b), "base64"
}

func headerValue(h http.Header, name string) string {
	if v := h.Get(name); v != "" {
		return v
	}
	for n, values := range h {
		if http.CanonicalHeaderKey(n) == name && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

func harHeaders(h http.Header) []harPair {
	pairs := []harPair{}
	for n, values := range h {
		for _, v := range values {
			pairs = append(pairs, harPair{n, v})
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].Name < pairs[j].Name })
	return pairs
}

func harQuery(address string) []harPair {
	pairs := []harPair{}
	u, err := url.Parse(address)
	if err != nil {
		return pairs
	}
	for n, values := range u.Query() {
		for _, v := range values {
			pairs = append(pairs, harPair{n, v})
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].Name < pairs[j].Name })
	return pairs
}
