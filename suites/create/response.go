package create

import (
	"context"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// madeByServer are the fields that no request gives: they must be there.
var madeByServer = []string{"id", "document.id", "document.type", "address.id", "created_at"}

// response: the type, format or value set of each field of the record, on all records of the run. Whether a field that
// was sent is there at all is the business of create.success.fields.
func (s *suite) response() {
	base := plan.After(s.c.Creation)
	for _, f := range rules.RecordFields() {
		s.p.It("create.response."+f.Path, f.Path+" is as documented in every record", base, func(ctx context.Context) {
			s.fieldIs(ctx, f)
		})
	}

	// created_at is the moment of the creation, by the deployment's own clock; half an hour is less than a mistaken zone.
	s.p.It("create.response.created_at.now", "created_at is within half an hour of now", base, func(ctx context.Context) {
		records := s.records(ctx)
		if value, _ := records[0].record.Get("created_at"); !matchers.Fits("datetime", value) {
			s.p.NotVerified("", "created_at is no date-time, see create.response.created_at")
		}
		s.throughout(records, "the creation date is not the moment of the creation", "within half an hour of the deployment's clock", func(a answered) (string, bool) {
			value, _ := a.record.Get("created_at")
			at, ok := matchers.Instant(value)
			if !ok {
				return "", false
			}
			if off := at.Sub(target.Clock(a.x)); off.Abs() > target.Tolerance {
				return "created_at is off by " + off.Round(time.Minute).String(), true
			}
			return "", true
		})
	})

	// A representative is a natural person, whatever was sent.
	s.p.It("create.person_type", "every record says NATURAL_PERSON", base, func(ctx context.Context) {
		s.throughout(s.records(ctx), "a representative is not called a natural person", "NATURAL_PERSON", func(a answered) (string, bool) {
			value, there := a.record.Get("person_type")
			switch {
			case value == "NATURAL_PERSON":
				return "", true
			case !there:
				return "person_type is absent", true
			}
			return "person_type is " + matchers.Shown("person_type", value), true
		})
	})
}

// fieldIs judges one line of the record's table.
func (s *suite) fieldIs(ctx context.Context, f rules.RecordField) {
	own := slices.Contains(madeByServer, f.Path)
	records := s.records(ctx)
	inside := parent(f.Path)
	if inside != "" && !slices.ContainsFunc(records, func(a answered) bool { return a.record.Type(inside) == "object" }) {
		s.p.NotVerified("", "the record has no %s, see create.success.%s", inside, inside)
	}
	s.throughout(records, f.Path+" is not as documented", matchers.Expected(f.Kind), func(a answered) (string, bool) {
		if inside != "" && a.record.Type(inside) != "object" {
			return "", false
		}
		value, there := a.record.Get(f.Path)
		switch {
		case !there && own:
			return f.Path + " is absent", true
		case value == nil && own:
			return f.Path + " is null", true
		case value == nil:
			return "", false
		case f.Path == "address.id" && value == "", !matchers.Fits(f.Kind, value):
			return f.Path + " is " + matchers.Shown(f.Path, value), true
		}
		return "", true
	})
}
