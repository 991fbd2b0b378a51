package reference

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

const dateTimeMillis = "2006-01-02T15:04:05.000Z07:00"

// handleExport answers POST /v1/reports/quote-statement/exports. Replay protection does not
// remember rejected requests.
func (q *request) handleExport() {
	if !q.requireCaller() {
		return
	}
	q.transaction = strings.ToLower(q.r.Header.Get(q.names.TransactionID))
	q.readCommonHeaders()
	q.readWallet()
	q.readReplayMode()
	q.readJSONBody()
	if q.values = maps.Clone(q.body); q.body != nil {
		q.gateway.applyEffects(q, postedFields(q.values))
		q.readSelection()
	}
	if q.refuseIfDefective() {
		return
	}
	q.file = &exportFile{
		ID: q.gateway.newFileID(), Caller: q.caller.id, Owner: q.runsAs.id, Selection: q.selection,
		Created: q.gateway.now(),
	}
	if !q.storeUnlessReplay() {
		q.respondRefusal(q.gateway.choices.BlockStatus, "replayed")
		return
	}
	q.respond("exported", q.gateway.choices.ExportStatus, jsonObject{
		"file_id": q.file.ID, "file_state": q.gateway.fileStateObject(fileQueued),
		"created_at": q.file.Created.UTC().Format(dateTimeMillis),
	})
}

func (g *Gateway) newFileID() string {
	if g.choices.NumericIDs {
		return strconv.FormatUint(rand.Uint64N(9e15)+1e15, 10)
	}
	return uuid.NewString()
}

// readWallet reads the wallet header. The default wallet applies if it is absent or empty.
func (q *request) readWallet() {
	const header = "x-wallet-uuid"
	value := strings.ToLower(q.r.Header.Get(header))
	wallets := q.runsAs.person.wallets
	q.selection.Wallet, q.selection.Named = wallets[0], value != ""
	switch {
	case slices.Contains(wallets, value):
		q.selection.Wallet = value
	case value != "" && !uuidPattern.MatchString(value):
		q.addDefect(0, "header.wallet.format", header, value, "expected a UUID")
	case value != "":
		q.addDefect(0, "header.wallet.unknown", header, value, "no wallet of this user has this ID")
	}
}

// exportFile is an export. Its rows are computed when it is fetched.
type exportFile struct {
	ID            string
	Caller, Owner string // users: who requested it, and whose quotes it holds
	Selection     exportSelection
	Created       time.Time
}

// findFile returns the file of an ID, or nil.
func (g *Gateway) findFile(id string) *exportFile {
	var f exportFile
	g.store.atomically(func() { g.store.get("file", id, &f) })
	if f.Owner == "" {
		return nil
	}
	return &f
}

const (
	sortByCreated = "quote_created_at"
	sortBySettled = "settled_date"
)

// exportSelection is what an export requests, as written; omitted parts are empty.
type exportSelection struct {
	Wallet    string
	Named     bool // the wallet was given
	Product   string
	InProduct bool // the product was given
	Bare      bool // the body is an empty object
	Sort      string
	Order     string
	Client    string
	Start     string
	End       string
}

// readSelection reads the selection from the body and adds its defects. Null counts as omitted.
func (q *request) readSelection() {
	text := func(field string) string {
		value := q.values[field]
		text, ok := value.(string)
		switch {
		case value == nil:
		case !ok:
			q.addDefect(0, field+".type", field, value, "expected text, found "+jsonKindOf(value))
		case text == "" && field != "filter_text":
			q.addDefect(0, field+".empty", field, value, "found empty text")
		}
		return text
	}
	choice := func(field string, allowed ...string) string {
		value := text(field)
		if value == "" || slices.Contains(allowed, value) {
			return value
		}
		q.addDefect(0, field+".set", field, value, "expected one of "+strings.Join(allowed, ", "))
		return ""
	}
	bound := func(field string) string {
		value := text(field)
		if _, ok := parseDateTime(value); !ok && value != "" {
			q.addDefect(0, field+".format", field, value, "expected an RFC 3339 date-time with its offset")
			return ""
		}
		return value
	}
	s := &q.selection
	s.Bare = len(q.body) == 0
	s.Sort, s.Order = choice("sort", sortByCreated, sortBySettled), choice("order", "asc", "desc")
	if client := text("filter_text"); choice("filter_type", "client_id") != "" {
		s.Client = client
	}
	s.Start, s.End = bound("date_start"), bound("date_end")
	choice("type_extension", "CSV")
}

var dateTimePattern = regexp.MustCompile(
	`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,18})?(Z|[+-]\d{2}:\d{2})$`)

// parseDateTime parses an RFC 3339 date-time with any offset. Digits beyond nanoseconds are cut
// off.
func parseDateTime(text string) (time.Time, bool) {
	text = strings.ToUpper(text)
	if !dateTimePattern.MatchString(text) {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	return t, err == nil
}

func (q *quote) dateFor(sort string) time.Time {
	if sort == sortBySettled {
		return q.settled
	}
	return q.created
}

// quoteSelection determines which quotes a file holds.
type quoteSelection struct {
	exportSelection
	candidates  []quote
	wallets     []string
	products    []string
	sort        string // orders the quotes
	boundedDate string // the date that start and end apply to
	ascending   bool
	start, end  time.Time // zero: open
	isClient    func(id string) bool
	keeps       func(q *quote) bool // replaces isInRange; nil: isInRange
}

func (s exportSelection) newQuoteSelection(from []quote) *quoteSelection {
	c := &quoteSelection{
		exportSelection: s, candidates: from, wallets: []string{s.Wallet}, products: []string{s.Product},
		sort: cmp.Or(s.Sort, sortByCreated), ascending: s.Order == "asc",
		isClient: func(id string) bool { return id == s.Client },
	}
	c.boundedDate = c.sort
	c.start, _ = parseDateTime(s.Start)
	c.end, _ = parseDateTime(s.End)
	return c
}

// isInRange reports whether a quote lies between the bounds. A quote without the date does if
// there are no bounds.
func (c *quoteSelection) isInRange(q *quote) bool {
	date := q.dateFor(c.boundedDate)
	if date.IsZero() {
		return hasNoBounds(c)
	}
	return !date.Before(c.start) && (c.end.IsZero() || date.Before(c.end))
}

// quotes returns the selected quotes in order. Ties are ordered by ID; quotes without the date
// come last.
func (c *quoteSelection) quotes() (chosen []*quote) {
	keeps := c.keeps
	if keeps == nil {
		keeps = c.isInRange
	}
	for i := range c.candidates {
		if q := &c.candidates[i]; slices.Contains(c.wallets, q.wallet) &&
			slices.Contains(c.products, q.product) && (c.Client == "" || c.isClient(q.client)) && keeps(q) {
			chosen = append(chosen, q)
		}
	}
	slices.SortFunc(chosen, func(a, b *quote) int {
		x, y := a.dateFor(c.sort), b.dateFor(c.sort)
		switch {
		case x.Equal(y):
			return cmp.Compare(a.id, b.id)
		case x.IsZero():
			return 1
		case y.IsZero():
			return -1
		case c.ascending:
			return x.Compare(y)
		}
		return y.Compare(x)
	})
	return chosen
}
