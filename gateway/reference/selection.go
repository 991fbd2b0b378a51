package reference

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	byCreated = "quote_created_at"
	bySettled = "settled_date"
)

// selection is what an export asks for, in its own words; what it does not say is empty.
type selection struct {
	Wallet    string `json:"wallet,omitempty"`
	Named     bool   `json:"named,omitempty"` // the wallet was given
	Product   string `json:"product,omitempty"`
	InProduct bool   `json:"in_product,omitempty"` // the product was given
	Bare      bool   `json:"bare,omitempty"`       // the body is an empty object
	Sort      string `json:"sort,omitempty"`
	Order     string `json:"order,omitempty"`
	Client    string `json:"client,omitempty"`
	Start     string `json:"start,omitempty"`
	End       string `json:"end,omitempty"`
}

// read takes the selection from a body and returns what is wrong with it. Null counts as omitted.
func (s *selection) read(body object) []issue {
	var issues []issue
	text := func(field string) string {
		value, sent := body[field]
		if !sent || value == nil {
			return ""
		}
		text, ok := value.(string)
		switch {
		case !ok:
			issues = append(issues, wrong(field+".type", field, "expected text, found "+kindOf(value))...)
		case text == "" && field != "filter_text":
			issues = append(issues, wrong(field+".empty", field, "found empty text")...)
		}
		return text
	}
	choice := func(field string, allowed ...string) string {
		value := text(field)
		if value == "" || slices.Contains(allowed, value) {
			return value
		}
		issues = append(issues, wrong(field+".set", field, "expected one of "+strings.Join(allowed, ", "))...)
		return ""
	}
	bound := func(field string) string {
		value := text(field)
		if _, ok := parseDateTime(value); !ok && value != "" {
			issues = append(issues, wrong(field+".format", field, "expected an RFC 3339 date-time with its offset")...)
			return ""
		}
		return value
	}
	s.Bare = len(body) == 0
	s.Sort, s.Order = choice("sort", byCreated, bySettled), choice("order", "asc", "desc")
	filtered := choice("filter_type", "client_id") != ""
	if client := text("filter_text"); filtered {
		s.Client = client
	}
	s.Start, s.End = bound("date_start"), bound("date_end")
	choice("type_extension", "CSV")
	return issues
}

var dateTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,18})?(Z|[+-]\d{2}:\d{2})$`)

// parseDateTime reads an RFC 3339 date-time of any offset. Digits beyond nanoseconds are cut.
func parseDateTime(text string) (time.Time, bool) {
	text = strings.ToUpper(text)
	if !dateTime.MatchString(text) {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	return t, err == nil
}

func (q quote) date(sort string) time.Time {
	if sort == bySettled {
		return q.settled
	}
	return q.created
}

// choice is how the quotes of a file are chosen.
type choice struct {
	selection
	from       []quote
	wallets    []string
	products   []string
	sort       string // orders the quotes
	bounded    string // the date that the bounds apply to
	ascending  bool
	start, end time.Time // zero: open
	isClient   func(id string) bool
	keeps      func(q quote) bool
}

func (s selection) choose(from []quote) *choice {
	c := &choice{
		selection: s, from: from, wallets: []string{s.Wallet}, products: []string{s.Product},
		sort:      cmp.Or(s.Sort, byCreated),
		ascending: s.Order == "asc",
	}
	c.bounded = c.sort
	c.start, _ = parseDateTime(s.Start)
	c.end, _ = parseDateTime(s.End)
	c.isClient = func(id string) bool { return id == s.Client }
	c.keeps = func(q quote) bool { return c.matches(q) && c.within(q) }
	return c
}

func (c *choice) matches(q quote) bool {
	return slices.Contains(c.wallets, q.wallet) && slices.Contains(c.products,
		q.product) && (c.Client == "" || c.isClient(q.client))
}

// within reports whether a quote lies between the bounds. One without the date does while no bound applies.
func (c *choice) within(q quote) bool {
	date := q.date(c.bounded)
	if date.IsZero() {
		return c.start.IsZero() && c.end.IsZero()
	}
	return !date.Before(c.start) && (c.end.IsZero() || date.Before(c.end))
}

// quotes are those that are kept, in order.
func (c *choice) quotes() []quote {
	var kept []quote
	for _, q := range c.from {
		if c.keeps(q) {
			kept = append(kept, q)
		}
	}
	slices.SortFunc(kept, func(a, b quote) int { return order(&a, &b, c.sort, c.ascending) })
	return kept
}

// order compares two quotes by a date. Quotes without it come last, ties are ordered by ID.
func order(a, b *quote, by string, ascending bool) int {
	x, y := a.date(by), b.date(by)
	switch {
	case x.Equal(y):
		return cmp.Compare(a.id, b.id)
	case x.IsZero():
		return 1
	case y.IsZero():
		return -1
	case ascending:
		return x.Compare(y)
	}
	return y.Compare(x)
}
