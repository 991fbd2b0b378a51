package export

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// successes: what an export may be asked with.
func (s *suite) successes() {
	const rule = "export.success"
	unique := func(name string) build {
		return func(c target.ExportCall) target.ExportCall {
			c.Fields = target.Fields{name: c.Fields[name]}
			return c
		}
	}
	filter := target.Fields{"filter_type": "client_id", "filter_text": s.someClient()}

	// No field of the body is required, so an empty object is a whole request.
	s.nothingGiven = s.accept(rule, "an empty object", "an empty object", fields(target.Fields{}))
	// Each field may stand alone, with each of its documented values.
	s.accept(rule, "sort quote_created_at alone", "only sort quote_created_at", fields(target.Fields{"sort": "quote_created_at"}))
	s.accept(rule, "sort settled_date alone", "only sort settled_date", fields(target.Fields{"sort": "settled_date"}))
	s.accept(rule, "order asc alone", "only order asc", fields(target.Fields{"order": "asc"}))
	s.accept(rule, "order desc alone", "only order desc", fields(target.Fields{"order": "desc"}))
	// A filter is a type and its text; either without the other is only observed.
	s.filterAlone = s.accept(rule, "filter_type client_id with a text", "only a client filter", fields(filter))
	s.accept(rule, "date_start alone", "only date_start", unique("date_start"))
	s.accept(rule, "date_end alone", "only date_end", unique("date_end"))
	s.wholeSeconds(rule)
	s.formatAlone = s.accept(rule, "type_extension CSV alone", "only type_extension CSV", fields(target.Fields{"type_extension": "CSV"}))
	// All fields together are a request as well.
	s.accept(rule, "all fields together", "all fields together", func(c target.ExportCall) target.ExportCall {
		c.Fields = c.Fields.With("sort", "settled_date").With("order", "asc").With("type_extension", "CSV").
			With("filter_type", "client_id").With("filter_text", filter["filter_text"])
		return c
	})
}

// wholeSeconds: a date-time needs no fraction. Where the same bounds are refused with one as well, it is something else that
// is refused.
func (s *suite) wholeSeconds(rule string) {
	bounds := s.t.Unique()
	written := func(ending string) build {
		return func(c target.ExportCall) target.ExportCall {
			c.Fields = target.Fields{}
			for field, value := range bounds {
				whole, _, _ := strings.Cut(fmt.Sprint(value), ".")
				c.Fields[field] = whole + ending
			}
			return c
		}
	}
	whole, twin := s.send("bounds in whole seconds", written("Z")), s.send("the same bounds with a fraction", written(".000Z"))
	s.p.It(rule, "bounds in whole seconds", spec.After(whole, twin), func(ctx context.Context) {
		a := whole.Await(ctx)
		if other, ok := twin.Settled(ctx); a.Refusal() && ok && !other.Success() {
			s.p.Inconclusive("the same bounds are refused with a fraction as well (%s), so that it is something else that is refused", target.Describe(other.Exchange))
		}
		Expect(a).To(matchers.BeAccepted())
	})
}

// someClient is the client that filters ask for: the fixture, or a name that nobody has.
func (s *suite) someClient() string {
	if id := s.t.Deployment.Fixtures.ClientID; id != "" {
		return id
	}
	return "gateassay-" + s.t.Run
}
