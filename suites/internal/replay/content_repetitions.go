package replay

import (
	"fmt"
	"maps"
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
	changed := func(description string, other url.Values) repetition {
		return repetition{
			description: description, standardModes: modesNone, group: "a query",
			prepare: setQuery(url.Values{"a": {"Gateassay1"}, "b": {"34"}}), edit: setQuery(other),
		}
	}
	all := []repetition{
		{
			description: otherQuery, inConfigurations: true,
			edit: func(call *target.Request) { call.Query = uniqueQuery() },
		},
		changed("changes only the value of a query parameter",
			url.Values{"a": {"Gateassay2"}, "b": {"34"}}),
		changed("changes only the letter case of a query", url.Values{"a": {"gateassay1"}, "b": {"34"}}),
		changed("changes only the name of a query parameter",
			url.Values{"a": {"Gateassay1"}, "c": {"34"}}),
		changed("moves a digit from one query parameter to the next",
			url.Values{"a": {"Gateassay13"}, "b": {"4"}}),
		{
			description: "moves a field from the query to the body", standardModes: modesNone,
			group: "a field in the query",
			prepare: func(call *target.Request) {
				call.Query = uniqueQuery()
				call.Query.Set("filter_text", s.target.RunID)
				call.Fields = target.ExportFields{"order": "desc"}
			},
			edit: func(call *target.Request) {
				call.Query = maps.Clone(call.Query)
				call.Query.Del("filter_text")
				call.SetField("filter_text", s.target.RunID)
			},
		},
	}
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
	long := strings.Repeat("x", 5<<10)
	reversed := []rune(text)
	slices.Reverse(reversed)
	changed := func(description string, standardModes []string, first, other fields) repetition {
		return repetition{
			description: description, standardModes: standardModes,
			prepare: setFields(first), edit: setFields(other),
		}
	}
	withStartOnly := func(description string, edit requestEdit) repetition {
		return repetition{
			description: description, standardModes: modesOneIdentifierAtMost, group: "a start only",
			prepare: setFields(fields{"filter_type": "client_id", "filter_text": text, "date_end": nil}),
			edit:    edit,
		}
	}
	all := []repetition{
		{
			description: "changes only the start", inConfigurations: true,
			edit: func(call *target.Request) { s.moveBound(call, "date_start", 0) },
		},
		{
			description: "changes only the end", standardModes: modesNone,
			edit: func(call *target.Request) { s.moveBound(call, "date_end", time.Second) },
		},
		withStartOnly("gives the start as end, and no start", func(call *target.Request) {
			call.SetField("date_end", call.Fields["date_start"])
			call.RemoveFields("date_start")
		}),
		withStartOnly("moves the start into the filter text", func(call *target.Request) {
			call.SetField("filter_text", fmt.Sprint(call.Fields["date_start"], text))
			call.RemoveFields("date_start")
		}),
		{
			description: "changes its body only after the first 5 KiB", group: "a long text",
			standardModes: modesOneIdentifierAtMost,
			prepare:       setFields(fields{"filter_type": "client_id", "filter_text": long + "a"}),
			edit:          setFields(fields{"filter_text": long + "b"}),
		},
		changed("changes only the sort", modesNone, fields{"sort": "quote_created_at"},
			fields{"sort": "settled_date"}),
		changed("changes only the order", modesNone, fields{"order": "desc"}, fields{"order": "asc"}),
		changed("leaves out filter_type", modesNone, filter, fields{"filter_type": nil}),
		changed("changes only the letter case of the filter text", modesNone, filter,
			fields{"filter_text": strings.ToLower(text)}),
		// inside the text, as frameworks may trim its ends before the comparison
		changed("adds only a blank to the filter text", modesOneIdentifierAtMost, filter,
			fields{"filter_text": strings.Replace(text, " ", "  ", 1)}),
		changed(addedAccent, modesOneIdentifierAtMost, filter, fields{"filter_text": text + "\u0301"}),
		{
			description:   "changes only an accent of the filter text",
			standardModes: modesOneIdentifierAtMost, follows: addedAccent,
			prepare: setFields(filter), edit: setFields(fields{"filter_text": text + "\u0300"}),
		},
		// Java's String.hashCode, and JavaScript copies of it, take BB for Aa
		changed("changes only letters that a 32-bit hash confuses", modesNone, filter,
			fields{"filter_text": "Ga " + s.target.RunID + "BB"}),
		changed("puts the letters of the filter text in another order", modesOneIdentifierAtMost, filter,
			fields{"filter_text": string(reversed)}),
		changed("moves the filter type into the filter text", modesOneIdentifierAtMost, filter,
			fields{"filter_text": text + "filter_typeclient_id", "filter_type": nil}),
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
	moved := second.Add(by + other)
	if s.target.FormatBound(moved) == text { // in whole seconds
		moved = at.Add(-time.Second)
	}
	call.SetField(bound, s.target.UniqueBound(moved))
}
