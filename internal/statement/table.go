package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
)

// Key names a column that rules need. Its value is the key below export.csv.columns in the deployment file.
type Key string

// The columns that rules know about.
const (
	CreatedAt   Key = "quote_created_at"
	SettledDate Key = "settled_date"
	ID          Key = "id"
	ClientID    Key = "client_id"
	WalletID    Key = "wallet_id"
)

// documented lists, for each key, the titles it is found by where none is configured, compared without case, spaces,
// underscores and hyphens. The first that is there counts.
func documented(key Key) []string {
	switch key {
	case ID:
		return []string{"id", "quoteid", "uuid"}
	case WalletID:
		return []string{"walletid", "walletuuid"}
	}
	return []string{plain(string(key))}
}

// Table is a statement whose columns are known.
type Table struct {
	titles   map[Key]string
	dates    map[Key]dateSummary
	count    int // of the quotes, whether they are kept or not
	quotes   []Quote
	lastKept bool // the last row of the file is the last of quotes
	others   int  // rows that are not quotes
	padded   bool // blanks stand around a client
}

// Quote is one row. Identity is its id cell; without one it is the dates, client and wallet together, and Joined is
// set. Client is empty where it is not known, as of clients whose IDs differ in blanks alone.
type Quote struct {
	Identity    string
	Joined      bool
	Client      string
	Wallet      string
	CreatedAt   Moment
	SettledDate Moment
	Row         Row
	Cells       uint64 // a hash of all its cells

	padded bool // blanks stand around the client
}

func (q *Quote) moment(key Key) *Moment {
	if key == CreatedAt {
		return &q.CreatedAt
	}
	return &q.SettledDate
}

// Moment is the date that a sort by key goes by; a key that is not a date gives an empty one.
func (q Quote) Moment(key Key) Moment {
	switch key {
	case CreatedAt:
		return q.CreatedAt
	case SettledDate:
		return q.SettledDate
	}
	return Moment{Empty: true}
}

// find gives the index of a key's column, -1 when the file has none and none is configured.
func (s *Statement) find(key Key, title string) (int, error) {
	if title != "" {
		found := s.matching(func(column string) bool { return strings.TrimSpace(column) == strings.TrimSpace(title) })
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
	for _, name := range documented(key) {
		found := s.matching(func(column string) bool { return plain(column) == name })
		if len(found) > 1 { // the documented spelling itself settles it
			if exact := s.matching(func(column string) bool { return column == string(key) }); len(exact) == 1 {
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

func (s *Statement) matching(fits func(string) bool) []int {
	var found []int
	for i, column := range s.Columns {
		if fits(column) {
			found = append(found, i)
		}
	}
	return found
}

// titleList quotes the titles for a message, shortened where a file has absurdly many or long ones. Pieces of character
// references are left out: where semicolons separate the columns, a credential in them is no longer seen as one.
func (s *Statement) titleList() string {
	const most, longest = 60, 80
	var list []string
	for _, column := range s.Columns[:min(len(s.Columns), most)] {
		piece, _, found := strings.Cut(column, "&#")
		if found {
			piece += "&#…"
		}
		list = append(list, strconv.Quote(printable.Fit(piece, longest)))
	}
	if more := len(s.Columns) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// Has reports whether the file has the column.
func (t *Table) Has(key Key) bool { _, ok := t.titles[key]; return ok }

// Title is the column's title as the file writes it, "" without such a column.
func (t *Table) Title(key Key) string { return t.titles[key] }

// Count is how many quotes the file holds.
func (t *Table) Count() int { return t.count }

// Others is how many rows are not quotes: without a date and without an ID, such as one that holds the sum of a column. What
// else than quotes a file holds is not documented.
func (t *Table) Others() int { return t.others }

// Kept is how many quotes are kept.
func (t *Table) Kept() int { return len(t.quotes) }

// DropLast forgets the last row that was read, where it is kept.
func (t *Table) DropLast() {
	if t.lastKept {
		t.quotes, t.count, t.lastKept = t.quotes[:len(t.quotes)-1], t.count-1, false
	}
}

// Quotes gives the rows that are kept, in the order of the file. The slice is the caller's.
func (t *Table) Quotes() []Quote { return slices.Clone(t.quotes) }

// NeedsZone reports whether dates carry no offset and no zone was given, in any of the keys' columns or, without
// keys, in any column: export.csv.time_zone of the deployment file is what is missing.
func (t *Table) NeedsZone(keys ...Key) bool {
	if len(keys) == 0 {
		keys = []Key{CreatedAt, SettledDate}
	}
	return slices.ContainsFunc(keys, func(key Key) bool { return t.dates[key].needsZone })
}

// Bare reports dates that carry no offset of their own, in any column.
func (t *Table) Bare() bool { return t.dates[CreatedAt].bare || t.dates[SettledDate].bare }

// Precision is the smallest unit that a date column shows, 0 without any date.
func (t *Table) Precision(key Key) time.Duration { return t.dates[key].precision }

// join makes one text of all cells that no other row of cells gives.
func join(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString(strconv.Itoa(len(cell)))
		b.WriteByte(':')
		b.WriteString(cell)
	}
	return b.String()
}

// joints are what titles of several words may have between them.
var joints = strings.NewReplacer(" ", "", "_", "", "-", "")

// plain reduces a title to what titles are compared by.
func plain(title string) string { return strings.ToLower(joints.Replace(strings.TrimSpace(title))) }
