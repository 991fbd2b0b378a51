package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
)

// ColumnKey names a column that rules use, by its key under export.csv.columns in the
// deployment file.
type ColumnKey string

// The columns that rules use.
const (
	ColumnCreatedAt   ColumnKey = "quote_created_at"
	ColumnSettledDate ColumnKey = "settled_date"
	ColumnID          ColumnKey = "id"
	ColumnClientID    ColumnKey = "client_id"
	ColumnWalletID    ColumnKey = "wallet_id"
)

// configuredColumn is a column and its title in the deployment file; empty: none.
type configuredColumn struct {
	key   ColumnKey
	title string
}

func configuredColumns(cols deployment.Columns) []configuredColumn {
	return []configuredColumn{
		{ColumnID, cols.ID},
		{ColumnClientID, cols.ClientID},
		{ColumnWalletID, cols.WalletID},
		{ColumnCreatedAt, cols.QuoteCreatedAt},
		{ColumnSettledDate, cols.SettledDate},
	}
}

// documentedTitles returns the titles by which a column is found if none is configured, in
// order of preference and in the form of normaliseTitle.
func documentedTitles(key ColumnKey) []string {
	switch key {
	case ColumnID:
		return []string{"id", "quoteid", "uuid"}
	case ColumnWalletID:
		return []string{"walletid", "walletuuid"}
	}
	return []string{normaliseTitle(string(key))}
}

// Table holds the quotes of a statement.
type Table struct {
	titles   map[ColumnKey]string
	dates    map[ColumnKey]dateSummary
	count    int // of all quotes, kept or not
	quotes   []Quote
	lastKept bool // the last row of the file is the last of quotes
	others   int  // rows that are not quotes
	padded   bool // a client has surrounding blanks or a guard
}

// Quote is one row. Identity is its ID; without an ID column it joins the dates, client and
// wallet, and IdentityIsJoined is set. Client is empty if it is unknown or ambiguous.
type Quote struct {
	Identity         string
	IdentityIsJoined bool
	Client           string
	Wallet           string
	CreatedAt        DateCell
	SettledDate      DateCell
	Line             int    // on which its row starts
	Cells            uint64 // hash of all cells

	blank   bool   // the client has surrounding blanks
	padded  bool   // it has these or a guard
	columns [3]int // of the ID, the creation and the settled date
}

// Marks returns the ID and the dates of a quote as written, in the order of the file's columns.
func (q Quote) Marks() (texts []string) {
	all := [...]string{q.Identity, q.CreatedAt.Text, q.SettledDate.Text}
	order := []int{0, 1, 2}
	slices.SortFunc(order, func(a, b int) int { return q.columns[a] - q.columns[b] })
	for _, i := range order {
		if q.columns[i] >= 0 && all[i] != "" {
			texts = append(texts, all[i])
		}
	}
	return texts
}

func (q *Quote) dateCell(key ColumnKey) *DateCell {
	if key == ColumnCreatedAt {
		return &q.CreatedAt
	}
	return &q.SettledDate
}

// DateFor returns the date of a column, or an empty one if the column holds no dates.
func (q Quote) DateFor(key ColumnKey) DateCell {
	if key != ColumnCreatedAt && key != ColumnSettledDate {
		return DateCell{Empty: true}
	}
	return *q.dateCell(key)
}

