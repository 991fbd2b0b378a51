package export

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// wish is what an export is asked for.
type wish struct {
	label  string
	fields target.Fields
	wallet *string                // nil: no wallet header
	as     *deployment.Credential // nil: the main credential
	most   int64                  // bytes of the file that are enough; 0: all of it
}

// sheet is one export seen to its end: started, fetched, read. What stopped it on the way is kept, because some rules
// are about just that.
type sheet struct {
	wish    wish
	answer  *client.Exchange
	fileID  string
	fetched client.Fetched

	refused bool               // the export was not accepted
	fault   *client.FetchError // the file could not be fetched
	broken  error              // the file is no CSV
	alien   error              // its columns do not fit the deployment file

	csv   *statement.Statement
	table *statement.Table
	rows  []statement.Quote // in the file's order; a quote that is repeated stands here once
}

// seen is an export to be seen to its end.
type seen = plan.Observation[*sheet]

// export declares an export that comes of the window's rows: ask is told of them.
func (s *suite) export(label string, ask func(ctx context.Context) (wish, error)) *seen {
	return plan.Observe(s.p, label, func(ctx context.Context) (*sheet, error) {
		w, err := ask(ctx)
		if err != nil {
			return nil, err
		}
		w.label = label
		return s.take(ctx, w)
	})
}

// take starts an export, fetches its file and reads it. An error means trouble that says nothing about the deployment's
// rules; all else is in the sheet.
func (s *suite) take(ctx context.Context, w wish) (*sheet, error) {
	if w.as == nil {
		w.as = s.t.Deployment.Credentials.Main()
	}
	x := s.start(ctx, w)
	if err := s.t.Usable(ctx, x); err != nil {
		return nil, err
	}
	return s.finish(ctx, w, x, w.most)
}

// finish fetches and reads the file of an export that was answered; of a longer one than most only the beginning, unless
// that is 0.
func (s *suite) finish(ctx context.Context, w wish, x *client.Exchange, most int64) (*sheet, error) {
	sh := &sheet{wish: w, answer: x}
	if sh.refused = !x.Success(); sh.refused {
		return sh, nil
	}
	id, ok := target.FileID(x)
	if !ok {
		sh.fault = &client.FetchError{Fault: client.Unusable, Status: x.Status, Detail: "the export's answer holds no file_id"}
		return sh, nil
	}
	sh.fileID = id
	var err error
	if sh.fetched, err = s.t.Client.FetchWith(ctx, id, w.as, client.FetchOptions{Most: most, Absent: s.pace.absent}); err != nil {
		if ctx.Err() != nil {
			return nil, plan.Interrupted
		}
		if !errors.As(err, &sh.fault) {
			return nil, plan.Unclear("the file could not be fetched: %v", err)
		}
		return sh, s.transient(sh)
	}
	s.pace.saw(sh.fetched.Took)
	sh.read(s.t.Deployment.Export.CSV)
	return sh, nil
}

// start sends the export; a server error is given two more chances, because it may have been about the moment.
func (s *suite) start(ctx context.Context, w wish) *client.Exchange {
	x, _ := backoff.Retry(ctx, func() (*client.Exchange, error) {
		x := s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export(w.label, w.fields)
			call.Credential = w.as
			if w.wallet != nil {
				call = call.Set(target.HeaderWallet, *w.wallet)
			}
			return call
		})
		if x.Status >= 500 && !x.Transient() {
			return x, errServer
		}
		return x, nil
	}, backoff.WithBackOff(&backoff.ExponentialBackOff{InitialInterval: 200 * time.Millisecond, Multiplier: 2, MaxInterval: time.Second}),
		backoff.WithMaxTries(3), backoff.WithMaxElapsedTime(0))
	return x
}

var errServer = errors.New("a server error")

