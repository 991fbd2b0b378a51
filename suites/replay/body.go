package replay

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// otherBodies change the body. Most are alike for whoever puts together carelessly what is compared of it.
func (s *Suite) otherBodies() []change {
	type fields = target.Fields
	text := "Ga " + s.t.Run // short: how long a text may be is open
	filter := fields{"filter_type": "client_id", "filter_text": text}
	long := strings.Repeat("x", 5<<10)
	toStart := func(end bool) func(*target.ExportCall) {
		return func(c *target.ExportCall) {
			start, _ := c.Fields["date_start"].(string)
			if c.Fields = c.Fields.Without("date_start"); end {
				c.Fields = c.Fields.With("date_end", start)
			} else {
				c.Fields = c.Fields.With("filter_text", start+text)
			}
		}
	}
	careless, open := in("none", "nonce", "transaction"), having(filter, fields{"date_end": nil})
	const accented = "adds only an accent to the filter text"
	list := []change{
		{words: "changes only the start", everywhere: true, apply: to(func(c *target.ExportCall) { s.moved(c, "date_start", 0) })},
		{words: "changes only the end", apply: to(func(c *target.ExportCall) { s.moved(c, "date_end", time.Second) })},
		{words: "gives the start as end, and no start", group: byStart, only: careless, first: open, apply: to(toStart(true))},
		{words: "moves the start into the filter text", group: byStart, only: careless, first: open, apply: to(toStart(false))},
	}
	for _, b := range []struct {
		words, group, after string
		only                func(rules.Mode) bool
		before, then        fields
	}{
		{words: "changes only the sort", before: fields{"sort": "quote_created_at"}, then: fields{"sort": "settled_date"}},
		{words: "changes only the order", before: fields{"order": "desc"}, then: fields{"order": "asc"}},
		{words: "leaves out type_extension", before: fields{"type_extension": "CSV"}, then: fields{"type_extension": nil}},
		{words: "leaves out filter_type", before: filter, then: fields{"filter_type": nil}},
		{
			words: "changes only the letter case of the filter text", before: filter,
			then: fields{"filter_text": strings.ToLower(text)},
		},
		{words: "adds only a blank to the filter text", before: filter, then: fields{"filter_text": text + " "}},
		{words: accented, before: filter, then: fields{"filter_text": text + "\u0301"}},
		{
			words: "changes only an accent of the filter text", after: accented, only: careless, before: filter,
			then: fields{"filter_text": text + "\u0300"},
		},
		{
			words: "puts the letters of the filter text in another order", only: careless, before: filter,
			then: fields{"filter_text": reversed(text)},
		},
		{
			words: "moves the filter type into the filter text", only: careless, before: filter,
			then: fields{"filter_text": text + "filter_typeclient_id", "filter_type": nil},
		},
		{
			words: "changes only what stands behind 5 KiB of its body", group: byText,
			only:   in("none", "nonce", "transaction", "nonce_transaction"),
			before: fields{"filter_type": "client_id", "filter_text": long + "a"}, then: fields{"filter_text": long + "b"},
		},
	} {
		list = append(list, change{
			words: b.words, group: b.group, after: b.after, only: b.only, first: having(b.before), apply: to(having(b.then)),
		})
	}
	for i := range list {
		list[i].cell = "other_body"
	}
	return list
}

// having gives a body some fields, and takes those away whose value is nil.
func having(all ...target.Fields) func(*target.ExportCall) {
	return func(c *target.ExportCall) {
		for _, fields := range all {
			for name, value := range fields {
				if c.Fields = c.Fields.With(name, value); value == nil {
					c.Fields = c.Fields.Without(name)
				}
			}
		}
	}
}

func reversed(text string) string {
	letters := []rune(text)
	slices.Reverse(letters)
	return string(letters)
}

// moved gives a bound another millisecond, and moves it by more, so that no other run makes the same body of the same one.
func (s *Suite) moved(c *target.ExportCall, bound string, by time.Duration) {
	text, _ := c.Fields[bound].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic("a bound of our own that is not a date-time: " + text)
	}
	second := at.Truncate(time.Second)
	other := (at.Sub(second) + time.Duration(1+rand.IntN(999))*time.Millisecond) % time.Second
	if c.Fields = c.Fields.With(bound, s.t.Instant(second.Add(by+other))); c.Fields[bound] == text { // in whole seconds
		c.Fields = c.Fields.With(bound, s.t.Instant(at.Add(-time.Second)))
	}
}