// findColumn returns the index of a column, or -1 if the file has none and none is configured.
func (s *Statement) findColumn(key ColumnKey, title string) (int, error) {
	fail := func(format string, values ...any) (int, error) {
		return -1, &ParseError{Line: 1, Key: key, Detail: fmt.Sprintf(format, values...)}
	}
	if title != "" {
		found := s.matchingColumns(
			func(column string) bool { return strings.TrimSpace(column) == strings.TrimSpace(title) })
		switch len(found) {
		case 0:
			return fail("export.csv.columns.%s is %q, but the file has no such column; its columns are %s",
				key, title, s.titleList())
		case 1:
			return found[0], nil
		}
		return fail("export.csv.columns.%s is %q, and %d columns of the file have that title",
			key, title, len(found))
	}
	exact := s.matchingColumns(func(column string) bool { return column == string(key) })
	for _, name := range documentedTitles(key) {
		found := s.matchingColumns(func(column string) bool { return normaliseTitle(column) == name })
		if len(found) > 1 && len(exact) == 1 { // prefer the documented spelling
			found = exact
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		return fail("%d columns could be %s; name the right one in export.csv.columns.%s: its columns "+
			"are %s", len(found), key, key, s.titleList())
	}
	return -1, nil
}

func (s *Statement) matchingColumns(fits func(string) bool) []int {
	var found []int
	for i, column := range s.Columns {
		if fits(column) {
			found = append(found, i)
		}
	}
	return found
}

// titleList quotes the titles for a message and shortens long lists and titles. It cuts titles
// at character references: if semicolons separate the columns, a credential split by them would
// not be recognised.
func (s *Statement) titleList() string {
	const most, longest = 60, 80
	var list []string
	for _, column := range s.Columns[:min(len(s.Columns), most)] {
		piece, _, found := strings.Cut(column, "&#")
		if found {
			piece += "&#…"
		}
		list = append(list, strconv.Quote(printable.TruncateToWidth(piece, longest)))
	}
	if more := len(s.Columns) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// HasColumn reports whether the file has a column.
func (t *Table) HasColumn(key ColumnKey) bool { _, ok := t.titles[key]; return ok }

// Title returns the title of a column as written, or "".
func (t *Table) Title(key ColumnKey) string { return t.titles[key] }

// QuoteCount returns the number of quotes in the file.
func (t *Table) QuoteCount() int { return t.count }

// OtherRowCount returns the number of rows that are not quotes, such as totals. The document
// does not say what else a file may hold.
func (t *Table) OtherRowCount() int { return t.others }

// KeptCount returns the number of quotes that were kept.
func (t *Table) KeptCount() int { return len(t.quotes) }

// DropLast removes the last row of the file, if it was kept.
func (t *Table) DropLast() {
	if t.lastKept {
		t.quotes, t.count, t.lastKept = t.quotes[:len(t.quotes)-1], t.count-1, false
	}
}

// Quotes returns a copy of the kept quotes in the order of the file.
func (t *Table) Quotes() []Quote { return slices.Clone(t.quotes) }

// NeedsZone reports whether dates have no offset and no zone was given (export.csv.time_zone).
// It looks at the columns of keys, or at all if there are none.
func (t *Table) NeedsZone(keys ...ColumnKey) bool {
	if len(keys) == 0 {
		keys = []ColumnKey{ColumnCreatedAt, ColumnSettledDate}
	}
	return slices.ContainsFunc(keys, func(key ColumnKey) bool { return t.dates[key].needsZone })
}

// HasUnzonedDates reports whether a date in any column has no offset.
func (t *Table) HasUnzonedDates() bool {
	return t.dates[ColumnCreatedAt].bare || t.dates[ColumnSettledDate].bare
}

// Precision returns the smallest unit that a date column shows, without zeros that pad all its
// fractions; 0: no dates.
func (t *Table) Precision(key ColumnKey) time.Duration { return t.dates[key].precision }

// joinCells returns a text that is different for different cells.
func joinCells(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString(strconv.Itoa(len(cell)))
		b.WriteByte(':')
		b.WriteString(cell)
	}
	return b.String()
}

// titleSeparators removes what may separate words in titles.
var titleSeparators = strings.NewReplacer(" ", "", "_", "", "-", "")

// normaliseTitle returns a title in a form that compares equal for equivalent titles.
func normaliseTitle(title string) string {
	return strings.ToLower(titleSeparators.Replace(strings.TrimSpace(title)))
}
