package reference

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
)

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }

// allWallets selects every wallet; only a fault does.
const allWallets = "*"

// noWallet selects none; only a fault does.
const noWallet = "-"

const (
	byCreated = "quote_created_at"
	bySettled = "settled_date"
)

// selection is what an export asks for.
type selection struct {
	Wallet     string
	named      bool   // the wallet was given
	sort       string // byCreated or bySettled
	ascending  bool
	client     string    // empty: every client
	start, end time.Time // zero: open
	startText  string    // as written
	endText    string
	defaulted  bool // sort was not given
}

// read takes the selection from a body and says what is wrong with it. Null counts as omitted.
func (s *selection) read(g *Gateway, body object) []issue {
	var issues []issue
	text := func(field string) string {
		value, sent := body[field]
		if !sent || value == nil {
			return ""
		}
		text, ok := value.(string)
		switch {
		case !ok:
			issues = append(issues, issue{field + ".type", field, "expected text, found " + kindOf(value)})
		case text == "" && field != "filter_text":
			issues = append(issues, issue{field + ".empty", field, "found empty text"})
		}
		return text
	}
	choice := func(field string, allowed ...string) string {
		value := text(field)
		if value == "" || slices.Contains(allowed, value) {
			return value
		}
		issues = append(issues, issue{field + ".set", field, "expected one of " + strings.Join(allowed, ", ")})
		return ""
	}
	bound := func(field string) (time.Time, string) {
		value := text(field)
		if value == "" {
			return time.Time{}, ""
		}
		t, ok := parseDateTime(value)
		if !ok || !strings.Contains(value, ".") && g.fault("export.success.whole_seconds_rejected") {
			issues = append(issues, issue{field + ".format", field, "expected an RFC 3339 date-time with its offset"})
		}
		return t, value
	}
	sort := choice("sort", byCreated, bySettled)
	s.defaulted = sort == ""
	if s.sort = sort; s.defaulted {
		s.sort = byCreated
	}
	order := choice("order", "asc", "desc")
	s.ascending = order == "asc"
	if order == "" && g.fault("export.default.order_asc") {
		s.ascending = true
	}
	if s.defaulted && g.fault("export.default.sort_settled") {
		s.sort = bySettled
	}
	filtered := choice("filter_type", "client_id") != ""
	if client := text("filter_text"); filtered {
		s.client = client
	}
	switch {
	case order != "":
	case filtered && g.fault("export.default.order_asc_filtered"), len(body) == 0 && g.fault("export.default.order_asc_bare"):
		s.ascending = true
	}
	switch {
	case !s.defaulted:
	case filtered && g.fault("export.default.sort_settled_filtered"), len(body) == 0 && g.fault("export.default.sort_settled_bare"):
		s.sort = bySettled
	}
	s.start, s.startText = bound("date_start")
	s.end, s.endText = bound("date_end")
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

// choose gives the quotes that a selection keeps, in its order. Quotes without the chosen date are kept while no bound
// applies, and come last. Ties are ordered by ID.
func (s selection) choose(quotes []quote) []quote {
	var kept []quote
	for _, q := range quotes {
		if s.keeps(q) {
			kept = append(kept, q)
		}
	}
	s.arrange(kept)
	return kept
}

func (s selection) keeps(q quote) bool {
	date := q.date(s.sort)
	switch {
	case s.Wallet != q.wallet && s.Wallet != allWallets, s.client != "" && s.client != q.client:
		return false
	case !s.start.IsZero() && (date.IsZero() || date.Before(s.start)):
		return false
	case !s.end.IsZero() && (date.IsZero() || !date.Before(s.end)):
		return false
	}
	return true
}

func (s selection) arrange(quotes []quote) {
	slices.SortFunc(quotes, func(a, b quote) int {
		x, y := a.date(s.sort), b.date(s.sort)
		order := x.Compare(y)
		switch {
		case order == 0:
			return cmp.Compare(a.id, b.id)
		case x.IsZero():
			return 1
		case y.IsZero():
			return -1
		case s.ascending:
			return order
		}
		return -order
	})
}
