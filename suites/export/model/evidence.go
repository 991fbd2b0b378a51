package model

import "math/bits"

// Contradiction is an export that does not hold what a reading says.
type Contradiction struct {
	Export         *Export
	Missing, Extra []int // places of rows that it should hold and does not, and the other way round
	Disorder       bool
	Whole          bool // it holds every row, although the reading has it lose some
}

// Against lists the exports that contradict a reading.
func (u *Universe) Against(r Reading) []*Contradiction { return u.against(r, false) }

// against is Against where refusals count as files without rows, or say nothing.
func (u *Universe) against(r Reading, refusals bool) []*Contradiction {
	t := u.trial(r)
	t.refusals = refusals
	t.run(false)
	var list []*Contradiction
	for i := range t.found {
		if c := &t.found[i]; len(c.Missing)+len(c.Extra) > 0 || c.Disorder || c.Whole {
			c.Export = u.Exports[i]
			list = append(list, c)
		}
	}
	return list
}

// Fits reports whether no export contradicts a reading.
func (u *Universe) Fits(r Reading) bool {
	t := u.trial(r)
	t.run(true)
	return !t.contradicted
}

// trial holds a reading against every export.
type trial struct {
	u            *Universe
	plans        []plan
	trims        bool
	found        []Contradiction
	lacks        [][]int // by export: what it should hold and lacks, where the reading has it lose rows
	contradicted bool
	refusals     bool // count as files without rows
}

// open reports an export that may hold more rows than are known.
func (t *trial) open(e *Export) bool { return e.Cut || e.Refused && !t.refusals }

func (u *Universe) trial(r Reading) *trial {
	t := &trial{u: u, plans: make([]plan, len(u.Exports)), found: make([]Contradiction, len(u.Exports))}
	for i, e := range u.Exports {
		t.plans[i] = r.plan(e.plain)
		t.trims = t.trims || t.plans[i].trim != nil
	}
	if t.trims {
		t.lacks = make([][]int, len(u.Exports))
	}
	return t
}

// run looks at every row, or with first until one contradicts the reading.
func (t *trial) run(first bool) {
	for i, e := range t.u.Exports {
		if !t.plans[i].inOrder(e) {
			t.found[i].Disorder, t.contradicted = true, true
		}
	}
	for row := range t.u.Rows {
		if first && t.contradicted {
			return
		}
		if r := &t.u.Rows[row]; !r.Unsteady {
			t.see(row, r)
		}
	}
	if !t.trims {
		return
	}
	longest := t.u.longest()
	for i, e := range t.u.Exports {
		if p := &t.plans[i]; p.trim != nil && !t.open(e) && !p.trim(file{t.u, e, p, t.lacks[i], longest}) {
			t.found[i].Missing, t.contradicted = append(t.found[i].Missing, t.lacks[i]...), true
			t.found[i].Whole = len(t.lacks[i]) == 0
		}
	}
}

// labels are those that a row can have by what the exports hold.
func (t *trial) labels(row int, r *Row) Labels {
	left := r.may
	for i, e := range t.u.Exports {
		p := &t.plans[i]
		switch v := p.holds(r); {
		case e.Holds(row) && v >= 0:
			left &= p.in | p.may
		case e.Holds(row):
		case v > 0 && !t.open(e) && p.trim == nil:
			left &^= p.in &^ p.may
		}
	}
	return left
}

// see holds one row against every export: what labels are left to it once all of them were looked at?
func (t *trial) see(row int, r *Row) {
	for i, e := range t.u.Exports {
		if e.Holds(row) && t.plans[i].holds(r) < 0 {
			t.found[i].Extra, t.contradicted = append(t.found[i].Extra, row), true
		}
	}
	left := t.labels(row, r)
	if left == 0 {
		t.contradicted = true
	}
	if left != 0 && !t.trims {
		return
	}
	if left == 0 {
		left = t.likeliest(row, r)
	}
	for i, e := range t.u.Exports {
		p := &t.plans[i]
		v, held := p.holds(r), e.Holds(row)
		switch {
		case held && v >= 0 && left&(p.in|p.may) == 0:
			t.found[i].Extra = append(t.found[i].Extra, row)
		case held || v <= 0 || t.open(e) || left&^(p.in&^p.may) != 0:
		case p.trim != nil:
			t.lacks[i] = append(t.lacks[i], row)
		default:
			t.found[i].Missing = append(t.found[i].Missing, row)
		}
	}
}

// likeliest is the label that the fewest exports speak against.
func (t *trial) likeliest(row int, r *Row) (best Labels) {
	fewest := len(t.u.Exports) + 1
	for rest := t.u.apart(r.may); rest != 0; rest &= rest - 1 {
		label, against := Labels(1)<<bits.TrailingZeros64(uint64(rest)), 0
		for i, e := range t.u.Exports {
			p := &t.plans[i]
			switch v := p.holds(r); {
			case e.Holds(row) && v >= 0 && label&(p.in|p.may) == 0,
				!e.Holds(row) && v > 0 && !t.open(e) && p.trim == nil && label&p.in&^p.may != 0:
				against++
			}
		}
		if against < fewest {
			fewest, best = against, label
		}
	}
	return best
}

// apart are those of some labels that tell more than others: whether the key sees a row says nothing where it is the caller's.
func (u *Universe) apart(of Labels) Labels {
	if u.OwnKey {
		return of & shownToKey
	}
	return of
}

// homes are the labels that rows can have under a reading; none where exports contradict it.
func (u *Universe) homes(r Reading) []Labels {
	t := u.trial(r)
	homes := make([]Labels, len(u.Rows))
	for row := range u.Rows {
		homes[row] = t.labels(row, &u.Rows[row]) &^ marked
	}
	return homes
}

// likely is homes with the likeliest label of rows that exports contradict each other about.
func (u *Universe) likely(r Reading) []Labels {
	t := u.trial(r)
	homes := u.homes(r)
	for row := range homes {
		if homes[row] == 0 {
			homes[row] = t.likeliest(row, &u.Rows[row])
		}
	}
	return homes
}

// wrong lists for each export whether it contradicts a reading, given the labels of all rows.
func (u *Universe) wrong(r Reading, homes []Labels) []bool {
	t := u.trial(r)
	wrong, longest := make([]bool, len(u.Exports)), u.longest()
	for i, e := range u.Exports {
		p := &t.plans[i]
		wrong[i] = !p.inOrder(e)
		var lacks []int
		for row := 0; row < len(u.Rows) && !wrong[i]; row++ {
			if u.Rows[row].Unsteady {
				continue
			}
			switch v, held := p.holds(&u.Rows[row]), e.Holds(row); {
			case held:
				wrong[i] = v < 0 || homes[row]&(p.in|p.may) == 0
			case v > 0 && !t.open(e) && homes[row]&^(p.in&^p.may) == 0:
				lacks = append(lacks, row)
				wrong[i] = p.trim == nil
			}
		}
		wrong[i] = wrong[i] || p.trim != nil && !t.open(e) && !p.trim(file{u, e, p, lacks, longest})
	}
	return wrong
}

func (u *Universe) longest() (most int) {
	for _, e := range u.Exports {
		most = max(most, len(e.Rows))
	}
	return most
}
