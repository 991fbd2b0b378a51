package results

import (
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/transport"
)

const maxExchangesPerClass = 20 // only bad results are kept

// A Header is one header of a message. Headers are listed in the order sent or received.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// An Exchange is a request with its answer, as exchanges.ndjson holds it.
type Exchange struct {
	K              int64     `json:"k"`
	Class          string    `json:"class"`
	Rule           string    `json:"rule,omitempty"`    // violated by the answer
	Failure        string    `json:"failure,omitempty"` // the reason for no answer
	Detail         string    `json:"detail,omitempty"`
	RepeatOf       *int64    `json:"repeat_of,omitempty"` // K of the earlier request
	Identity       string    `json:"identity,omitempty"`  // set if several take turns
	At             time.Time `json:"at"`                  // when the request was sent
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

// claimExchange reserves a place for an exchange of a class. It returns false once
// maxExchangesPerClass are kept or if none is kept at all.
func (r *Recorder) claimExchange(class judge.Class) bool {
	return r.config.Redactor != nil && r.kept[class].Load() < maxExchangesPerClass &&
		r.kept[class].Add(1) <= maxExchangesPerClass
}

// copyExchange returns a redacted copy of a result without the header fields that all requests
// share.
func (r *Recorder) copyExchange(x *engine.RequestResult) Exchange {
	clean := r.config.Redactor.Text
	header := func(list *[]Header, name, value string) {
		*list = append(*list, Header{clean(name), r.config.Redactor.HeaderValue(name, value)})
	}
	kept := Exchange{
		K: x.K, At: r.start.Add(x.Intended + x.Lag).UTC(),
		Class: x.Judgement.Class.String(), Rule: x.Judgement.Rule, Failure: x.Judgement.Failure.String(),
		Method: "POST", URL: clean(r.config.URL), Status: x.Status,
		ServiceMS: Milliseconds(x.Service), ResponseMS: Milliseconds(x.Response),
		LagMS: Milliseconds(x.Lag),
	}
	if q := x.Request; q != nil {
		if q.Repeat {
			kept.RepeatOf = new(q.Of)
		}
		if len(r.config.Users) > 1 {
			kept.Identity = r.config.Users[q.Identity]
		}
		kept.RequestBody = clean(string(q.Body))
		q.EachHeader(func(name, value string) { header(&kept.RequestHeader, name, value) })
	}
	if x.Err != nil {
		kept.Detail = clean(x.Err.Error())
	}
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		for _, value := range x.Header[name] {
			header(&kept.ResponseHeader, name, value)
		}
	}
	body, _ := r.config.Redactor.BodyPrefix(x.Body, transport.MaxBodyBytes, false)
	kept.ResponseBody = string(body)
	return kept
}
