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
func (u *Universe) Against(r Reading) []*Contradiction {
	t := u.trial(r)
	return t.contradictions(t.homes())
}

// Shown lists the exports that contradict the document where a reading is right about whose the rows are.
func (u *Universe) Shown(r Reading) []*Contradiction { return u.trial(nil).contradictions(u.homes(r)) }

// Fits reports whether no export contradicts a reading.
func (u *Universe) Fits(r Reading) bool { return u.trial(r).refuted() == nil }

// refuted is an export that speaks against the reading; nil: none does.
func (t *trial) refuted() *Export {
	for i, e := range t.u.Exports {
		if !t.plans[i].inOrder(e) {
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

// labels are those that a row can have by what the exports hold, and an export that leaves it none, or that holds it although it
// holds nobody's rows of its dates and its client.
func (t *trial) labels(row int) (left Labels, against *Export) {
	r := &t.u.Rows[row]
	left = r.may
	for i, e := range t.u.Exports {
		p := &t.plans[i]
		switch v := p.holds(r); {
		case e.Holds(row) && v >= 0:
			left &= p.in | p.may
		case e.Holds(row):
			against = e
		case v > 0 && !t.open(e) && p.trim == nil:
			left &^= p.in &^ p.may
		}
		if left == 0 && against == nil {
			against = e
		}
	}
	return left, against
}

// homes are the labels that rows can have under a reading, and where exports contradict each other about a row, the likeliest.
func (t *trial) homes() []Labels {
	homes := make([]Labels, len(t.u.Rows))
	for row := range homes {
		if homes[row], _ = t.labels(row); homes[row] == 0 {
			homes[row] = t.likeliest(row)
		}
	}
	return homes
}

func (u *Universe) homes(r Reading) []Labels { return u.trial(r).homes() }

// plainly is how many other exports a plain one outweighs.
const plainly = 4

// likeliest is the label that the fewest exports speak against.
func (t *trial) likeliest(row int) (best Labels) {
	r, fewest := &t.u.Rows[row], plainly*len(t.u.Exports)+1
	for rest := t.u.apart(r.may); rest != 0; rest &= rest - 1 {
		label, against := Labels(1)<<bits.TrailingZeros64(uint64(rest)), 0
		for i, e := range t.u.Exports {
			p := &t.plans[i]
			switch v := p.holds(r); {
			case e.Holds(row) && v >= 0 && label&(p.in|p.may) == 0,
				!e.Holds(row) && v > 0 && !t.open(e) && p.trim == nil && label&p.in&^p.may != 0:
				against++
				if e.Plain {
					against += plainly - 1
				}
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

// contradictions lists the exports that do not hold what the reading says of rows with these labels.
func (t *trial) contradictions(homes []Labels) (all []*Contradiction) {
	for i, e := range t.u.Exports {
		p, c, lacks := &t.plans[i], Contradiction{Export: e}, []int(nil)
		c.Disorder = !p.inOrder(e)
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
		if p.trim == nil || !t.open(e) && !p.trim(file{t.u, e, p, lacks, t.u.longest()}) {
			c.Missing, c.Whole = lacks, p.trim != nil && len(lacks) == 0
		}
		if len(c.Missing)+len(c.Extra) > 0 || c.Disorder || c.Whole {
			all = append(all, &c)
		}
	}
	return all
}

func (u *Universe) longest() (most int) {
	for _, e := range u.Exports {
		most = max(most, len(e.Rows))
	}
	return most
}
