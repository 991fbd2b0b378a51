// Package model says which rows an export of the quote statement holds: as the document has it, and
// as a deployment would have it that reads exports in one of the ways that are commonly mistaken.
// It explains exports that were seen by the simplest of these, and chooses the exports that tell
// them apart. It knows nothing of a deployment's data but the rows that were seen.
package model

import (
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/statement"
)

// DateKey is one of the two dates of a row.
type DateKey int

// The dates that an export can be sorted by.
const (
	DateCreated DateKey = iota
	DateSettled
)

func (k DateKey) String() string {
	return string([]statement.ColumnKey{statement.ColumnCreatedAt, statement.ColumnSettledDate}[k])
}

// Other is the other date.
func (k DateKey) Other() DateKey { return 1 - k }

// unknownTime is a bound that is not given, and a date that is not known.
const unknownTime = math.MinInt64

// RowDate is a date of a row, as exactly as files show it: it is an instant of [From, Until), in
// nanoseconds since 1970, or of the same an offset later.
type RowDate struct {
	From, Until int64
	Later       int64 // for a local time that happens twice; 0 for any other
	None        bool  // the quote has no such date
}

// UnknownDate is one that no file shows so that it can be read.
func UnknownDate() RowDate { return RowDate{From: unknownTime} }

// IsExact reports a date that is one instant to the digits that the file shows.
func (d RowDate) IsExact() bool { return !d.None && d.From != unknownTime && d.Later == 0 }

// ObservedQuote is a quote that some file showed. Rows without an ID that look the same are one.
type ObservedQuote struct {
	ID       string
	Dates    [2]RowDate
	Client   string  // empty: not known
	Wallet   string  // as the file shows it
	Unsteady bool    // it came, went or changed while the run went on: nothing is said about it
	may      Origins // whose it may be, by the wallet that it shows
}

// Universe is every row that the run saw, and the exports that it saw them in.
type Universe struct {
	Wallets [2]string // the caller's default wallet and the other one; empty: not known
	// Dates that carry no offset of their own may be read in the wrong zone.
	Zoneless bool

	Rows    []ObservedQuote
	Exports []*SeenExport
	Unit    [2]time.Duration // smallest that each date shows; 0: none does
	places  map[string]int
	// Rows that the documented reading does not explain.
	suspects []int
}

// SeenExport is one that was seen to its end.
type SeenExport struct {
	Query
	Rows []int // places of its rows in the universe, in the order of the file
	Cut  bool  // the file goes on beyond what was read
	// A deployment may refuse what it would give no row for: that speaks against a way in which a rule
	// is broken, and explains nothing.
	Refused bool
	// of the window, with next to nothing else asked for: it says more than others of whose its rows
	// are
	Plain bool
	Seq   int // of the exchange that started it

	has    []uint64   // set of Rows
	sorted [2][2]bool // by date; rising or falling. Ties and dates that are not known do not count
	plain  ExportPlan // as documented
}

// HoldsRow reports whether a row of the universe is in the file.
func (e *SeenExport) HoldsRow(row int) bool {
	return row/64 < len(e.has) && e.has[row/64]&(1<<(row%64)) != 0
}

// Differences counts the choices in which two exports differ, with their bounds.
func (e *SeenExport) Differences(other *SeenExport) (n int) {
	a, b := e.settings(), other.settings()
	for _, s := range a {
		if !slices.Contains(b, s) {
			n++
		}
	}
	if e.Start != other.Start {
		n++
	}
	if e.End != other.End {
		n++
	}
	return n
}

// SameBody reports two exports whose bodies are the same: they differ in headers only.
func (e *SeenExport) SameBody(other *SeenExport) bool {
	a, b := e.Query, other.Query
	return a.Sort == b.Sort && a.Order == b.Order && a.Start == b.Start && a.End == b.End &&
		a.Filter == b.Filter && a.Extension == b.Extension
}

// SelectsAs reports two exports that ask for the same rows in the same order.
func (e *SeenExport) SelectsAs(other *SeenExport) bool {
	return e.SameBody(other) && e.User == other.User && e.Wallet == other.Wallet && e.Key == other.Key
}

// AddExport adds an export with its rows to the universe. What rows say of themselves is taken from
// the first file that shows them; a row that other files of no language show with other dates is
// unsteady.
func (u *Universe) AddExport(e *SeenExport, rows []ObservedQuote) *SeenExport {
	if u.places == nil {
		u.places = map[string]int{}
	}
	e.Rows = e.Rows[:0]
	for _, r := range rows {
		at, known := u.places[r.ID]
		if !known {
			at = len(u.Rows)
			u.places[r.ID] = at
			u.Rows = append(u.Rows, r)
		} else if old := &u.Rows[at]; r.Unsteady || e.Language == "" && old.Dates != r.Dates {
			old.Unsteady = true
		}
		e.Rows = append(e.Rows, at)
	}
	u.Exports = append(u.Exports, e)
	return e
}

// Prepare prepares what follows from all that was learned.
func (u *Universe) Prepare() {
	var shown [2]bool // a wallet that no file shows may not be the caller's
	for w, id := range u.Wallets {
		shown[w] = slices.ContainsFunc(u.Rows,
			func(r ObservedQuote) bool { return id != "" && r.Wallet == id })
	}
	for k := range u.Unit {
		dated := slices.ContainsFunc(u.Rows,
			func(r ObservedQuote) bool { return r.Dates[k].From != unknownTime && !r.Dates[k].None })
		for i := range u.Rows {
			if d := &u.Rows[i].Dates[k]; d.None && !dated { // the file may not show it
				*d = UnknownDate()
			}
		}
	}
	for i := range u.Rows {
		r := &u.Rows[i]
		r.may = allOrigins
		for w, id := range u.Wallets {
			switch {
			case !shown[w]:
			case r.Wallet == id:
				r.may = originsInWallet[w] & originsOfOwner[OwnerCaller]
			default:
				r.may &^= originsInWallet[w] & originsOfOwner[OwnerCaller]
			}
		}
	}
	for _, e := range u.Exports {
		u.inspectExport(e)
	}
}

// inspectExport works out what an export shows.
func (u *Universe) inspectExport(e *SeenExport) {
	e.has = make([]uint64, len(u.Rows)/64+1)
	e.sorted = [2][2]bool{{true, true}, {true, true}}
	var last [2]RowDate
	for _, at := range e.Rows {
		e.has[at/64] |= 1 << (at % 64)
		r := &u.Rows[at]
		if r.Unsteady {
			continue
		}
		for k, d := range r.Dates {
			if !d.IsExact() {
				continue
			}
			if before := last[k]; before.Until != 0 {
				e.sorted[k][Rising] = e.sorted[k][Rising] && d.From >= before.From
				e.sorted[k][Falling] = e.sorted[k][Falling] && d.From <= before.From
			}
			last[k] = d
		}
	}
	e.plain = u.documentedPlan(&e.Query)
}

// MarkUnsteady notes that a row came, went or changed, and returns 1 where that is news.
func (u *Universe) MarkUnsteady(id string) int {
	at, known := u.places[id]
	if !known || u.Rows[at].Unsteady {
		return 0
	}
	u.Rows[at].Unsteady = true
	return 1
}
