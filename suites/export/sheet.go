package export

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// query is what an export is asked for.
type query struct {
	label string
	asked model.Query // what the model knows of it
	make  edit
	as    *deployment.Credential
	most  int64 // bytes of the file that are enough; 0: all of it
}

// sheet is one export seen to its end: started, fetched, read. What stopped it on the way is kept,
// because some rules are about just that.
type sheet struct {
	query   query
	answer  *client.Exchange
	fileID  string
	fetched client.ExportFile

	refused bool               // the export was not accepted
	fault   *client.FetchError // the file could not be fetched
	broken  error              // the file is not CSV
	alien   error              // its columns do not fit the deployment file

	csv   *statement.Statement
	table *statement.Table
	rows  []statement.Quote // in the file's order; a quote that is repeated stands here once

	// of the first one: the range that exports are compared in; nil: there is no window
	extent *deployment.Window
}

// download is an export to be seen to its end.
type download = *spec.Observation[*sheet]

// usable waits for an export, and returns why it shows no rows, nil when it does.
func usable(ctx context.Context, o download) (*sheet, error) {
	sh, err := o.Get(ctx)
	if err == nil {
		err = sh.usable()
	}
	return sh, err
}

// read parses the file as it arrives, from its beginning: what an earlier attempt read is
// forgotten.
func (sh *sheet) read(r io.Reader, conf deployment.CSV) {
	var zone *time.Location
	if conf.TimeZone != "" {
		zone, _ = time.LoadLocation(conf.TimeZone) // the deployment file was refused if this failed
	}
	sh.csv, sh.table, sh.broken, sh.alien = statement.Read(r, conf.Columns, zone, mostKept)
}

// finish looks at what was read. The last row of a file that was cut may not be whole, or the cut
// goes through one. A quote that is repeated is observed by itself; rows without an ID all stay,
// because two quotes may look the same.
func (sh *sheet) finish() {
	if sh.fetched.Cut && sh.csv != nil {
		if sh.broken == nil && sh.table != nil {
			sh.table.DropLast()
		}
		sh.broken = nil
	}
	if sh.broken == nil && sh.alien == nil {
		known := map[string]bool{}
		sh.rows = slices.DeleteFunc(sh.table.Quotes(), func(q statement.Quote) bool {
			again := known[q.Identity]
			known[q.Identity] = true
			return again && !q.IdentityIsJoined
		})
	}
}

// repeat is what shows the file again.
func (sh *sheet) repeat() []spec.RepeatRequest {
	return []spec.RepeatRequest{{Exchange: sh.answer, FetchFile: true}}
}

// partial reports a file that goes on beyond the rows that are kept of it.
func (sh *sheet) partial() bool {
	return sh.fetched.Cut || sh.table.QuoteCount() > sh.table.KeptCount()
}

// usable returns why the sheet shows no rows, nil when it does.
func (sh *sheet) usable() error {
	switch {
	case sh.denied() && sh.query.ofFieldsOnly():
		return spec.Inconclusivef("the export %q was not accepted: %s; see export.success",
			sh.query.label, target.DescribeAnswer(sh.answer))
	case sh.denied() && sh.query.asked.User == model.Stranger:
		return spec.NotVerifiedf("credentials.other_user", "an export of this user was not accepted: %s",
			target.DescribeAnswer(sh.answer))
	case sh.refused:
		return spec.Inconclusivef("the export %q was not accepted: %s", sh.query.label,
			target.DescribeAnswer(sh.answer))
	case sh.fault != nil && sh.fault.Fault == client.FetchNotConfigured:
		return spec.NotVerifiedf("export.file", "")
	case sh.fault != nil:
		return spec.Inconclusivef(
			"the file of the export %q could not be fetched: %s; see export.file.retrievable",
			sh.query.label,
			sh.fault.Error(),
		)
	case sh.broken != nil:
		return spec.Inconclusivef("the file of the export %q cannot be read: %v; see export.file.csv",
			sh.query.label, sh.broken)
	case sh.alien != nil:
		return spec.NotVerifiedf("export.csv.columns", "%v", sh.alien)
	}
	return nil
}

// ofFieldsOnly reports a query that any user may send: there is nothing in its headers to refuse it
// for.
func (q query) ofFieldsOnly() bool {
	return q.asked.Wallet == model.NoWallet && !q.asked.Product && q.asked.Language == "" &&
		q.asked.User == model.Caller &&
		!q.asked.Key
}

// dated returns why its creation dates cannot be used, nil when they can. How a file writes dates
// is not documented: another notation is not a fault, and no bound can be made of it.
func (sh *sheet) dated() error {
	const key = statement.ColumnCreatedAt
	if err := sh.usable(); err != nil {
		return err
	}
	if !sh.table.HasColumn(key) {
		return spec.NotVerifiedf("export.csv.columns", "no column of the file is known to hold %s", key)
	}
	if sh.table.NeedsZone(key) {
		return spec.NotVerifiedf("export.csv.time_zone", "the dates of %s carry no offset", key)
	}
	if sample := sh.table.UnreadableDate(key); sample != "" {
		return spec.NotVerifiedf("",
			"the dates of %s, in the column %q, are in a notation that cannot be read, such as %q; "+
				"ISO 8601 can, DD/MM/YYYY, and seconds or milliseconds since 1970", key,
			sh.table.Title(key), sample)
	}
	return nil
}

// blank reports a file without a single byte that says anything: no row, but no titles either.
func (sh *sheet) blank() bool { return errors.Is(sh.broken, statement.ErrEmpty) }

// denied reports a refusal that speaks about the request.
func (sh *sheet) denied() bool { return sh.refused && sh.answer.IsClientError() }
