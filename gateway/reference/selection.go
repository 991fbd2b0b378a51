package reference

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
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
	Anybody   bool   `json:"anybody,omitempty"` // a filter type without a filter text was given
	Start     string `json:"start,omitempty"`
	End       string `json:"end,omitempty"`
}

// readSelection takes the selection from the body and notes what is wrong with it. Null counts as omitted.
func (q *call) readSelection() {
	text := func(field string) string {
		value := q.body[field]
		text, ok := value.(string)
		switch {
		case value == nil:
		case !ok:
			q.wrong(field+".type", field, "expected text, found "+kindOf(value))
		case text == "" && field != "filter_text":
			q.wrong(field+".empty", field, "found empty text")
		}
		return text
	}
	choice := func(field string, allowed ...string) string {
		value := text(field)
		if value == "" || slices.Contains(allowed, value) {
			return value
		}
		q.wrong(field+".set", field, "expected one of "+strings.Join(allowed, ", "))
		return ""
	}
	bound := func(field string) string {
		value := text(field)
		if _, ok := parseDateTime(value); !ok && value != "" {
			q.wrong(field+".format", field, "expected an RFC 3339 date-time with its offset")
			return ""
		}
		return value
	}
	s := &q.selection
	s.Bare = len(q.body) == 0
	s.Sort, s.Order = choice("sort", byCreated, bySettled), choice("order", "asc", "desc")
	filtered := choice("filter_type", "client_id") != ""
	if client := text("filter_text"); filtered {
		s.Client, s.Anybody = client, client == ""
	}
	s.Start, s.End = bound("date_start"), bound("date_end")
	choice("type_extension", "CSV")
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

func (q *quote) date(sort string) time.Time {
	if sort == bySettled {
		return q.settled
	}
	return q.created
}

// stock are quotes that a file can be chosen from, and their places in the ascending order of each date: those without the date come last, and ties are ordered by ID.
type stock struct {
	quotes []quote
	places map[string][]uint32
	made   *sync.Map // stocks that faults made of it, by what they are
}

func newStock(quotes []quote) stock {
	s := stock{quotes: quotes, made: &sync.Map{}}
	s.places = map[string][]uint32{byCreated: s.ranked(byCreated), bySettled: s.ranked(bySettled)}
	return s
}

// changed is what a fault makes of a stock, which it does once: to copy and rank a million quotes takes seconds.
func (s stock) changed(what any, change func(quotes []quote) []quote) stock {
	made, _ := s.made.LoadOrStore(what, sync.OnceValue(func() stock {
		return newStock(change(slices.Clip(slices.Clone(s.quotes))))
	}))
	return made.(func() stock)()
}

// ranked are the places of the quotes in the order of a date.
func (s stock) ranked(by string) []uint32 {
	places := make([]uint32, len(s.quotes))
	for i := range places {
		places[i] = uint32(i)
	}
	slices.SortFunc(places, func(i, j uint32) int {
		a, b := &s.quotes[i], &s.quotes[j]
		x, y := a.date(by), b.date(by)
		switch {
		case x.Equal(y):
			return cmp.Compare(a.id, b.id)
		case x.IsZero():
			return 1
		case y.IsZero():
			return -1
		}
		return x.Compare(y)
	})
	return places
}

// choice is how the quotes of a file are chosen.
type choice struct {
	selection
	from       stock
	wallets    []string
	products   []string
	sort       string // orders the quotes
	bounded    string // the date that the bounds apply to
	ascending  bool
	start, end time.Time // zero: open
	isClient   func(id string) bool
	keeps      func(q *quote) bool // in place of the bounds; nil: they decide
}

func (s selection) choose(from stock) *choice {
	c := &choice{
		selection: s, from: from, wallets: []string{s.Wallet}, products: []string{s.Product},
		sort:      cmp.Or(s.Sort, byCreated),
		ascending: s.Order == "asc",
	}
	c.bounded = c.sort
	c.start, _ = parseDateTime(s.Start)
	c.end, _ = parseDateTime(s.End)
	c.isClient = func(id string) bool { return id == s.Client }
	return c
}

func (c *choice) matches(q *quote) bool {
	return slices.Contains(c.wallets, q.wallet) && slices.Contains(c.products, q.product) &&
		(c.Client == "" || c.isClient(q.client))
}

// within reports whether a quote lies between the bounds. One without the date does while no bound applies.
func (c *choice) within(q *quote) bool {
	date := q.date(c.bounded)
	if date.IsZero() {
		return c.start.IsZero() && c.end.IsZero()
	}
	return !date.Before(c.start) && (c.end.IsZero() || date.Before(c.end))
}

// ranked are the places of the quotes that the bounds keep, in the order of the date that they are sorted by, and of
// those without that date. Where it is the date of the bounds, they are found without a look at the others.
func (c *choice) ranked() (dated, undated []uint32) {
	places, found := c.from.places[c.sort], c.bounded == c.sort && c.keeps == nil
	if keeps := c.keeps; !found {
		if keeps == nil {
			keeps = c.within
		}
		places = slices.DeleteFunc(slices.Clone(places), func(i uint32) bool { return !keeps(&c.from.quotes[i]) })
	}
	first := func(of []uint32, holds func(date time.Time) bool) int {
		return sort.Search(len(of), func(i int) bool { return holds(c.from.quotes[of[i]].date(c.sort)) })
	}
	n := first(places, time.Time.IsZero)
	dated, undated = places[:n], places[n:]
	if found && !c.end.IsZero() {
		dated, undated = dated[:first(dated, func(date time.Time) bool { return !date.Before(c.end) })], nil
	}
	if found && !c.start.IsZero() {
		dated, undated = dated[first(dated, func(date time.Time) bool { return !date.Before(c.start) }):], nil
	}
	return dated, undated
}

// quotes are those of the file, in order: ties are ordered by ID, and those without the date come last.
func (c *choice) quotes() iter.Seq[*quote] {
	return func(yield func(*quote) bool) {
		visit := func(places []uint32) bool {
			for _, i := range places {
				if q := &c.from.quotes[i]; c.matches(q) && !yield(q) {
					return false
				}
			}
			return true
		}
		dated, undated := c.ranked()
		if c.ascending {
			_ = visit(dated) && visit(undated)
			return
		}
		date := func(i int) time.Time { return c.from.quotes[dated[i]].date(c.sort) }
		for end := len(dated); end > 0; {
			begin := end - 1
			for begin > 0 && date(begin-1).Equal(date(end-1)) {
				begin--
			}
			if !visit(dated[begin:end]) {
				return
			}
			end = begin
		}
		visit(undated)
	}
}
