package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// experiment is the exports that show the most.
type experiment struct {
	*learning
	doubts  map[string]error // by rule: why nothing can be said of it
	opened  []plainExport    // that show rows of whom the deployment file says
	pool    []model.Query
	queries []model.Query
}

func (s *Suite) declareDesign() {
	mostDesigned := s.mostDesigned()
	s.experiment = spec.ObserveAsCase(s.Plan, "the design of the exports about rows", s.plan)
	for i := range mostDesigned {
		s.designed = append(s.designed,
			s.export(fmt.Sprintf("rows, %d of %d", i+1, mostDesigned), func(l spec.Context) query {
				d := s.experiment.Await(l)
				if i >= len(d.queries) {
					l.NotVerifiedf("", "fewer exports are enough")
				}
				return s.ask(d.queries[i])
			}))
	}
	s.judgement = spec.ObserveAsCase(s.Plan, "what the rows of all exports come to", s.judge)
}

// plan looks at the plain exports, and works out what to ask for.
func (s *Suite) plan(l spec.Context) *experiment {
	if s.t.Deployment.Fixtures.Window == nil {
		l.NotVerifiedf("fixtures.window", "")
	}
	first := s.plain.window.Await(l)
	l.StopOnError(first.dated())
	if first.table.OtherRowCount() > 1 && len(first.rows) == 0 {
		l.NotVerifiedf("export.csv.columns", "none of the rows of the file shows an ID or a date")
	}
	d := &experiment{learning: s.learning(l), doubts: map[string]error{}}
	for _, o := range s.plain.all {
		sh, err := usable(l, o.download)
		if err == nil {
			err = s.belongs(l, o, sh)
		}
		if err != nil {
			for _, rule := range o.about {
				d.doubts[rule] = cmp.Or(d.doubts[rule], err)
			}
			continue
		}
		d.opened = append(d.opened, o)
		d.learn(o.download, sh).Plain = true
		if o.download == s.plain.theirs {
			if i := slices.IndexFunc(sh.rows,
				func(q statement.Quote) bool { return uuid.Validate(q.Wallet) == nil }); i >= 0 {
				s.plain.foreign = sh.rows[i].Wallet
			}
		}
	}
	if len(d.Rows) == 0 {
		l.NotVerifiedf("fixtures.window", "the window holds no quote")
	}
	d.Settle()
	space := model.Space{
		Window: [2]time.Time{first.extent.Start, first.extent.End},
		Whole:  s.t.ExportSpelling.Load().WholeSeconds, Foreign: s.plain.foreign != "",
		Values: s.values(d, first), Texts: s.texts(first), ForTarget: d.doubts[productRule] != nil,
	}
	rng := s.t.SeededRand("exports about rows")
	d.queries = d.Texts(space, rng)
	d.pool = d.Pool(space, rng)
	d.queries = append(d.queries,
		d.Design(d.pool, s.suspected(), s.mostDesigned()-len(d.queries), target.ByDepth(s.t, 0, 1, 2))...)
	return d
}

// mostDesigned is how many exports about rows are asked for.
func (s *Suite) mostDesigned() int { return target.ByDepth(s.t, 14, 35, 300) }

// suspected are the hypotheses that exports are designed to show.
func (s *Suite) suspected() []*model.Hypothesis {
	return model.Hypotheses(slices.DeleteFunc(slices.Clone(s.rules), func(r model.Rule) bool {
		// which a quick run does not verify
		return s.t.Depth == record.Quick && r.Level != rules.Must && !r.Security
	}))
}

// values are what the factors of exports can be here: what plain exports were refused with is left
// out.
func (s *Suite) values(d *experiment, first *sheet) map[string][]string {
	values := map[string][]string{
		model.Extension: {"", "CSV"}, model.Language: {"", "pt-BR", "en-US"},
		model.Replay:   {"nonce", "x-transaction-uuid", "x-transaction-uuid&nonce"},
		model.Client:   {"", string(model.WholeID), string(model.TypeOnly)},
		model.WalletOf: {"", string(model.EmptyWallet)}, model.Product: {""}, model.User: {""},
		model.Method: {""},
	}
	for _, o := range d.opened {
		values[o.opens.Factor] = append(values[o.opens.Factor], o.opens.Value)
	}
	if f := s.t.Deployment.Fixtures; slices.Contains(values[model.User], model.AnotherUser) &&
		f.DefaultWalletID+s.plain.foreign != "" {
		values[model.WalletOf] = append(values[model.WalletOf], string(model.ForeignWallet))
	}
	if slices.Contains(values[model.User], model.TargetUser) && len(values[model.Product]) == 1 {
		values[model.Product] = []string{"", model.NamedProduct}
	}
	if s.t.ExportSpelling.Load().Extension {
		values[model.Extension] = []string{"CSV"}
	}
	if s.t.ExportSpelling.Load().Language || !first.table.HasColumn(statement.ColumnID) {
		values[model.Language] = []string{""}
	}
	if s.t.Deployment.Fixtures.ClientID == "" || !first.table.HasColumn(statement.ColumnClientID) {
		values[model.Client] = []string{""}
	}
	return values
}

// texts are those that name no client, where files show clients. What becomes of them breaks no
// rule that quick runs verify.
func (s *Suite) texts(sh *sheet) []model.FilterKind {
	if !sh.table.HasColumn(statement.ColumnClientID) || s.t.Depth == record.Quick {
		return nil
	}
	return slices.DeleteFunc(target.ByDepth(s.t, nil, model.FewNoClients(), model.NoClients()),
		func(k model.FilterKind) bool {
			return k == model.Quote && !sh.table.HasColumn(statement.ColumnID)
		})
}

// common returns the rows that both hold.
func common(a, b []statement.Quote) []statement.Quote {
	return statement.Difference(a, statement.Difference(a, b))
}
