package create

import (
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// madeByServer are the fields that no request gives.
func madeByServer() []string {
	return []string{"id", "document.id", "document.type", "address.id", "created_at"}
}

// success: what every valid creation is answered with.
func (s *Suite) success() {
	every := func(answered) bool { return true }
	Describe("the answer to a creation", func() {
		s.Rule("create.success.status", Must, Errors, "A creation that succeeds is answered with 201.", Serial, func() {
			s.throughout(types.NewCodeLocation(0), "gives 201 each time",
				"a creation that succeeded got another status", "201 Created", every, func(a answered) string {
					return unlessRight(a.x.Status == http.StatusCreated, target.Describe(a.x))
				})
		})

		s.Rule("create.success.json", Must, CreateOperation, "The body of the answer is one JSON object.", Serial, func() {
			s.throughout(types.NewCodeLocation(0), "gives a JSON object each time",
				"the answer to a creation is not a JSON object", "one JSON object", every, func(a answered) string {
					return unlessRight(a.fault == nil, fmt.Sprint(a.fault))
				})
		})

		s.Rule("create.success.fields", Should, CreateOperation,
			"Every field of the record that the request gave, or that the deployment makes, is present in the answer.", Serial,
			func() {
				isRead := s.readNames()
				parsed := func(a answered) bool { return a.record != nil }
				s.throughout(types.NewCodeLocation(0), "shows every field of the record", "fields are missing from the record",
					"every field of the request and those that the deployment makes, not null", parsed, func(a answered) string {
						lost := missing(a, isRead)
						return unlessRight(len(lost) == 0, "missing or null: "+strings.Join(lost, ", "))
					})
			})

		s.carries("create.success.document", "document")
		s.carries("create.success.address", "address", without("address.complement"))
	})
}

// carries declares that every record has an object; others are creations that may lack it.
func (s *Suite) carries(id, name string, others ...edit) {
	place := types.NewCodeLocation(1)
	s.Rule(id, Must, RecordTable, "The record always carries the "+name+" as an object.", Serial, place, func() {
		for _, e := range others {
			s.vary(target.AboutField, e)
		}
		s.throughout(place, "shows an object in every record", "the record does not carry the "+name+" as an object",
			"an object", answered.holdsRecord, func(a answered) string {
				return unlessRight(a.record.Type(name) == "object", name+": "+a.record.Type(name))
			})
	})
}

// readNames returns what reports, while a spec runs, whether the deployment reads a name: what was sent under a name
// that the document does not show, and nothing else shows, may never have been read.
func (s *Suite) readNames() func(name string) bool {
	run := s.everything()
	unread := map[string]bool{}
	BeforeEach(func(ctx SpecContext) {
		for _, a := range run.Await(ctx) {
			if a.record == nil {
				continue
			}
			for _, name := range lost(a) {
				if _, asked := unread[name]; !asked && !documented(name) {
					_, known := s.evidence(fieldKeys + name).Settled(ctx)
					unread[name] = !known
				}
			}
		}
	})
	return func(name string) bool { return !unread[name] }
}

// missing lists the fields of the record that did not come back.
func missing(a answered, isRead func(name string) bool) []string {
	var paths []string
	for _, name := range lost(a) {
		if isRead(name) {
			paths = append(paths, representative.ResponsePath(name))
		}
	}
	for _, path := range madeByServer() {
		if path != "id" && a.lacks(path) { // create.response.id
			paths = append(paths, path)
		}
	}
	return paths
}

// lost lists what was sent and did not come back, by logical name.
func lost(a answered) []string {
	var names []string
	for _, name := range a.sent.Names() {
		path := representative.ResponsePath(name)
		if path != "" && a.sent.Get(name) != nil && a.lacks(path) {
			names = append(names, name)
		}
	}
	return names
}
