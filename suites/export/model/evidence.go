package model

// Contradiction is an export that does not hold what a reading says.
type Contradiction struct {
	Export         *Export
	Missing, Extra []int // places of rows that it should hold and does not, and the other way round
	Disorder       bool
	Whole          bool // it holds every row, although the reading has it lose some
}

// Against lists the exports that contradict a reading.
func (u *Universe) Against(r Reading) []*Contradiction {
	t := u.trial(r)
	return t.contradictions(t.homes())
}

// Shown lists the exports that contradict the document where a reading is right about whose the
// rows are.
func (u *Universe) Shown(r Reading) []*Contradiction {
	return u.trial(nil).contradictions(u.homes(r))
}

// Fits reports whether no export contradicts a reading.
func (u *Universe) Fits(r Reading) bool { return u.trial(r).refuted() == nil }

// refuted is an export that speaks against the reading; nil: none does.
func (t *trial) refuted() *Export {
	for i, e := range t.u.Exports {
		if !t.plans[i].inOrder(t.u, e) {
			return e
		}
	}
	for _, row := range t.u.suspects { // most readings fail there
		if _, against := t.labels(row); against != nil {
			return against
		}
	}
	for row := range t.u.Rows {
		if _, against := t.labels(row); against != nil && !t.u.Rows[row].Unsteady {
			return against
		}
	}
	if t.trims {
		for _, c := range t.contradictions(t.homes()) {
			return c.Export
		}
	}
	return nil
}

// trial holds a reading against every export.
type trial struct {
	u        *Universe
	plans    []plan
	trims    bool
	refusals bool // count as files without rows
}

func (u *Universe) trial(r Reading) *trial {
	t := &trial{u: u, plans: make([]plan, len(u.Exports))}
	for i, e := range u.Exports {
		t.plans[i] = r.plan(e.plain)
		t.trims = t.trims || t.plans[i].trim != nil
	}
	return t
}

// open reports an export that may hold more rows than are known.
func (t *trial) open(e *Export) bool { return e.Cut || e.Refused && !t.refusals }

// labels are those that a row can have by what the exports hold, the first of which say more than
// those that contradict them, and the first that does: it leaves the row none, or holds it although
// it holds nobody's rows of its dates and its client.
func (t *trial) labels(row int) (left Labels, against *Export) {
	r := &t.u.Rows[row]
	left = r.may
	for i, e := range t.u.Exports {
		p, can := &t.plans[i], left
		switch v := p.holds(r); {
		case e.Holds(row) && v >= 0:
			can &= p.in | p.may
		case e.Holds(row):
			can = 0
		case v > 0 && !t.open(e) && p.trim == nil:
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

// homes are the labels that rows can have under a reading.
func (t *trial) homes() []Labels {
	homes := make([]Labels, len(t.u.Rows))
	for row := range homes {
		homes[row], _ = t.labels(row)
	}
	return homes
}

func (u *Universe) homes(r Reading) []Labels { return u.trial(r).homes() }

// contradictions lists the exports that do not hold what the reading says of rows with these
// labels.
func (t *trial) contradictions(homes []Labels) (all []*Contradiction) {
	for i, e := range t.u.Exports {
		p, c, lacks := &t.plans[i], Contradiction{Export: e}, []int(nil)
		c.Disorder = !p.inOrder(t.u, e)
		for row := range t.u.Rows {
			if t.u.Rows[row].Unsteady {
				continue
			}
			switch v, held := p.holds(&t.u.Rows[row]), e.Holds(row); {
			case held && (v < 0 || homes[row]&(p.in|p.may) == 0):
				c.Extra = append(c.Extra, row)
			case !held && v > 0 && !t.open(e) && homes[row]&^(p.in&^p.may) == 0:
				lacks = append(lacks, row)
			}
		}
		if p.trim == nil || !t.open(e) && !p.trim(file{t.u, e, p, lacks}) {
			c.Missing, c.Whole = lacks, p.trim != nil && len(lacks) == 0
		}
		if len(c.Missing)+len(c.Extra) > 0 || c.Disorder || c.Whole {
			all = append(all, &c)
		}
	}
	return all
}
