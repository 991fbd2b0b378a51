package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	// mostKept is how many quotes are kept of a file.
	mostKept = 20_000
	// mostCompared is how many quotes are compared. Of a window that holds more, a part is.
	mostCompared = 2_000
	// narrowed is about how many quotes that part holds.
	narrowed = 300
	// enoughOfEverything is how much is read of a file that no bound keeps small.
	enoughOfEverything = 2 << 20
)

// plain are exports of the whole window with next to nothing beside them: they show which quotes there are, and whose.
type plain struct {
	window                         download // newest first; without a window, any valid export
	rising, settled, settledRising download
	byDefault, other               download // by wallet
	target, theirs, product, key   download
	everything, everySettled       download // without bounds

	part    *deployment.Window // that is compared in place of the window; see extent
	foreign string             // wallet of the other user
}

// all lists those that say whose quotes there are.
func (p *plain) all() []download {
	return []download{
		p.window, p.settled, p.rising, p.settledRising, p.byDefault, p.other, p.target, p.theirs, p.product, p.key,
		p.everything, p.everySettled,
	}
}

func (s *Suite) declarePlain() {
	f, p := s.t.Deployment.Fixtures, &s.plain
	p.window = spec.Observe(s.Plan, "the window by quote_created_at, newest first", act(func(l look) *sheet {
		take := func() *sheet {
			q := s.window(model.Query{Sort: model.Created.String(), Order: "desc"})
			q.label = "the window by quote_created_at, newest first"
			return s.take(l, q)
		}
		sh := take()
		if f.Window != nil && sh.usable() == nil && sh.table.Count() > mostCompared {
			s.narrow(l, sh)
			sh = take()
		}
		return sh
	}))
	of := func(label string, q model.Query, needs ...string) download {
		return s.export(label, func(l look) query {
			for _, need := range append(needs, "fixtures.window") {
				l.unmetIf(!s.t.Deployment.Has(need), need, "")
			}
			s.fetchable(l)
			return s.window(q)
		})
	}
	created, settled := model.Created.String(), model.Settled.String()
	const wallet, product = "fixtures.default_wallet_id", "fixtures.product_id"
	p.rising = of("the window by quote_created_at, oldest first", model.Query{Sort: created, Order: "asc"})
	p.settled = of("the window by settled_date, newest first", model.Query{Sort: settled, Order: "desc"})
	p.settledRising = of("the window by settled_date, oldest first", model.Query{Sort: settled, Order: "asc"})
	p.byDefault = of("the window of the default wallet", model.Query{Sort: created, Wallet: model.DefaultWallet}, wallet)
	p.other = of("the window of another wallet", model.Query{Sort: created, Wallet: model.OtherWallet}, wallet, "fixtures.other_wallet_id")
	p.target = of("the window for the target user", model.Query{Sort: created, User: model.Target, Product: true}, product,
		"fixtures.target_user_id")
	p.theirs = of("the window of another user", model.Query{Sort: created, User: model.Stranger}, "credentials.other_user")
	p.product = of("the window with the product", model.Query{Sort: created, Product: true}, product)
	p.key = of("the window by API key", model.Query{Sort: created, Key: true}, "credentials.platform_token", "credentials.api_key")
	bare := func(label string, a attempt, q model.Query) download {
		return spec.Observe(s.Plan, "the file of "+label, act(func(l look) *sheet {
			s.fetchable(l)
			answer, err := a.Get(l)
			l.end(err)
			ask := s.ask(q)
			ask.label, ask.most, ask.as = label, enoughOfEverything, s.t.Deployment.Credentials.Main()
			return s.finish(l, ask, answer.Exchange)
		}))
	}
	p.everything = bare("an empty object", s.emptyObject, model.Query{})
	p.everySettled = bare("nothing but a sort and an order",
		s.send("only settled_date, asc", fields(target.Fields{"sort": settled, "order": "asc"})), model.Query{Sort: settled, Order: "asc"})
}

// extent is the range that exports are compared in; nil without a window.
func (s *Suite) extent() *deployment.Window {
	return cmp.Or(s.narrowedTo(), s.t.Deployment.Fixtures.Window)
}

// narrowedTo is the part of the window that is compared; nil: all of it is.
func (s *Suite) narrowedTo() *deployment.Window {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plain.part
}

