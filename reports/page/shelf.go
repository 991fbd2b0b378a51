package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// shelf hands out exchanges until the page holds enough of them.
type shelf struct {
	from   Exchanges
	labels map[int]Moment
	uses   map[int]int // checks of the run that rest on an exchange
	budget *budget
}

func newShelf(run record.Run, from Exchanges, moments []Moment, b *budget) *shelf {
	s := &shelf{from: from, labels: map[int]Moment{}, uses: map[int]int{}, budget: b}
	for _, m := range moments {
		s.labels[m.Seq] = m
	}
	for _, r := range run.Rules {
		for _, c := range r.Checks {
			for _, seq := range c.Exchanges {
				s.uses[seq]++
			}
		}
	}
	return s
}

// defect shows the rules behind a defect: what it keeps from being judged stands with the first.
func (s *shelf) defect(d digest.Defect) defect {
	found := defect{Defect: d}
	failed, judged := 0, 0
	for i, r := range d.Failed {
		n, of := digest.Failing(r)
		failed, judged = failed+n, judged+of
		c := s.card(r, d.Failed)
		c.Grouped = i > 0
		found.Cards = append(found.Cards, c)
	}
	if len(found.Cards) > 0 {
		first := &found.Cards[0]
		first.Unjudged, first.Under = d.Unjudged, slices.Clone(found.Cards[1:])
		first.First.Headed = first.First.Headed && first.Finding == d.Headline
		first.Finding = d.Headline
	}
	found.Tally = fmt.Sprintf("%d of %d", failed, judged)
	return found
}

// card shows a rule; related are the rules, itself among them, that one defect explains.
func (s *shelf) card(r record.Rule, related []record.Rule) card {
	c := card{Rule: r, Finding: digest.Finding(r)}
	for _, other := range related {
		if other.ID != r.ID {
			c.Related = append(c.Related, other.ID)
		}
	}
	if s.budget.full--; s.budget.full < 0 {
		c.Brief = true
		return c
	}
	for i, k := range digest.Deciding(r) {
		one := s.check(r, k)
		one.Headed = i == 0 && k.Verdict == record.Fail
		if i == 0 {
			c.First = one
		} else {
			c.Further = append(c.Further, one)
		}
	}
	return c
}

// check shows the exchange first that shows what is wrong, then those that the fewest other checks rest on; files come
// after what asked for them.
func (s *shelf) check(r record.Rule, k record.Check) check {
	one := check{Check: k, Masked: strings.Contains(k.Actual, "(masked: ")}
	if s.from == nil {
		one.Left = k.Exchanges
		return one
	}
	if k.Decisive == 0 && k.Verdict == record.Fail {
		k.Decisive = s.deciding(r.ID, k)
	}
	order := slices.Clone(k.Exchanges)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.place(a, k), s.place(b, k)), cmp.Compare(s.uses[a], s.uses[b]))
	})
	for _, seq := range order {
		if len(one.Shown) == s.budget.perCheck || s.budget.cards <= 0 {
			one.Left = append(one.Left, seq)
			continue
		}
		if x := s.from.Exchange(seq); x != nil {
			one.Shown = append(one.Shown, numbered{
				seq, s.labels[seq].Label,
				fieldOf(r.ID), s.role(seq, r.ID, k), seq == k.Decisive, x,
			})
			one.Personal = one.Personal || s.labels[seq].Operation == "create"
			for _, text := range []string{x.URL, x.RequestHead, x.RequestBody, x.ResponseHead, x.ResponseBody} {
				s.budget.cards -= min(s.budget.each, len(text))
			}
		} else {
			one.Left = append(one.Left, seq)
		}
	}
	return one
}

// deciding is the exchange that a failed check without a decisive one is about: the first that is neither a control nor a
// file, the first of all where there is no other.
func (s *shelf) deciding(rule string, k record.Check) int {
	for _, seq := range k.Exchanges {
		if s.role(seq, rule, k) == "request" {
			return seq
		}
	}
	if len(k.Exchanges) > 0 {
		return k.Exchanges[0]
	}
	return 0
}

