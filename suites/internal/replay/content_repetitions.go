package replay

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/target"
)

// queryRepetitions returns the repetitions that change the query. All but the first collide
// under a careless canonical form of the query. None repeats a parameter or gives it no value:
// frameworks differ in what they read there.
func (s *Suite) queryRepetitions() []repetition {
	all := []repetition{{
		description: otherQuery, inConfigurations: true,
		edit: func(c *target.Request) { c.Query = uniqueQuery() },
	}}
	for _, q := range []struct {
		description string
		query       url.Values
	}{
		{"changes only the value of a query parameter", url.Values{"a": {"Gateassay2"}, "b": {"34"}}},
		{"changes only the letter case of a query", url.Values{"a": {"gateassay1"}, "b": {"34"}}},
		{"changes only the name of a query parameter", url.Values{"a": {"Gateassay1"}, "c": {"34"}}},
		{
			"moves a digit from one query parameter to the next",
			url.Values{"a": {"Gateassay13"}, "b": {"4"}},
		},
	} {
		all = append(all, repetition{
			description: q.description, standardModes: modesNone, group: "a query", query: q.query,
			firstQuery: url.Values{"a": {"Gateassay1"}, "b": {"34"}},
		})
	}
	all = append(all, repetition{
		description: "moves a field from the query to the body", standardModes: modesNone,
		group: "a field in the query", firstQuery: url.Values{"filter_text": {s.target.RunID}},
		firstEdit: func(call *target.Request) { call.Fields = target.ExportFields{"order": "desc"} },
		body:      target.ExportFields{"filter_text": s.target.RunID},
		edit:      func(call *target.Request) { call.Query = nil },
	})
	for i := range all {
		all[i].cell, all[i].requires = "other_query", requiresUnknownQuery
	}
	return all
}

// bodyRepetitions returns the repetitions that change the body. Most collide under a careless
// canonical form of what is compared; they are tried where at most one identifier is compared.
// Changes of single fields are tried without a value of the header.
func (s *Suite) bodyRepetitions() []repetition {
	type fields = target.ExportFields
	text := "Ga " + s.target.RunID + "Aa" // short, as the maximum length of a text is unspecified
	filter := fields{"filter_type": "client_id", "filter_text": text}
	openEnd := fields{"filter_type": "client_id", "filter_text": text, "date_end": nil}
	long := strings.Repeat("x", 5<<10)
	reversed := []rune(text)
	slices.Reverse(reversed)
	all := []repetition{
		{
			description: "changes only the start", inConfigurations: true,
			edit: func(c *target.Request) { s.moveBound(c, "date_start", 0) },
		},
		{
			description: "changes only the end", standardModes: modesNone,
			edit: func(c *target.Request) { s.moveBound(c, "date_end", time.Second) },
		},
		{
			description: "gives the start as end, and no start", standardModes: modesOneIdentifierAtMost,
			group: "a start only", firstBody: openEnd,
			edit: func(c *target.Request) {
				c.SetField("date_end", c.Fields["date_start"])
				c.RemoveFields("date_start")
			},
		},
		{
			description: "moves the start into the filter text", standardModes: modesOneIdentifierAtMost,
			group: "a start only", firstBody: openEnd,
			edit: func(c *target.Request) {
				c.SetField("filter_text", fmt.Sprint(c.Fields["date_start"], text))
				c.RemoveFields("date_start")
			},
		},
		{
			description:   "changes only what stands behind 5 KiB of its body",
			standardModes: modesOneIdentifierAtMost,
			group:         "a long text",
			firstBody:     fields{"filter_type": "client_id", "filter_text": long + "a"},
			body:          fields{"filter_text": long + "b"},
		},
		{
			description: "changes only the sort", standardModes: modesNone,
			firstBody: fields{"sort": "quote_created_at"}, body: fields{"sort": "settled_date"},
		},
		{
			description: "changes only the order", standardModes: modesNone,
			firstBody: fields{"order": "desc"}, body: fields{"order": "asc"},
		},
		{
			description: "leaves out filter_type", standardModes: modesNone,
			firstBody: filter, body: fields{"filter_type": nil},
		},
		{
			description: "changes only the letter case of the filter text", standardModes: modesNone,
			firstBody: filter, body: fields{"filter_text": strings.ToLower(text)},
		},
		{ // inside the text, as frameworks may trim its ends before the comparison
			description: "adds only a blank to the filter text", standardModes: modesOneIdentifierAtMost,
			firstBody: filter, body: fields{"filter_text": strings.Replace(text, " ", "  ", 1)},
		},
		{
			description: addedAccent, standardModes: modesOneIdentifierAtMost,
			firstBody: filter, body: fields{"filter_text": text + "\u0301"},
		},
		{
			description:   "changes only an accent of the filter text",
			standardModes: modesOneIdentifierAtMost,
			follows:       addedAccent, firstBody: filter, body: fields{"filter_text": text + "\u0300"},
		},
		{ // Java's String.hashCode, and JavaScript copies of it, take BB for Aa
			description:   "changes only letters that a hash of 32 bits takes for the same",
			standardModes: modesNone, firstBody: filter,
			body: fields{"filter_text": "Ga " + s.target.RunID + "BB"},
		},
		{
			description:   "puts the letters of the filter text in another order",
			standardModes: modesOneIdentifierAtMost,
			firstBody:     filter, body: fields{"filter_text": string(reversed)},
		},
		{
			description:   "moves the filter type into the filter text",
			standardModes: modesOneIdentifierAtMost, firstBody: filter,
			body: fields{"filter_text": text + "filter_typeclient_id", "filter_type": nil},
		},
	}
	for i := range all {
		all[i].cell = "other_body"
	}
	return all
}

// moveBound moves a bound by a duration and a random number of milliseconds, so that no other
// run sends the same body.
func (s *Suite) moveBound(call *target.Request, bound string, by time.Duration) {
	text, _ := call.Fields[bound].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic("a bound of our own that is not a date-time: " + text)
	}
	second := at.Truncate(time.Second)
	other := (at.Sub(second) + time.Duration(1+rand.IntN(999))*time.Millisecond) % time.Second
	call.SetField(bound, s.target.FormatBound(second.Add(by+other)))
	if call.Fields[bound] == text { // in whole seconds
		call.SetField(bound, s.target.FormatBound(at.Add(-time.Second)))
	}
}