// narrow chooses the part of a window that is compared: some hundred of the newest quotes, but for the last ones.
func (s *Suite) narrow(l look, first *sheet) {
	l.end(first.legible(statement.CreatedAt))
	w, dates := s.t.Deployment.Fixtures.Window, []time.Time{}
	for _, q := range first.rows {
		if m := q.Moment(statement.CreatedAt); m.Usable() && !m.Time.Before(w.Start) && m.Time.Before(w.End) {
			dates = append(dates, m.Time)
		}
	}
	slices.SortFunc(dates, time.Time.Compare)
	l.unmetIf(len(dates) < 2*narrowed, "fixtures.window", "the window holds more than %d quotes, and too few of them show their "+
		"date to choose a part of it", mostCompared)
	end := len(dates) - narrowed/2
	part := &deployment.Window{Start: dates[end-narrowed].Truncate(time.Second), End: dates[end].Truncate(time.Second)}
	l.unmetIf(!part.Start.Before(part.End), "fixtures.window",
		"the window holds more than %d quotes, and too many of them share their dates to choose a part of it", mostCompared)
	s.c.Drop("the window holds %d quotes, so exports were compared between %s and %s", first.table.Count(),
		part.Start.Format(time.RFC3339), part.End.Format(time.RFC3339))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plain.part = part
}

// window asks for the window, or where there is none for a range of its own.
func (s *Suite) window(q model.Query) query {
	q.Extension = "CSV"
	if w := s.extent(); w != nil {
		q.Start, q.End = statement.FormatInstant(w.Start, 0, time.UTC), statement.FormatInstant(w.End, 0, time.UTC)
	} else {
		own := s.t.Unique(q.Sort)
		q.Start, q.End = fmt.Sprint(own["date_start"]), fmt.Sprint(own["date_end"])
	}
	return s.ask(q)
}

// ask makes a request of a query of the model.
func (s *Suite) ask(q model.Query) query {
	f := s.t.Deployment.Fixtures
	ask := query{asked: q, fields: target.Fields{}, header: map[string]string{}, mode: q.Replay}
	if q.Start == "" || q.End == "" {
		ask.most = enoughOfEverything
	}
	for field, value := range map[string]string{
		"sort": q.Sort, "order": q.Order, "date_start": q.Start, "date_end": q.End, "type_extension": q.Extension,
		"filter_text": q.Filter.Text,
	} {
		if value != "" {
			ask.fields[field] = value
		}
	}
	if q.Filter.Kind != model.NoFilter {
		ask.fields["filter_type"] = "client_id"
	}
	switch q.Wallet {
	case model.DefaultWallet:
		ask.header[target.HeaderWallet] = f.DefaultWalletID
	case model.OtherWallet:
		ask.header[target.HeaderWallet] = f.OtherWalletID
	case model.EmptyWallet:
		ask.header[target.HeaderWallet] = ""
	case model.ForeignWallet:
		ask.header[target.HeaderWallet] = f.DefaultWalletID
		if q.User != model.Stranger {
			ask.header[target.HeaderWallet] = s.plain.foreign
		}
	}
	if q.Product {
		ask.header[target.HeaderProduct] = f.ProductID
	}
	if q.Language != "" {
		ask.header[target.HeaderLanguage] = q.Language
	}
	switch q.User {
	case model.Target:
		ask.header[target.HeaderTarget] = f.TargetUserID
	case model.Stranger:
		ask.as = s.t.Deployment.Credentials.OtherUser
	}
	if q.Key {
		ask.as = s.t.Deployment.Credentials.APIKey
	}
	return ask
}

// foreign is the wallet that the file of the other user shows; empty: it shows none.
func (s *Suite) foreign(l look) string {
	if sh, ok := l.rowsIfAny(s.plain.theirs); ok {
		if i := slices.IndexFunc(sh.rows, func(q statement.Quote) bool { return uuid.Validate(q.Wallet) == nil }); i >= 0 {
			return sh.rows[i].Wallet
		}
	}
	return ""
}

// lost reports a fault that is the file's own, and not that of how it was asked for.
func lost(f *client.FetchError) bool {
	return f.Fault == client.FailedState || f.Fault == client.NotReady && !f.NoFile()
}