// transient tells a retrieval that broke for reasons outside of the rules. One that took all the time there is is not
// tried anew.
func (s *suite) transient(sh *sheet) error {
	f := sh.fault
	if f.Fault != client.Broken || f.Status == http.StatusInternalServerError || f.Status > http.StatusGatewayTimeout {
		return nil
	}
	if limit := s.t.Deployment.Export.File; limit != nil && sh.fetched.Took >= limit.Timeout {
		return plan.Unclear("the file could not be fetched: %s", f.Error())
	}
	return plan.Transient("the file could not be fetched: %s", f.Error())
}

// read parses the file and finds its columns.
func (sh *sheet) read(conf deployment.CSV) {
	sh.csv, sh.broken = statement.Parse(sh.whole())
	if sh.fetched.Cut && sh.csv != nil {
		sh.broken = nil // the cut may go through a row
	}
	if sh.broken != nil {
		return
	}
	var zone *time.Location
	if conf.TimeZone != "" {
		zone, _ = time.LoadLocation(conf.TimeZone) // the deployment file was refused if this failed
	}
	if sh.table, sh.alien = sh.csv.Bind(conf.Columns, zone); sh.alien != nil {
		return
	}
	sh.rows = distinct(sh.table.Quotes())
}

// whole is the file's text, of one that was cut all lines that are surely whole.
func (sh *sheet) whole() []byte {
	data := sh.fetched.Bytes
	if sh.fetched.Cut {
		return data[:bytes.LastIndexByte(data, '\n')+1]
	}
	return data
}

// distinct leaves out the repetitions of a quote: that a quote is not there twice is a rule of its own. Rows without an
// ID are all kept, because two quotes may look the same.
func distinct(quotes []statement.Quote) []statement.Quote {
	seen := map[string]bool{}
	kept := make([]statement.Quote, 0, len(quotes))
	for _, q := range quotes {
		if !q.Joined && seen[q.Identity] {
			continue
		}
		seen[q.Identity] = true
		kept = append(kept, q)
	}
	return kept
}

// usable tells why the sheet shows no rows, nil when it does.
func (sh *sheet) usable() error {
	switch {
	case sh.refused:
		return plan.Unclear("the export %q was not accepted: %s", sh.wish.label, target.Describe(sh.answer))
	case sh.fault != nil && sh.fault.Fault == client.NotConfigured:
		return plan.Unmet("export.file", "")
	case sh.fault != nil:
		return plan.Unclear("the file of the export %q could not be fetched: %s", sh.wish.label, sh.fault.Error())
	case sh.broken != nil:
		return plan.Unclear("the file of the export %q cannot be read: %v", sh.wish.label, sh.broken)
	case sh.alien != nil:
		return plan.Unmet("export.csv.columns", "%v", sh.alien)
	}
	return nil
}

// dated tells why the dates that keys name cannot be used, nil when they can. A sheet without rows needs none.
func (sh *sheet) dated(keys ...statement.Key) error {
	if err := sh.usable(); err != nil {
		return err
	}
	for _, key := range keys {
		if !sh.table.Has(key) {
			return plan.Unmet("export.csv.columns", "no column of the file is known to hold %s", key)
		}
		if sh.table.NeedsZone(key) {
			return plan.Unmet("export.csv.time_zone", "the dates of %s carry no offset", key)
		}
	}
	return nil
}

// read waits for an export whose rows are needed.
func read(ctx context.Context, o *seen) (*sheet, error) {
	sh, err := o.Get(ctx)
	if err != nil {
		return nil, err
	}
	return sh, sh.usable()
}

// blank tells a file without a single byte that says anything: no row, but no titles either.
func (sh *sheet) blank() bool { return errors.Is(sh.broken, statement.ErrEmpty) }

// empty tells a file that could be read and shows no quote; one row beside may be of totals.
func (sh *sheet) empty() bool {
	return sh.blank() || sh.usable() == nil && len(sh.rows) == 0 && len(sh.table.Others()) < 2
}
