package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// experiment is what exports a run sends to judge the rules about rows.
type experiment struct {
	plain   []plainExport    // those that show rows of users that the deployment file names
	doubts  map[string]error // by rule ID: why it cannot be judged
	pool    []model.Query
	queries []model.Query
	twin    *model.Query // like queries[twinOf], but ends earlier on the same day; nil: there is none
	twinOf  int
}

func (s *Suite) declareDesignedExports() {
	s.experiment = spec.ObserveAsCase(s.Plan, "the design of the exports about rows",
		s.designExperiment)
	most := s.maxDesignedExports()
	for i := range most {
		label := fmt.Sprintf("rows, %d of %d", i+1, most)
		s.designed = append(s.designed, spec.ObserveAsCase(s.Plan, label,
			func(ctx spec.Context) *completedExport {
				d := s.experiment.Await(ctx)
				if i >= len(d.queries) {
					ctx.NotVerifiedf("", "not sent: the other exports show all that it would")
				}
				return s.takeExport(ctx, exportQuery{label: label, asked: d.queries[i]})
			}))
	}
	s.judgement = spec.ObserveAsCase(s.Plan, "what the rows of all exports come to", s.judgeAllExports)
}

// designExperiment inspects the plain exports and chooses the queries to send.
func (s *Suite) designExperiment(ctx spec.Context) *experiment {
	if s.t.Deployment.Fixtures.Window == nil {
		ctx.NotVerifiedf("fixtures.window", "")
	}
	first := s.plain.window.Await(ctx)
	ctx.StopOnError(first.undatedReason())
	if first.table.OtherRowCount() > 1 && len(first.rows) == 0 {
		ctx.NotVerifiedf("export.csv.columns", "none of the rows of the file shows an ID or a date")
	}
	d := s.examinePlainExports(ctx)
	j := s.newJudgement(ctx, d)
	if len(j.Rows) == 0 {
		ctx.NotVerifiedf("fixtures.window", "the window holds no quote")
	}
	j.Prepare()
	space := model.QuerySpace{
		Window:       [2]time.Time{first.extent.Start, first.extent.End},
		WholeSeconds: s.t.ExportSpelling.Load().WholeSeconds,
		Values:       s.factorValues(d, first),
		Texts:        s.filterTextKinds(first),
		Foreign:      s.plain.foreign != "",
		ForTarget:    d.doubts[ruleProduct] != nil,
	}
	rng := s.t.SeededRand("exports about rows")
	d.queries = j.DrawFilterTexts(space, rng)
	d.pool = j.DrawPool(space, rng)
	d.queries = append(d.queries, j.DesignQueries(d.pool, s.suspectedHypotheses(),
		s.maxDesignedExports()-len(d.queries), target.ChooseByDepth(s.t, 0, 1, 2))...)
	if of, twin, found := j.TwinWithinDay(d.queries); found {
		d.twin, d.twinOf = &twin, of
	}
	return d
}

// examinePlainExports tells the plain exports whose owners are known from those that leave rules
// unjudged. It notes the wallet of the other user.
func (s *Suite) examinePlainExports(ctx spec.Context) *experiment {
	d := &experiment{doubts: map[string]error{}}
	for _, o := range s.plain.all {
		done, err := awaitUsable(ctx, o.exportObservation)
		if err == nil {
			err = s.ownershipDoubt(ctx, o, done)
		}
		if err != nil {
			for _, rule := range o.about {
				d.doubts[rule] = cmp.Or(d.doubts[rule], err)
			}
			continue
		}
		d.plain = append(d.plain, o)
		if o.exportObservation == s.plain.theirs {
			if i := slices.IndexFunc(done.rows,
				func(q statement.Quote) bool { return uuid.Validate(q.Wallet) == nil }); i >= 0 {
				s.plain.foreign = done.rows[i].Wallet
			}
		}
	}
	return d
}

// maxDesignedExports limits the exports about rows.
func (s *Suite) maxDesignedExports() int { return target.ChooseByDepth(s.t, 14, 35, 300) }

// suspectedHypotheses returns the hypotheses that exports are designed to show.
func (s *Suite) suspectedHypotheses() []*model.Hypothesis {
	return slices.DeleteFunc(slices.Clone(s.hypotheses), func(h *model.Hypothesis) bool {
		// quick runs do not verify these
		return s.t.Depth == deployment.DepthQuick && h.Rule.Level != rules.Must && !h.Rule.Security
	})
}

// factorValues returns the values that each factor can have, without those that made plain
// exports fail.
func (s *Suite) factorValues(d *experiment, first *completedExport) map[string][]string {
	f, spelling := s.t.Deployment.Fixtures, s.t.ExportSpelling.Load()
	values := map[string][]string{
		model.FactorExtension:   {"", "CSV"},
		target.HeaderLanguage:   {"", "pt-BR", "en-US"},
		target.HeaderReplay:     {"nonce", "x-transaction-uuid", "x-transaction-uuid&nonce"},
		model.FactorFilter:      {"", string(model.FilterWholeID), string(model.FilterTypeOnly)},
		target.HeaderWallet:     {"", string(model.WalletEmpty)},
		target.HeaderProduct:    {""},
		target.HeaderTargetUser: {""},
		model.FactorAuthMethod:  {""},
	}
	for _, o := range d.plain {
		values[o.opens.Factor] = append(values[o.opens.Factor], o.opens.Value)
	}
	users := values[target.HeaderTargetUser]
	if slices.Contains(users, model.ValueAnotherUser) && f.DefaultWalletID+s.plain.foreign != "" {
		values[target.HeaderWallet] = append(values[target.HeaderWallet], string(model.WalletForeign))
	}
	if slices.Contains(users, model.ValueTargetUser) && len(values[target.HeaderProduct]) == 1 {
		values[target.HeaderProduct] = []string{"", model.ValueNamedProduct}
	}
	if spelling.Extension {
		values[model.FactorExtension] = []string{"CSV"}
	}
	if spelling.Language || !first.table.HasColumn(statement.ColumnID) {
		values[target.HeaderLanguage] = []string{""}
	}
	if f.ClientID == "" || !s.showsClients() {
		values[model.FactorFilter] = []string{""}
	}
	return values
}

// showsClients reports whether the files so far show client IDs as filters take them: at least
// fixtures.client_id, where it is given. The document does not show the file's columns.
func (s *Suite) showsClients() bool {
	id := s.t.Deployment.Fixtures.ClientID
	return slices.ContainsFunc(s.takenExports(), func(done *completedExport) bool {
		return done.table != nil && done.table.HasColumn(statement.ColumnClientID) && (id == "" ||
			slices.ContainsFunc(done.rows, func(q statement.Quote) bool { return q.Client == id }))
	})
}

// filterTextKinds returns kinds of texts that name no client, where files show clients: the
// common ones and one of the others, chosen by the seed. They break no rule that quick runs
// verify.
func (s *Suite) filterTextKinds(done *completedExport) []model.FilterKind {
	if !s.showsClients() || s.t.Depth == deployment.DepthQuick {
		return nil
	}
	common, rare := model.NonClientFilters()
	one := rare[s.t.SeededRand("rare filter texts").IntN(len(rare))]
	return slices.DeleteFunc(
		append(common, target.ChooseByDepth(s.t, nil, []model.FilterKind{one}, rare)...),
		func(k model.FilterKind) bool {
			return k == model.FilterQuoteID && !done.table.HasColumn(statement.ColumnID)
		})
}

// commonRows returns the rows that both hold.
func commonRows(a, b []statement.Quote) []statement.Quote {
	return statement.Difference(a, statement.Difference(a, b))
}
