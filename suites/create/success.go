package create

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// success: what every valid creation is answered with. Each rule is judged on all of this run's valid creations.
func (s *suite) success() {
	base := plan.After(s.c.Creation)

	// A creation that succeeds is answered with 201.
	s.p.It("create.success.status", "a valid creation gets 201", base, func(ctx context.Context) {
		s.throughout(s.answers(ctx), "a creation that succeeded got another status", "201 Created", func(a answered) (string, bool) {
			if a.x.Status == http.StatusCreated {
				return "", true
			}
			return target.Describe(a.x), true
		})
	})

	// The body of the answer is one JSON object.
	s.p.It("create.success.json", "the answer is a JSON object", base, func(ctx context.Context) {
		s.throughout(s.answers(ctx), "the answer to a creation is no JSON object", "one JSON object", func(a answered) (string, bool) {
			if a.fault != nil {
				return a.fault.Error(), true
			}
			return "", true
		})
	})

	// Whatever the request told about the representative is in the record; the mother's name is no part of it.
	s.p.It("create.success.fields", "every field that was sent is in the record", base, func(ctx context.Context) {
		all := s.answers(ctx)
		if all[0].record == nil {
			s.needRecord(all[0])
		}
		s.throughout(all, "fields that were sent are missing from the record", "every field of the request, not null", func(a answered) (string, bool) {
			if a.record == nil {
				return "", false
			}
			if lost := missing(a); len(lost) > 0 {
				return "missing or null: " + strings.Join(lost, ", "), true
			}
			return "", true
		})
	})

	// Document and address are objects in every record.
	for _, name := range []string{"document", "address"} {
		s.p.It("create.success."+name, "the "+name+" is an object", base, func(ctx context.Context) {
			s.throughout(s.records(ctx), "the record does not carry the "+name+" as an object", "an object", func(a answered) (string, bool) {
				if found := a.record.Type(name); found != "object" {
					return fmt.Sprintf("%s: %s", name, found), true
				}
				return "", true
			})
		})
	}
}

// missing lists the fields that were sent and did not come back. The objects around them have rules of their own,
// unless the answer holds no record at all.
func missing(a answered) []string {
	var lost []string
	for _, name := range a.sent.Names() {
		path := representative.ResponsePath(name)
		if path == "" || a.sent.Get(name) == nil {
			continue
		}
		if inside := parent(path); inside != "" && a.holdsRecord() && a.record.Type(inside) != "object" {
			continue
		}
		if found := a.record.Type(path); found == "absent" || found == "null" {
			lost = append(lost, path)
		}
	}
	return lost
}
