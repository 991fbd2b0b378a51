package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// experiment is the exports that show the most.
type experiment struct {
	*learning
	downloads map[*sheet]download
	doubts    map[string]error
	pool      []model.Query
	queries   []model.Query
}

const mostDesigned = 36

func (s *Suite) declareDesign() {
	s.experiment = spec.Observe(s.Plan, "the design of the exports about rows", act(s.plan))
	for i := range mostDesigned {
		s.designed = append(s.designed, s.export(fmt.Sprintf("rows, %d of %d", i+1, mostDesigned), func(l look) query {
			d, err := s.experiment.Get(l)
			l.end(err)
			l.unmetIf(i >= len(d.queries), "", "fewer exports are enough")
			return s.ask(d.queries[i])
		}))
	}
	s.judgement = spec.Observe(s.Plan, "what the rows of all exports come to", act(s.judge))
}

// plan looks at the plain exports, and works out what to ask for.
func (s *Suite) plan(l look) experiment {
	f := s.t.Deployment.Fixtures
	l.unmetIf(f.Window == nil, "fixtures.window", "")
	first := l.sheet(s.plain.window)
	l.end(first.legible(statement.CreatedAt))
	d := experiment{learning: s.learning(l), downloads: map[*sheet]download{}, doubts: map[string]error{}}
	l.unmetIf(first.table.Others().Count > 1 && len(first.rows) == 0, "export.csv.columns",
		"none of the rows of the file shows an ID or a date")
	for _, o := range s.plain.all() {
		sh, err := l.usable(o)
		if err != nil {
			d.doubt(err, s.about(o)...)
			continue
		}
		if s.belongs(l, &d, o, sh) {
			d.downloads[sh] = o
			d.learn(sh).Plain = true
		}
	}
	l.unmetIf(len(d.Rows) == 0, "fixtures.window", "the window holds no quote")
	s.plain.foreign = s.foreign(l)
	d.Settle()
	w := s.extent()
	space := model.Space{
		Window: [2]time.Time{w.Start, w.End}, Whole: s.t.ExportSpelling().Whole, Foreign: s.plain.foreign != "",
		Values: s.values(l, d), Texts: texts(first), ForTarget: d.doubts[productRule] != nil,
	}
	rng := s.t.Chance("exports about rows")
	d.queries = d.Texts(space, rng)
	d.pool = d.Pool(space, rng, 4)
	d.queries = append(d.queries, d.Design(d.pool, model.Hypotheses(s.rules), mostDesigned-len(d.queries))...)
	return d
}

func (d *experiment) doubt(why error, about ...string) {
	for _, rule := range about {
		d.doubts[rule] = cmp.Or(d.doubts[rule], why)
	}
}

// about lists the rules that a plain export is needed for.
func (s *Suite) about(o download) []string {
	p := &s.plain
	switch o {
	case p.byDefault:
		return []string{"export.default.wallet", "export.wallet.selects"}
	case p.other:
		return []string{"export.wallet.selects"}
	case p.target:
		return []string{"export.target.rows", "export.target.own_rows"}
	case p.theirs:
		return []string{isolationRule, "export.wallet.foreign", "export.target.rows", "export.target.own_rows"}
	case p.product:
		return []string{productRule}
	case p.key:
		return []string{"export.method.same_rows"}
	case p.settled:
		return []string{"export.range.follows_sort"}
	}
	return nil
}

// values are what the factors of exports can be here: what plain exports were refused with is left out.
func (s *Suite) values(l look, d experiment) map[string][]string {
	p, f := &s.plain, s.t.Deployment.Fixtures
	there := func(o download) bool {
		sh, ok := l.rowsIfAny(o)
		return ok && d.downloads[sh] != nil
	}
	values := map[string][]string{
		model.Written:   model.Notations(),
		model.Extension: {"", "CSV"}, model.Language: {"", "pt-BR", "en-US"},
		model.Replay:   {"nonce", "x-transaction-uuid", "x-transaction-uuid&nonce"},
		model.Client:   {"", string(model.WholeID), string(model.TypeOnly)},
		model.WalletOf: {"", string(model.EmptyWallet)},
	}
	add := func(o download, factor string, more ...string) {
		if there(o) {
			if values[factor] == nil {
				values[factor] = []string{""}
			}
			values[factor] = append(values[factor], more...)
		}
	}
	add(p.byDefault, model.WalletOf, string(model.DefaultWallet))
	add(p.other, model.WalletOf, string(model.OtherWallet))
	add(p.product, model.Product, model.NamedProduct)
	add(p.target, model.User, model.TargetUser)
	add(p.theirs, model.User, model.AnotherUser)
	add(p.key, model.Method, model.APIKey)
	if f.DefaultWalletID != "" || s.plain.foreign != "" {
		add(p.theirs, model.WalletOf, string(model.ForeignWallet))
	}
	if there(p.target) && !there(p.product) {
		values[model.Product] = []string{"", model.NamedProduct}
	}
	sh := l.sheet(p.window)
	if s.t.ExportSpelling().Extension {
		values[model.Extension] = []string{"CSV"}
	}
	if s.t.ExportSpelling().Language || !sh.table.Has(statement.ID) {
		values[model.Language] = []string{""}
	}
	if f.ClientID == "" || !sh.table.Has(statement.ClientID) {
		delete(values, model.Client)
	}
	return values
}

// texts are those that name no client, where files show clients.
func texts(sh *sheet) []model.FilterKind {
	if !sh.table.Has(statement.ClientID) {
		return nil
	}
	return slices.DeleteFunc(model.NoClients(), func(k model.FilterKind) bool {
		return k == model.Quote && !sh.table.Has(statement.ID)
	})
}

// common returns the rows that both hold.
func common(a, b []statement.Quote) []statement.Quote {
	return statement.Difference(a, statement.Difference(a, b))
}
