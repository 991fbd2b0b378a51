package suites

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/reports/page"
)

// exchanges shows the page what the client recorded of an exchange: the redacted part, never the live one.
type exchanges struct{ client *client.Client }

// Exchange finds a recorded exchange by its number; nil when it is not kept.
func (e exchanges) Exchange(seq int) *page.Exchange {
	x := e.client.Exchange(seq)
	if x == nil {
		return nil
	}
	shown := &page.Exchange{
		Method: x.Recorded.Method, URL: x.Recorded.URL, Status: x.Status,
		RequestHead: head(x.Recorded.RequestHeader), RequestBody: string(x.Recorded.RequestBody),
		ResponseHead: head(x.Recorded.ResponseHeader), ResponseBody: string(x.Recorded.ResponseBody),
	}
	if x.Err != nil {
		shown.ResponseHead = x.Err.Error()
	}
	if x.Recorded.Comment != "" {
		shown.ResponseBody += "\n[" + x.Recorded.Comment + "]"
	}
	return shown
}

// Moments lists every exchange that was sent, without its content.
func (e exchanges) Moments() []page.Moment {
	var list []page.Moment
	for seq := 1; seq <= e.client.Stats().Sent; seq++ {
		x := e.client.Exchange(seq)
		if x == nil {
			continue
		}
		list = append(list, page.Moment{
			Seq: seq, Attempt: x.Attempt, Label: x.Label, Operation: string(x.Operation),
			Status: x.Status, StartedAt: x.StartedAt, Service: x.Service,
		})
	}
	return list
}

// head writes headers in the order of their names.
func head(h http.Header) string {
	var lines []string
	for name, values := range h {
		for _, v := range values {
			lines = append(lines, name+": "+v)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
