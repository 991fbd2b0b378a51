package export

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// query is what an export is asked for.
type query struct {
	label   string
	fields  target.Fields
	header  map[string]string
	company control.Company        // what stands beside it by the seed
	as      *deployment.Credential // nil: the main credential
	most    int64                  // bytes of the file that are enough; 0: all of it
	brief   bool                   // a file that may be large: what is kept of most rows is a digest
	open    bool                   // a bound is left out: the file may go on beyond what is compared
	twin    bool                   // it shows beside which partners the window is the same
}

// sheet is one export seen to its end: started, fetched, read. What stopped it on the way is kept, because some rules
// are about just that.
type sheet struct {
	query   query
	answer  *client.Exchange
	fileID  string
	fetched client.ExportFile

	refused   bool               // the export was not accepted
	variation error              // what is refused as others are that have the same in them
	fault     *client.FetchError // the file could not be fetched
	broken    error              // the file is not CSV
	alien     error              // its columns do not fit the deployment file

	overflows bool // it is of a part of the window, and holds far more rows than the window has there

	unlike  []*sheet          // the same beside a partner more, where that holds other rows
	dropped map[string]*sheet // by partner, whatever came of the export that is not the same beside it

	csv   *statement.Statement
	table *statement.Table
	rows  []statement.Quote // in the file's order; a quote that is repeated stands here once
}

// download is an export to be seen to its end.
type download = *spec.Observation[*sheet]

// read parses the file as it arrives, from its beginning: what an earlier attempt read is forgotten.
func (sh *sheet) read(r io.Reader, conf deployment.CSV, keep statement.Keep) {
	var zone *time.Location
	if conf.TimeZone != "" {
		zone, _ = time.LoadLocation(conf.TimeZone) // the deployment file was refused if this failed
	}
	sh.csv, sh.table, sh.broken, sh.alien = statement.Read(r, conf.Columns, zone, keep)
}

// finish looks at what was read. The last row of a file that was cut may not be whole, or the cut goes through one.
func (sh *sheet) finish() {
	if sh.fetched.Cut && sh.csv != nil {
		if sh.broken == nil && sh.table != nil {
			sh.table.DropLast()
		}
		sh.broken = nil
	}
	if sh.broken == nil && sh.alien == nil {
		sh.rows = distinct(sh.table.Quotes())
	}
}

// complete returns why rows may be missing that the file has; nil: none are.
func (sh *sheet) complete() error {
	if sh.overflows {
		return spec.Unclear("the export of a part of the window holds %d rows, far more than the window has there; "+
			"see %s and %s", sh.table.Count(), spec.Ref("export.range.start_inclusive"), spec.Ref("export.range.end_exclusive"))
	}
	if sh.usable() == nil && sh.query.most == 0 && !sh.query.open && sh.fetched.Cut {
		return spec.Unclear("the file of the export %q goes on beyond the %d MiB that are read of a part of the window",
			sh.query.label, enoughOfAPart>>20)
	}
	return nil
}

// held is how many quotes the file holds, each counted once where all are kept.
func (sh *sheet) held() int {
	if sh.table != nil && sh.table.Count() > sh.table.Kept() {
		return sh.table.Count()
	}
	return len(sh.rows)
}

// absent returns what reports that the file surely does not hold a row that is not among those kept, given that it is
// one of those that exports are compared with. Of a file that was cut that is so where it would stand before the cut.
func (sh *sheet) absent(key statement.Key) func(statement.Quote) bool {
	if !sh.fetched.Cut {
		return func(statement.Quote) bool { return true }
	}
	rising := sh.query.fields["order"] == "asc"
	if len(sh.rows) == 0 || Disorder(sh.rows, key, rising) != "" {
		return func(statement.Quote) bool { return false }
	}
	last := sh.rows[len(sh.rows)-1].Moment(key)
	return func(q statement.Quote) bool {
		at := q.Moment(key)
		return at.Usable() && last.Usable() &&
			(rising && at.Time.Before(last.Time) || !rising && at.Time.After(last.Time))
	}
}

// lacks returns those of some rows that the file surely does not hold.
func (sh *sheet) lacks(want []statement.Quote, key statement.Key) []statement.Quote {
	return pick(statement.Difference(want, sh.rows), sh.absent(key))
}

