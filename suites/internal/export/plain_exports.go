package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	// maxKeptQuotes limits the quotes kept of a file.
	maxKeptQuotes = 3_000
	// maxComparedQuotes limits the quotes compared. A larger window is narrowed.
	maxComparedQuotes = 2_000
	// narrowedQuotes is about how many quotes a narrowed window holds.
	narrowedQuotes = 300
)

// plainExports are exports of the whole window with few other parameters. They show which quotes
// exist, and whose they are.
type plainExports struct {
	// window is newest first. Without a window, it is any valid export.
	window          exportObservation
	settled, theirs exportObservation // by settled_date, and of another user
	target          exportObservation // for the target user
	all             []plainExport
	foreign         string // wallet of the other user; empty: unknown
}

type plainExport struct {
	exportObservation
	about []string           // rules that are not judged without it
	opens record.FactorValue // setting that exports about rows may have, if this one shows rows
}

func (s *Suite) declarePlainExports() {
	f, p := s.t.Deployment.Fixtures, &s.plain
	const newest = "the window by quote_created_at, newest first"
	p.window = spec.ObserveAsCase(s.Plan, newest, func(ctx spec.Context) *completedExport {
		take := func(extent *deployment.Window) *completedExport {
			q := model.Query{Sort: model.DateCreated.String(), Order: "desc"}
			done := s.takeExport(ctx, s.windowQuery(newest, q, extent))
			done.extent = extent
			return done
		}
		done := take(f.Window)
		if f.Window != nil && done.unusableReason() == nil &&
			done.table.QuoteCount() > maxComparedQuotes {
			done = take(s.narrowWindow(ctx, done))
		}
		return done
	})
	p.all = []plainExport{{exportObservation: p.window}}
	add, opens := s.addPlainExport, func(factor, value string, about ...string) plainExport {
		return plainExport{opens: record.FactorValue{Factor: factor, Value: value}, about: about}
	}
	settled := model.DateSettled.String()
	const wallet, product = "fixtures.default_wallet_id", "fixtures.product_id"
	const targetRows, targetOwnRows = "export.target.rows", "export.target.own_rows"
	p.settled = add("the window by settled_date, newest first",
		model.Query{Sort: settled, Order: "desc"},
		plainExport{about: []string{"export.range.follows_sort"}})
	add("the window by quote_created_at, oldest first", model.Query{Order: "asc"}, plainExport{})
	add("the window by settled_date, oldest first", model.Query{Sort: settled, Order: "asc"},
		plainExport{})
	add("the window of the default wallet", model.Query{Wallet: model.WalletDefault},
		opens(target.HeaderWallet, string(model.WalletDefault), "export.default.wallet",
			"export.wallet.selects"), wallet)
	add("the window of another wallet", model.Query{Wallet: model.WalletOther},
		opens(target.HeaderWallet, string(model.WalletOther), "export.wallet.selects"),
		wallet, "fixtures.other_wallet_id")
	p.target = add("the window for the target user",
		model.Query{User: model.OwnerTarget, Product: true},
		opens(target.HeaderTargetUser, model.ValueTargetUser, targetRows, targetOwnRows),
		product, "fixtures.target_user_id")
	p.theirs = add("the window of another user", model.Query{User: model.OwnerStranger},
		opens(target.HeaderTargetUser, model.ValueAnotherUser, targetRows, targetOwnRows, ruleIsolation,
			"export.wallet.foreign"), "credentials.other_user")
	add("the window with the product", model.Query{Product: true},
		opens(target.HeaderProduct, model.ValueNamedProduct, ruleProduct), product)
	add("the window by API key", model.Query{Key: true},
		opens(model.FactorAuthMethod, model.ValueAPIKey, "export.method.same_rows"),
		"credentials.platform_token", "credentials.api_key")
	s.addFileOf("an empty object", s.emptyObject, model.Query{})
	s.addFileOf("nothing but a sort and an order",
		s.lab.ObserveProbe(validProbe("only settled_date, asc",
			setFields(target.ExportFields{"sort": settled, "order": "asc"})).IgnoringControl()),
		model.Query{Sort: settled, Order: "asc"})
}

// addPlainExport declares an export of the window, which needs keys of the deployment file.
func (s *Suite) addPlainExport(
	label string, q model.Query, e plainExport, needs ...string,
) exportObservation {
	q.Sort = cmp.Or(q.Sort, model.DateCreated.String())
	e.exportObservation = spec.ObserveAsCase(s.Plan, label, func(ctx spec.Context) *completedExport {
		for _, need := range append(needs, "fixtures.window") {
			if !s.t.Deployment.Has(need) {
				ctx.NotVerifiedf(need, "")
			}
		}
		return s.takeExport(ctx, s.windowQuery(label, q, s.awaitFetchable(ctx).extent))
	})
	s.plain.all = append(s.plain.all, e)
	return e.exportObservation
}

// addFileOf declares the file of a probe's export, which is as q says.
func (s *Suite) addFileOf(label string, seen lab.AnswerObservation, q model.Query) {
	file := spec.ObserveAsCase(s.Plan, "the file of "+label, func(ctx spec.Context) *completedExport {
		s.awaitFetchable(ctx)
		return s.fetchAndRead(ctx, exportQuery{label: label, asked: q}, seen.Await(ctx).Exchange)
	})
	s.plain.all = append(s.plain.all, plainExport{exportObservation: file})
}

// narrowWindow returns the part of the window that is compared: some hundreds of quotes, without
// the very newest.
func (s *Suite) narrowWindow(ctx spec.Context, first *completedExport) *deployment.Window {
	ctx.StopOnError(first.undatedReason())
	w, dates := s.t.Deployment.Fixtures.Window, []time.Time{}
	for _, q := range first.rows {
		if m := q.CreatedAt; m.IsOneInstant() && !m.Time.Before(w.Start) && m.Time.Before(w.End) {
			dates = append(dates, m.Time)
		}
	}
	if len(dates) < 2*narrowedQuotes {
		ctx.NotVerifiedf("fixtures.window",
			"the window holds more than %d quotes, and too few of them show their date to choose a part "+
				"of it", maxComparedQuotes)
	}
	slices.SortFunc(dates, time.Time.Compare)
	end := len(dates) - narrowedQuotes/2
	part := &deployment.Window{
		Start: dates[end-narrowedQuotes].Truncate(time.Second),
		End:   dates[end].Truncate(time.Second),
	}
	s.lab.NoteExcludedOptionf("the window holds %d quotes, so exports were compared between %s and %s",
		first.table.QuoteCount(), part.Start.Format(time.RFC3339), part.End.Format(time.RFC3339))
	return part
}

// windowQuery returns an export of the extent, or of unique bounds where extent is nil.
func (s *Suite) windowQuery(label string, q model.Query, extent *deployment.Window) exportQuery {
	q.Extension = "CSV"
	if extent != nil {
		q.Start = statement.FormatInstant(extent.Start, 0, time.UTC)
		q.End = statement.FormatInstant(extent.End, 0, time.UTC)
	} else {
		own := s.t.UniqueBounds(q.Sort)
		q.Start, q.End = fmt.Sprint(own["date_start"]), fmt.Sprint(own["date_end"])
	}
	return exportQuery{label: label, asked: q}
}
