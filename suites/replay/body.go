package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/suites/target"
)

// bodies change the body. Most are alike for whoever puts together carelessly what is compared of it: those are tried
// where one identifier is compared at most, and changes of single fields without a value.
func (s *Suite) bodies() []change {
	type fields = target.ExportFields
	const hashed, alike = "Aa", "BB"   // which String.hashCode of Java takes for the same, and JavaScript that copies it
	text := "Ga " + s.t.RunID + hashed // short: how long a text may be is open
	filter := fields{"filter_type": "client_id", "filter_text": text}
	long := strings.Repeat("x", 5<<10)
	openEnd := func(c *target.Request) { body(filter)(c); c.RemoveFields("date_end") }
	none, careless := []string{"none"}, []string{"none", "nonce", "transaction"}
	const accented = "adds only an accent to the filter text"
	list := []change{
		{words: "changes only the start", everywhere: true, edit: func(c *target.Request) { s.moved(c, "date_start", 0) }},
		{words: "changes only the end", modes: none, edit: func(c *target.Request) { s.moved(c, "date_end", time.Second) }},
		{
			words: "gives the start as end, and no start", group: "a start only", modes: careless, first: openEnd,
			edit: func(c *target.Request) {
				c.SetField("date_end", c.Fields["date_start"])
				c.RemoveFields("date_start")
			},
		},
		{
			words: "moves the start into the filter text", group: "a start only", modes: careless, first: openEnd,
			edit: func(c *target.Request) {
				c.SetField("filter_text", fmt.Sprint(c.Fields["date_start"], text))
				c.RemoveFields("date_start")
			},
		},
		{
			words: "changes only what stands behind 5 KiB of its body", group: "a long text", modes: careless,
			first: body(fields{"filter_type": "client_id", "filter_text": long + "a"}), edit: body(fields{"filter_text": long + "b"}),
		},
	}
	for _, b := range []struct {
		words        string
		modes        []string
		before, then fields
		after        string // the change to which it is an answer
	}{
		{"changes only the sort", none, fields{"sort": "quote_created_at"}, fields{"sort": "settled_date"}, ""},
		{"changes only the order", none, fields{"order": "desc"}, fields{"order": "asc"}, ""},
		{"leaves out filter_type", none, filter, fields{"filter_type": nil}, ""},
		{"changes only the letter case of the filter text", none, filter, fields{"filter_text": strings.ToLower(text)}, ""},
		// inside the text: frameworks take away what stands around one before anybody compares it
		{"adds only a blank to the filter text", careless, filter, fields{"filter_text": strings.Replace(text, " ", "  ", 1)}, ""},
		{accented, careless, filter, fields{"filter_text": text + "\u0301"}, ""},
		{"changes only an accent of the filter text", careless, filter, fields{"filter_text": text + "\u0300"}, accented},
		{"changes only letters that a hash of 32 bits takes for the same", none, filter, fields{"filter_text": "Ga " + s.t.RunID + alike}, ""},
		{"puts the letters of the filter text in another order", careless, filter, fields{"filter_text": reversed(text)}, ""},
		{
			"moves the filter type into the filter text", careless, filter,
			fields{"filter_text": text + "filter_typeclient_id", "filter_type": nil},
			"",
		},
	} {
		list = append(list, change{words: b.words, modes: b.modes, first: body(b.before), edit: body(b.then), after: b.after})
	}
	return of("other_body", list...)
}

// body gives a body some fields, and takes those away whose value is nil.
func body(fields target.ExportFields) func(*target.Request) {
	return func(c *target.Request) {
		for name, value := range fields {
			if c.SetField(name, value); value == nil {
				c.RemoveFields(name)
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
func (s *Suite) moved(c *target.Request, bound string, by time.Duration) {
	text, _ := c.Fields[bound].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic("a bound of our own that is not a date-time: " + text)
	}
	second := at.Truncate(time.Second)
	other := (at.Sub(second) + time.Duration(1+rand.IntN(999))*time.Millisecond) % time.Second
	if c.SetField(bound, s.t.FormatBound(second.Add(by+other))); c.Fields[bound] == text { // in whole seconds
		c.SetField(bound, s.t.FormatBound(at.Add(-time.Second)))
	}
}