// usable returns why the sheet shows no rows, nil when it does.
func (sh *sheet) usable() error {
	switch {
	case sh.variation != nil:
		return sh.variation
	case sh.refused:
		return spec.Unclear("the export %q was not accepted: %s", sh.query.label, target.Describe(sh.answer))
	case sh.fault != nil && sh.fault.Fault == client.NotConfigured:
		return spec.Unmet("export.file", "")
	case sh.fault != nil:
		return spec.Unclear("the file of the export %q could not be fetched: %s; see %s",
			sh.query.label, sh.fault.Error(), spec.Ref("export.file.retrievable"))
	case sh.broken != nil:
		return spec.Unclear("the file of the export %q cannot be read: %v; see %s", sh.query.label,
			sh.broken, spec.Ref("export.file.csv"))
	case sh.alien != nil:
		return spec.Unmet("export.csv.columns", "%v", sh.alien)
	}
	return nil
}

// dated returns why the date that key names cannot be used, nil when it can. A sheet without rows needs none.
func (sh *sheet) dated(key statement.Key) error {
	if err := sh.usable(); err != nil {
		return err
	}
	if !sh.table.Has(key) {
		return spec.Unmet("export.csv.columns", "no column of the file is known to hold %s", key)
	}
	if sh.table.NeedsZone(key) {
		return spec.Unmet("export.csv.time_zone", "the dates of %s carry no offset", key)
	}
	return nil
}

// legible returns why no date of a column can be read, nil when some can. How a file writes dates is not documented:
// another notation is not a fault, and no bound can be made of it.
func (sh *sheet) legible(key statement.Key) error {
	if err := sh.dated(key); err != nil {
		return err
	}
	if sample := sh.table.Strange(key); sample != "" {
		return spec.Unmet("", "the dates of %s, in the column %q, are in a notation that cannot be read, such as %q; "+
			"ISO 8601 can, RFC 2822, DD/MM/YYYY, and seconds or milliseconds since 1970", key,
			sh.table.Title(key), sample)
	}
	return nil
}

// started, ended, parsed and bound report how far an export came: to an answer, a file, a table, and known columns.
func (sh *sheet) started() bool { return !sh.refused }
func (sh *sheet) ended() bool   { return !sh.refused && sh.fault == nil }
func (sh *sheet) parsed() bool  { return sh.csv != nil && (sh.broken == nil || sh.blank()) }
func (sh *sheet) bound() bool   { return sh.table != nil }

// blank reports a file without a single byte that says anything: no row, but no titles either.
func (sh *sheet) blank() bool { return errors.Is(sh.broken, statement.ErrEmpty) }

// empty reports a file that could be read and shows no quote; one row beside may be of totals.
func (sh *sheet) empty() bool {
	return sh.blank() || sh.usable() == nil && len(sh.rows) == 0 && sh.table.Others().Count < 2
}

// denied reports a refusal that speaks about the request.
func (sh *sheet) denied() bool { return sh.refused && sh.answer.Refusal() }

// gaveNothing reports an export that was refused, or whose file holds nothing.
func (sh *sheet) gaveNothing() bool { return sh.blank() || sh.denied() }

// fileless returns why an export of which no quote was expected shows nothing: no file came of it, and whether one
// has to is not documented. nil: that is not the reason.
func (sh *sheet) fileless() error {
	if sh.fault == nil || !sh.fault.NoFile() {
		return nil
	}
	return spec.Unmet("", "no file came of the export (%s), which may be how the deployment answers one without quotes",
		sh.fault.Error())
}

// foreign reports a file of another format than CSV, or JSON in its place.
func (sh *sheet) foreign() bool {
	return sh.fault != nil && sh.fault.Fault == client.Unusable || sh.broken != nil && !sh.blank()
}

// distinct takes the repetitions of a quote, which are observed by themselves, out of a slice. Rows without an ID all
// stay, because two quotes may look the same.
func distinct(quotes []statement.Quote) []statement.Quote {
	known := make(map[string]bool, len(quotes))
	return slices.DeleteFunc(quotes, func(q statement.Quote) bool {
		again := known[q.Identity]
		known[q.Identity] = true
		return again && !q.Joined
	})
}

func pick(quotes []statement.Quote, keep func(statement.Quote) bool) []statement.Quote {
	var kept []statement.Quote
	for _, q := range quotes {
		if keep(q) {
			kept = append(kept, q)
		}
	}
	return kept
}

// every reports whether something holds for every one of some quotes.
func every(quotes []statement.Quote, is func(statement.Quote) bool) bool {
	return !slices.ContainsFunc(quotes, func(q statement.Quote) bool { return !is(q) })
}

func divide(quotes []statement.Quote, keep func(statement.Quote) bool) (kept, others []statement.Quote) {
	for _, q := range quotes {
		if keep(q) {
			kept = append(kept, q)
		} else {
			others = append(others, q)
		}
	}
	return kept, others
}