func (s *shelf) place(seq int, k record.Check) int {
	switch m := s.labels[seq]; {
	case seq == k.Decisive:
		return 0
	case m.Label == k.Name && k.Name != "":
		return 1
	case m.Operation == "file":
		return 3
	}
	return 2
}

// role says what an exchange is to a check: what it is about or its repetition, what it is held against, or a file that
// followed.
func (s *shelf) role(seq int, rule string, k record.Check) string {
	m, about := s.labels[seq], s.labels[k.Decisive].Label
	begins := func(with ...string) bool {
		return slices.ContainsFunc(with, func(w string) bool { return strings.HasPrefix(m.Label, w) })
	}
	alike, _, _ := strings.Cut(about, ",")
	switch {
	case seq == k.Control, begins("the window again", "valid creation", "valid export") && seq != k.Decisive:
		return "control"
	case m.Operation == "file":
		return "download"
	case strings.Contains(m.Label, "again"), strings.Contains(m.Label, "repeat") && !begins("first"),
		m.Label == about && seq != k.Decisive && about != "":
		return "repeat"
	case strings.HasPrefix(rule, "export.") && about != "" && !begins(alike):
		return "comparison"
	}
	return "request"
}

// data is the list of all exchanges as the page's script reads it: rows of numbers, with texts by their index, because
// most texts recur.
type data struct {
	Texts []string `json:"texts"`
	// number, start and service time in ms, status, index of operation, of label, attempt
	Rows  [][7]float64       `json:"rows"`
	Parts map[int][5]string  `json:"parts"`
	Left  int                `json:"left"` // exchanges without a row
	index map[string]float64 // of Texts
}

// Heads and bodies in the list, in characters.
const (
	headLimit = 2_000
	bodyLimit = 4_000
)

func newData(moments []Moment, from Exchanges, b *budget) data {
	d := data{Texts: []string{}, Rows: [][7]float64{}, Parts: map[int][5]string{}, index: map[string]float64{}}
	for i, m := range moments {
		if i >= b.moments {
			d.Left = len(moments) - i
			break
		}
		d.Rows = append(d.Rows, [7]float64{
			float64(m.Seq), millis(m.StartedAt.Sub(moments[0].StartedAt)), millis(m.Service), float64(m.Status),
			d.text(m.Operation), d.text(m.Label), float64(m.Attempt),
		})
		if b.bodies <= 0 {
			continue
		}
		if x := from.Exchange(m.Seq); x != nil {
			parts := [5]string{
				printable.Clean(printable.Clip(x.Method+" "+x.URL, headLimit)),
				printable.CleanLines(printable.Clip(x.RequestHead, headLimit)),
				printable.CleanLines(printable.Clip(pretty(x.RequestBody), bodyLimit)),
				printable.CleanLines(printable.Clip(x.ResponseHead, headLimit)),
				printable.CleanLines(printable.Clip(pretty(x.ResponseBody), bodyLimit)),
			}
			d.Parts[m.Seq] = parts
			for _, p := range parts {
				b.bodies -= len(p) + 4
			}
		}
	}
	return d
}

func (d *data) text(s string) float64 {
	s = printable.Clean(printable.Clip(s, 200))
	i, known := d.index[s]
	if !known {
		i = float64(len(d.Texts))
		d.index[s] = i
		d.Texts = append(d.Texts, s)
	}
	return i
}

// millis is a duration in milliseconds with three decimals.
func millis(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// sorted orders moments by their start.
func sorted(list []Moment) []Moment {
	list = slices.DeleteFunc(slices.Clone(list), func(m Moment) bool { return m.StartedAt.IsZero() })
	slices.SortFunc(list,
		func(a, b Moment) int { return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.Seq, b.Seq)) })
	return list
}
