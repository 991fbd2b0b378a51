// Package model predicts the rows of a quote statement export, both as documented and under
// common misreadings of the document. It explains the exports seen by the simplest of these
// readings, and chooses exports that tell readings apart. It knows only the rows that the run
// has seen.
package model

import (
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/statement"
)

// DateKey names one of the two dates of a row.
type DateKey int

// The dates that an export can be sorted by.
const (
	DateCreated DateKey = iota
	DateSettled
)

// Column returns the column of the date.
func (k DateKey) Column() statement.ColumnKey {
	return []statement.ColumnKey{statement.ColumnCreatedAt, statement.ColumnSettledDate}[k]
}

func (k DateKey) String() string { return string(k.Column()) }

// Other returns the other date.
func (k DateKey) Other() DateKey { return 1 - k }

// unknownTime marks a bound that is not given or a date that is not known.
const unknownTime = math.MinInt64

// RowDate is a date of a row, as exactly as the file shows it: an instant in [From, Until), in
// nanoseconds since 1970, or in the same interval shifted by Later.
type RowDate struct {
	From, Until int64
	Later       int64 // shift of a local time that occurs twice; 0: none
	None        bool  // the quote has no such date
}

// UnknownDate returns a date that no file shows legibly.
func UnknownDate() RowDate { return RowDate{From: unknownTime} }

// IsExact reports whether the date is known and unambiguous, to the digits that the file shows.
func (d RowDate) IsExact() bool { return !d.None && d.From != unknownTime && d.Later == 0 }

// String returns the date in UTC, to its last digit.
func (d RowDate) String() string {
	if d.None || d.From == unknownTime {
		return "no date"
	}
	return time.Unix(0, d.From).UTC().Format(time.RFC3339Nano)
}

// ObservedQuote is a quote that some file showed. Rows without an ID that look the same count as
// one.
type ObservedQuote struct {
	ID       string
	Dates    [2]RowDate
	Client   string  // empty: unknown
	Wallet   string  // as the file shows it
	Unsteady bool    // it appeared, vanished or changed during the run: ignore it
	may      Origins // origins possible by the wallet that it shows
}

// Universe holds the rows that a run saw, and the exports that it saw them in.
type Universe struct {
	Wallets [2]string // the caller's default wallet and the other one; empty: unknown
	// Zoneless: dates without an offset may be read in the wrong zone.
	Zoneless bool

	Rows    []ObservedQuote
	Redated []Redating // quotes that some file showed with other dates than the first
	Exports []*SeenExport
	Unit    [2]time.Duration // smallest unit that each date shows; 0: none
	places  map[string]int
	// suspects are rows that the documented reading does not explain.
	suspects []int
}

// SeenExport is an export whose file was read, or which was refused.
type SeenExport struct {
	Query
	Rows       []int // indices into Universe.Rows, in the order of the file
	ReadInPart bool  // only the beginning of the file was read
	// Refused: a deployment may refuse an export that would hold no rows. A refusal can refute a
	// hypothesis, but explains nothing.
	Refused bool
	// Plain: the export asks for little more than the window, so its rows say most about their
	// owners.
	Plain bool
	Seq   int // sequence number of the exchange that started it

	has    []bool     // by row: whether it is among Rows; rows found later are missing
	sorted [2][2]bool // by date, then Rising or Falling; ties and unknown dates do not count
	plain  ExportPlan // the documented plan
}

// HoldsRow reports whether a row of the universe is in the file.
func (e *SeenExport) HoldsRow(row int) bool { return row < len(e.has) && e.has[row] }

// differences counts the settings and bounds in which two exports differ.
func (e *SeenExport) differences(other *SeenExport) (n int) {
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

// SameBody reports whether the bodies of two exports are the same. They may differ in headers.
func (e *SeenExport) SameBody(other *SeenExport) bool {
	a, b := e.Query, other.Query
	return a.Sort == b.Sort && a.Order == b.Order && a.Start == b.Start && a.End == b.End &&
		a.Filter == b.Filter && a.Extension == b.Extension
}

// SelectsAs reports whether two exports ask for the same rows in the same order.
func (e *SeenExport) SelectsAs(other *SeenExport) bool {
	return e.SameBody(other) && e.User == other.User && e.Wallet == other.Wallet && e.Key == other.Key
}

// AddExport adds an export and its rows to the universe. A row keeps the values of the first
// file that shows it. It becomes unsteady where another file without a language shows other
// dates.
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
			if !r.Unsteady && !old.Unsteady {
				u.noteRedating(old, r.Dates, e.Seq)
			}
			old.Unsteady = true
		}
		e.Rows = append(e.Rows, at)
	}
	u.Exports = append(u.Exports, e)
	return e
}

// Redating is a quote of which an export shows another date than the first that holds it.
type Redating struct {
	ID      string
	Key     DateKey
	Was, Is RowDate
	Seq     int // of the later export
}

// noteRedating notes that an export shows other dates of a quote.
func (u *Universe) noteRedating(old *ObservedQuote, dates [2]RowDate, seq int) {
	key := DateCreated
	if old.Dates[key] == dates[key] {
		key = DateSettled
	}
	u.Redated = append(u.Redated, Redating{old.ID, key, old.Dates[key], dates[key], seq})
}

// Prepare derives what the other methods need. Call it after the last AddExport.
func (u *Universe) Prepare() {
	var shown [2]bool // wallets that no file shows may not be the caller's
	for w, id := range u.Wallets {
		shown[w] = slices.ContainsFunc(u.Rows,
			func(r ObservedQuote) bool { return id != "" && r.Wallet == id })
	}
	for k := range u.Unit {
		dated := slices.ContainsFunc(u.Rows,
			func(r ObservedQuote) bool { return r.Dates[k].From != unknownTime && !r.Dates[k].None })
		for i := range u.Rows {
			if d := &u.Rows[i].Dates[k]; d.None && !dated { // the file may lack this date
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

// inspectExport sets the derived fields of an export.
func (u *Universe) inspectExport(e *SeenExport) {
	e.has = make([]bool, len(u.Rows))
	e.sorted = [2][2]bool{{true, true}, {true, true}}
	var last [2]RowDate
	for _, at := range e.Rows {
		e.has[at] = true
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

// MarkUnsteady marks a row that appeared, vanished or changed. It returns 1 if the row was not
// marked before, else 0.
func (u *Universe) MarkUnsteady(id string) int {
	at, known := u.places[id]
	if !known || u.Rows[at].Unsteady {
		return 0
	}
	u.Rows[at].Unsteady = true
	return 1
}
