package har

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/runfolder"
)

// nameValues are headers or parameters.
type nameValues []nameValue

type nameValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// String formats the pairs one per line.
func (p nameValues) String() string {
	var lines []string
	for _, l := range p {
		lines = append(lines, l.Name+": "+l.Value)
	}
	return strings.Join(lines, "\n")
}

type postData struct {
	MimeType string     `json:"mimeType"`
	Params   nameValues `json:"params"`
	Text     string     `json:"text"`
	Encoding string     `json:"_encoding,omitempty"`
}

type content struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

type request struct {
	Method      string     `json:"method"`
	URL         string     `json:"url"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     nameValues `json:"cookies"`
	Headers     nameValues `json:"headers"`
	QueryString nameValues `json:"queryString"`
	PostData    *postData  `json:"postData,omitempty"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type response struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     nameValues `json:"cookies"`
	Headers     nameValues `json:"headers"`
	Content     content    `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type timings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
	SSL     float64 `json:"ssl"`
}

// Entry is one exchange with the field names of HAR 1.2. Names with an underscore are extensions.
type Entry struct {
	Started   string           `json:"startedDateTime"`
	Time      float64          `json:"time"`
	Request   request          `json:"request"`
	Response  response         `json:"response"`
	Cache     struct{}         `json:"cache"`
	Timings   timings          `json:"timings"`
	Comment   string           `json:"comment,omitempty"`
	Seq       int              `json:"_seq"`
	Label     string           `json:"_label"`
	Operation client.Operation `json:"_operation"`
	Attempt   int              `json:"_attempt"`
	Trouble   string           `json:"_trouble,omitempty"`
}

func entryOf(x *client.Exchange) Entry {
	r := x.Recorded
	e := Entry{
		// In microseconds: with milliseconds, consecutive requests would seem to overlap.
		Started: x.StartedAt.UTC().Format("2006-01-02T15:04:05.000000Z07:00"),
		Comment: r.Comment, Seq: x.Seq, Label: x.Label, Operation: x.Operation, Attempt: x.Attempt,
		Timings: timings{
			Blocked: milliseconds(x.Queued), DNS: -1, Connect: -1, SSL: -1,
			Wait: milliseconds(x.FirstByte), Receive: milliseconds(x.Service - x.FirstByte),
		},
	}
	t := e.Timings
	e.Time = t.Blocked + t.Send + t.Wait + t.Receive
	if x.Err != nil {
		e.Trouble = x.Err.Error()
	}
	version := cmp.Or(r.ResponseProto, "unknown")
	e.Request = request{
		Method: r.Method, URL: r.URL, HTTPVersion: version, Cookies: nameValues{},
		Headers:     sortedPairs(r.RequestHeader),
		QueryString: queryParameters(r.URL), HeadersSize: -1, BodySize: len(r.RequestBody),
	}
	if len(r.RequestBody) > 0 {
		text, encoding := encodeBody(r.RequestBody)
		kind := findHeader(r.RequestHeader, "Content-Type")
		e.Request.PostData = &postData{
			MimeType: kind,
			Params:   nameValues{},
			Text:     text,
			Encoding: encoding,
		}
	}
	text, encoding := encodeBody(r.ResponseBody)
	e.Response = response{
		Status: r.Status, StatusText: http.StatusText(r.Status), HTTPVersion: version,
		Cookies: nameValues{},
		Headers: sortedPairs(r.ResponseHeader), RedirectURL: findHeader(r.ResponseHeader, "Location"),
		HeadersSize: -1,
		BodySize:    int(x.Size),
		Content: content{
			Size: int(x.Size), MimeType: findHeader(r.ResponseHeader, "Content-Type"), Text: text,
			Encoding: encoding,
		},
	}
	return e
}

// Limits on a file that may come from a stranger; a run writes less.
const (
	maxEntries    = 20_000
	maxEntryBytes = 2 << 20
)

// Read calls visit for the entries of a file, up to its end, the first invalid entry or
// maxEntries.
func Read(r io.Reader, visit func(*Entry)) {
	from := &runfolder.LimitedReader{From: r, Remaining: maxEntryBytes}
	in := json.NewDecoder(from)
	for { // up to the array of entries, which the writer puts last
		token, err := in.Token()
		if err != nil {
			return
		}
		if token == "entries" {
			break
		}
	}
	if _, err := in.Token(); err != nil {
		return
	}
	for n := 0; n < maxEntries && in.More(); n++ {
		from.Remaining = maxEntryBytes
		var e Entry
		if in.Decode(&e) != nil {
			return
		}
		visit(&e)
	}
}

// RequestBody returns the recorded part of the request's body.
func (e *Entry) RequestBody() string {
	if e.Request.PostData == nil {
		return ""
	}
	return decodeBody(e.Request.PostData.Text, e.Request.PostData.Encoding)
}

// ResponseBody returns the recorded part of the response's body.
func (e *Entry) ResponseBody() string {
	return decodeBody(e.Response.Content.Text, e.Response.Content.Encoding)
}

func decodeBody(text, encoding string) string {
	if raw, err := base64.StdEncoding.DecodeString(text); err == nil && encoding == "base64" {
		return string(raw)
	}
	return text
}

func milliseconds(d time.Duration) float64 { return float64(max(d, 0).Microseconds()) / 1000 }

func encodeBody(b []byte) (text, encoding string) {
	if utf8.Valid(b) {
		return string(b), ""
	}
	return base64.StdEncoding.EncodeToString(b), "base64"
}

func findHeader(h http.Header, name string) string {
	for n, values := range h {
		if strings.EqualFold(n, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// sortedPairs lists headers or parameters sorted by name.
func sortedPairs(values map[string][]string) nameValues {
	list := nameValues{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, v := range values[name] {
			list = append(list, nameValue{name, v})
		}
	}
	return list
}

func queryParameters(address string) nameValues {
	u, err := url.Parse(address)
	if err != nil {
		return nameValues{}
	}
	return sortedPairs(u.Query())
}
