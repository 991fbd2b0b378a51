package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// ColumnKey names a column that rules need. Its value is the key below export.csv.columns in the
// deployment file.
type ColumnKey string

// The columns that rules know about.
const (
	ColumnCreatedAt   ColumnKey = "quote_created_at"
	ColumnSettledDate ColumnKey = "settled_date"
	ColumnID          ColumnKey = "id"
	ColumnClientID    ColumnKey = "client_id"
	ColumnWalletID    ColumnKey = "wallet_id"
)

// documentedTitles lists, for each key, the titles it is found by where none is configured,
// compared without case, spaces, underscores and hyphens. The first that is there counts.
func documentedTitles(key ColumnKey) []string {
	switch key {
	case ColumnID:
		return []string{"id", "quoteid", "uuid"}
	case ColumnWalletID:
		return []string{"walletid", "walletuuid"}
	}
	return []string{normaliseTitle(string(key))}
}

// Table is a statement whose columns are known.
type Table struct {
	titles   map[ColumnKey]string
	dates    map[ColumnKey]dateSummary
	count    int // of the quotes, whether they are kept or not
	quotes   []Quote
	lastKept bool // the last row of the file is the last of quotes
	others   int  // rows that are not quotes
	padded   bool // blanks stand around a client
}

// Quote is one row. Identity is its id cell; without one it is the dates, client and wallet
// together, and IdentityIsJoined is set. Client is empty where it is not known, as of clients whose
// IDs differ in blanks alone.
type Quote struct {
	Identity         string
	IdentityIsJoined bool
	Client           string
	Wallet           string
	CreatedAt        DateCell
	SettledDate      DateCell
	Row              Row
	Cells            uint64 // a hash of all its cells

	padded  bool   // blanks stand around the client
	columns [3]int // of the ID and the two dates
}

// Marks are the ID and the dates of a quote, as the file writes them, in the order of its columns.
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

// DateFor is the date that a sort by key goes by; a key that is not a date gives an empty one.
func (q Quote) DateFor(key ColumnKey) DateCell {
	switch key {
	case ColumnCreatedAt:
		return q.CreatedAt
	case ColumnSettledDate:
		return q.SettledDate
	}
	return DateCell{Empty: true}
}

// findColumn gives the index of a key's column, -1 when the file has none and none is configured.
func (s *Statement) findColumn(key ColumnKey, title string) (int, error) {
	if title != "" {
		found := s.matchingColumns(
			func(column string) bool { return strings.TrimSpace(column) == strings.TrimSpace(title) })
		switch len(found) {
		case 1:
			return found[0], nil
		case 0:
			return -1, &ParseError{Line: 1, Key: key, Detail: fmt.Sprintf(
				"export.csv.columns.%s is %q, but the file has no such column; its columns are %s",
				key, title, s.titleList())}
		}
		return -1, &ParseError{Line: 1, Key: key, Detail: fmt.Sprintf(
			"export.csv.columns.%s is %q, and %d columns of the file have that title",
			key, title, len(found))}
	}
	for _, name := range documentedTitles(key) {
		found := s.matchingColumns(func(column string) bool { return normaliseTitle(column) == name })
		if len(found) > 1 { // the documented spelling itself settles it
			if exact := s.matchingColumns(func(column string) bool { return column == string(key) }); len(
				exact,
			) == 1 {
				found = exact
			}
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		return -1, &ParseError{Line: 1, Key: key, Detail: fmt.Sprintf(
			"%d columns could be %s; name the right one in export.csv.columns.%s: its columns are %s",
			len(found), key, key, s.titleList())}
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

// titleList quotes the titles for a message, shortened where a file has absurdly many or long ones.
// Pieces of character references are left out: where semicolons separate the columns, a credential
// in them is no longer seen as one.
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

// HasColumn reports whether the file has the column.
func (t *Table) HasColumn(key ColumnKey) bool { _, ok := t.titles[key]; return ok }

// Title is the column's title as the file writes it, "" without such a column.
func (t *Table) Title(key ColumnKey) string { return t.titles[key] }

// QuoteCount is how many quotes the file holds.
func (t *Table) QuoteCount() int { return t.count }

// OtherRowCount is how many rows are not quotes: without a date and without an ID, such as one that
// holds the sum of a column. What else than quotes a file holds is not documented.
func (t *Table) OtherRowCount() int { return t.others }

// KeptCount is how many quotes are kept.
func (t *Table) KeptCount() int { return len(t.quotes) }

// DropLast forgets the last row that was read, where it is kept.
func (t *Table) DropLast() {
	if t.lastKept {
		t.quotes, t.count, t.lastKept = t.quotes[:len(t.quotes)-1], t.count-1, false
	}
}

// Quotes gives the rows that are kept, in the order of the file. The slice is the caller's.
func (t *Table) Quotes() []Quote { return slices.Clone(t.quotes) }

// NeedsZone reports whether dates carry no offset and no zone was given, in any of the keys'
// columns or, without keys, in any column: export.csv.time_zone of the deployment file is what is
// missing.
func (t *Table) NeedsZone(keys ...ColumnKey) bool {
	if len(keys) == 0 {
		keys = []ColumnKey{ColumnCreatedAt, ColumnSettledDate}
	}
	return slices.ContainsFunc(keys, func(key ColumnKey) bool { return t.dates[key].needsZone })
}

// HasUnzonedDates reports dates that carry no offset of their own, in any column.
func (t *Table) HasUnzonedDates() bool {
	return t.dates[ColumnCreatedAt].bare || t.dates[ColumnSettledDate].bare
}

// Precision is the smallest unit that a date column shows, 0 without any date.
func (t *Table) Precision(key ColumnKey) time.Duration { return t.dates[key].precision }

// joinCells makes one text of all cells that no other row of cells gives.
func joinCells(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString(strconv.Itoa(len(cell)))
		b.WriteByte(':')
		b.WriteString(cell)
	}
	return b.String()
}

// titleSeparators are what titles of several words may have between them.
var titleSeparators = strings.NewReplacer(" ", "", "_", "", "-", "")

// normaliseTitle reduces a title to what titles are compared by.
func normaliseTitle(title string) string {
	return strings.ToLower(titleSeparators.Replace(strings.TrimSpace(title)))
}
