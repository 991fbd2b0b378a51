package export

import (
	"errors"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// usable returns why the sheet shows no rows, nil when it does.
func (sh *sheet) usable() error {
	switch {
	case sh.refused:
		return spec.Unclear("the export %q was not accepted: %s", sh.query.label, target.Describe(sh.answer))
	case sh.fault != nil && sh.fault.Fault == client.NotConfigured:
		return spec.Unmet("export.file", "")
	case sh.fault != nil:
		return spec.Unclear("the file of the export %q could not be fetched: %s", sh.query.label, sh.fault.Error())
	case sh.broken != nil:
		return spec.Unclear("the file of the export %q cannot be read: %v", sh.query.label, sh.broken)
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
			"ISO 8601 can, DD/MM/YYYY, and whole seconds or milliseconds since 1970", key, sh.table.Title(key), sample)
	}
	return nil
}

// blank reports a file without a single byte that says anything: no row, but no titles either.
func (sh *sheet) blank() bool { return errors.Is(sh.broken, statement.ErrEmpty) }

// empty reports a file that could be read and shows no quote; one row beside may be of totals.
func (sh *sheet) empty() bool {
	return sh.blank() || sh.usable() == nil && len(sh.rows) == 0 && len(sh.table.Others()) < 2
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

// distinct leaves out the repetitions of a quote, which are observed by themselves. Rows without an ID are all kept,
// because two quotes may look the same.
func distinct(quotes []statement.Quote) []statement.Quote {
	known := map[string]bool{}
	kept := make([]statement.Quote, 0, len(quotes))
	for _, q := range quotes {
		if !q.Joined && known[q.Identity] {
			continue
		}
		known[q.Identity] = true
		kept = append(kept, q)
	}
	return kept
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
