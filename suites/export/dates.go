package export

import (
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
)

// legible tells why no date of a column can be read, nil when some can. How a file writes dates is not documented: another
// notation is no fault, and no bound can be made of it.
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

// undoubted tells a row whose date is one instant without doubt.
func undoubted(key statement.Key) func(statement.Quote) bool {
	return func(q statement.Quote) bool { return q.Moment(key).Usable() }
}
