package model

import "slices"

// Contradiction is an export whose file is not what a reading predicts.
type Contradiction struct {
	Export         *SeenExport
	Missing, Extra []int // rows that it lacks, and rows that it should not hold
	Disorder       bool
	LosesNothing   bool // it holds every row, although the reading has it lose some
	InPart         bool // it is wrong about other rows as well
}

// ContradictionsOf returns the exports that contradict a reading.
func (u *Universe) ContradictionsOf(r Reading) []*Contradiction {
	t := u.newTrial(r)
	return t.contradictions(t.rowOrigins())
}

// ContradictionsToDocument returns the exports that contradict the document, given the row
// origins that a reading implies.
func (u *Universe) ContradictionsToDocument(r Reading) []*Contradiction {
	return u.newTrial(nil).contradictions(u.rowOrigins(r))
}

// ContradictionsDueTo returns the contradictions to the document that one hypothesis of a reading
// accounts for: the reading would leave them without it.
func (u *Universe) ContradictionsDueTo(one ConditionalHypothesis, r Reading) (due []*Contradiction) {
	others := slices.DeleteFunc(slices.Clone(r), func(other ConditionalHypothesis) bool {
		return other.Hypothesis == one.Hypothesis && slices.Equal(other.Condition, one.Condition)
	})
	origins := u.rowOrigins(r)
	left := map[*SeenExport]*Contradiction{}
	for _, c := range u.newTrial(others).contradictions(origins) {
		left[c.Export] = c
	}
	for _, c := range u.newTrial(nil).contradictions(origins) {
		if l := left[c.Export]; l != nil {
			if both := c.intersect(l); both != nil {
				due = append(due, both)
			}
		}
	}
	return due
}

// intersect returns what two contradictions of an export share, or nil where that is nothing.
func (c *Contradiction) intersect(other *Contradiction) *Contradiction {
	shared := func(a, b []int) []int {
		return slices.DeleteFunc(slices.Clone(a), func(row int) bool { return !slices.Contains(b, row) })
	}
	both := &Contradiction{
		Export: c.Export, Missing: shared(c.Missing, other.Missing), Extra: shared(c.Extra, other.Extra),
		Disorder: c.Disorder && other.Disorder, LosesNothing: c.LosesNothing && other.LosesNothing,
	}
	rows := len(both.Missing) + len(both.Extra)
	if rows == 0 && !both.Disorder && !both.LosesNothing {
		return nil
	}
	both.InPart = rows < len(c.Missing)+len(c.Extra)
	return both
}

// FitsAllExports reports whether no export contradicts a reading.
func (u *Universe) FitsAllExports(r Reading) bool { return u.newTrial(r).refutingExport() == nil }

// refutingExport returns an export that contradicts the reading, or nil where none does.
func (t *readingTrial) refutingExport() *SeenExport {
	for i, e := range t.u.Exports {
		if !t.plans[i].isInOrder(t.u, e) {
			return e
		}
	}
	for _, row := range t.u.suspects { // most readings fail here
		if _, against := t.possibleOrigins(row); against != nil {
			return against
		}
	}
	for row := range t.u.Rows {
		if _, against := t.possibleOrigins(row); against != nil && !t.u.Rows[row].Unsteady {
			return against
		}
	}
	if t.trims {
		for _, c := range t.contradictions(t.rowOrigins()) {
			return c.Export
		}
	}
	return nil
}

// loneDissenter returns the one export that lacks the rows which the others seem to hold too many,
// although it asks for the same rows as they do. It is the one that is wrong, and its word should
// count last. It returns nil where there is none, or where exports of other rows hold them too.
func (u *Universe) loneDissenter(wrong []*Contradiction) (lone *SeenExport) {
	for _, c := range wrong {
		if len(c.Extra) == 0 || len(c.Missing) > 0 || c.Disorder || c.LosesNothing {
			return nil
		}
		for _, row := range c.Extra {
			for _, e := range u.Exports {
				a, b := e.Query, c.Export.Query
				switch {
				case a.User != b.User || a.walletOrigins() != b.walletOrigins():
					if e.HoldsRow(row) {
						return nil
					}
				case a.Product != b.Product, a.Key != b.Key, e.HoldsRow(row), e.ReadInPart, e.Refused,
					e.plain.in != c.Export.plain.in, e.plain.holdsRow(&u.Rows[row]) <= 0:
				case lone != nil && lone != e:
					return nil
				default:
					lone = e
				}
			}
		}
	}
	return lone
}

// Excludes reports whether an export should not hold a row, judged by the row's own values.
func (u *Universe) Excludes(e *SeenExport, row int) bool {
	return e.plain.holdsRow(&u.Rows[row]) < 0
}

// Counterpart returns the export most similar to of that disagrees with it about a row, although
// both should hold it. It returns nil where there is none.
func (u *Universe) Counterpart(of *SeenExport, row int) *SeenExport {
	asks := func(e *SeenExport) bool {
		return e.plain.in == of.plain.in && e.plain.may == of.plain.may &&
			!e.ReadInPart && !e.Refused && e.plain.holdsRow(&u.Rows[row]) > 0
	}
	return u.MostSimilar(of, func(e *SeenExport) bool {
		return asks(of) && asks(e) && e.HoldsRow(row) != of.HoldsRow(row)
	})
}

// MostSimilar returns the first of the exports that suit which differs least from of in settings
// and bounds. It returns nil where none suits.
func (u *Universe) MostSimilar(of *SeenExport, suits func(*SeenExport) bool) (best *SeenExport) {
	for _, e := range u.Exports {
		if suits(e) && (best == nil || e.differences(of) < best.differences(of)) {
			best = e
		}
	}
	return best
}

// readingTrial checks a reading against every export.
type readingTrial struct {
	u        *Universe
	plans    []ExportPlan
	trims    bool
	refusals bool // refused exports count as files without rows
}

func (u *Universe) newTrial(r Reading) *readingTrial {
	t := &readingTrial{u: u, plans: make([]ExportPlan, len(u.Exports))}
	for i, e := range u.Exports {
		t.plans[i] = r.apply(e.plain)
		t.trims = t.trims || t.plans[i].LosesExactly != nil
	}
	return t
}

// mayHoldMore reports whether an export may hold more rows than are known.
func (t *readingTrial) mayHoldMore(e *SeenExport) bool {
	return e.ReadInPart || e.Refused && !t.refusals
}

// ownsAlike reports whether the exports hold rows of the same origins as in another trial.
func (t *readingTrial) ownsAlike(other *readingTrial) bool {
	return slices.EqualFunc(t.plans, other.plans,
		func(a, b ExportPlan) bool { return a.in == b.in && a.may == b.may })
}

// possibleOrigins returns the origins that a row can have according to the exports, and the
// first export that leaves it none or holds it although its own values exclude it. Earlier
// exports win over later ones.
func (t *readingTrial) possibleOrigins(row int) (left Origins, against *SeenExport) {
	r := &t.u.Rows[row]
	left = r.may
	for i, e := range t.u.Exports {
		p, can := &t.plans[i], left
		switch v := p.holdsRow(r); {
		case e.HoldsRow(row) && v >= 0:
			can &= p.in | p.may
		case e.HoldsRow(row):
			can = 0
		case v > 0 && !t.mayHoldMore(e) && p.LosesExactly == nil:
			can &^= p.in &^ p.may
		}
		if can != 0 {
			left = can
		} else if against == nil {
			against = e
		}
	}
	return left, against
}

// rowOrigins returns the possible origins of each row under the reading.
func (t *readingTrial) rowOrigins() []Origins {
	origins := make([]Origins, len(t.u.Rows))
	for row := range origins {
		origins[row], _ = t.possibleOrigins(row)
	}
	return origins
}

func (u *Universe) rowOrigins(r Reading) []Origins { return u.newTrial(r).rowOrigins() }

// contradictions returns the exports that differ from what the reading predicts for rows of
// these origins.
func (t *readingTrial) contradictions(origins []Origins) (all []*Contradiction) {
	for i, e := range t.u.Exports {
		p, c, lacks := &t.plans[i], Contradiction{Export: e}, []int(nil)
		c.Disorder = !p.isInOrder(t.u, e)
		for row := range t.u.Rows {
			if t.u.Rows[row].Unsteady {
				continue
			}
			switch v, held := p.holdsRow(&t.u.Rows[row]), e.HoldsRow(row); {
			case held && (v < 0 || origins[row]&(p.in|p.may) == 0):
				c.Extra = append(c.Extra, row)
			case !held && v > 0 && !t.mayHoldMore(e) && origins[row]&^(p.in&^p.may) == 0:
				lacks = append(lacks, row)
			}
		}
		if p.LosesExactly == nil ||
			!t.mayHoldMore(e) && !p.LosesExactly(IncompleteFile{t.u, e, p, lacks}) {
			c.Missing, c.LosesNothing = lacks, p.LosesExactly != nil && len(lacks) == 0
		}
		if len(c.Missing)+len(c.Extra) > 0 || c.Disorder || c.LosesNothing {
			all = append(all, &c)
		}
	}
	return all
}
