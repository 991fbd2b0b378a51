package page

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// shelf hands out exchanges until the page holds enough of them.
type shelf struct {
	from   Exchanges
	budget *budget
}

func (s *shelf) groups(list []digest.Group) []group {
	var found []group
	for _, g := range list {
		one := group{Cause: g.Cause}
		for _, r := range g.Rules {
			one.Cards = append(one.Cards, s.card(r))
		}
		found = append(found, one)
	}
	return found
}

func (s *shelf) card(r record.Rule) card {
	c := card{Rule: r}
	for _, k := range digest.Deciding(r) {
		one := check{Check: k}
		if s.from != nil {
			for _, seq := range k.Exchanges {
				if len(one.Shown) == s.budget.perCheck || s.budget.cards <= 0 {
					one.Left++
					continue
				}
				if x := s.from.Exchange(seq); x != nil {
					one.Shown = append(one.Shown, numbered{seq, x})
					for _, text := range []string{x.URL, x.RequestHead, x.RequestBody, x.ResponseHead, x.ResponseBody} {
						s.budget.cards -= min(s.budget.each, len(text))
					}
				}
			}
		}
		c.Deciding = append(c.Deciding, one)
	}
	return c
}

// data is the list of all exchanges as the page's script reads it: rows of numbers, with texts by their index, because
// most texts recur.
type data struct {
	Texts []string           `json:"texts"`
	Rows  [][7]float64       `json:"rows"` // number, start and service time in ms, status, index of operation, of label, attempt
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
			float64(m.Seq), tenths(m.StartedAt.Sub(moments[0].StartedAt)), tenths(m.Service), float64(m.Status),
			d.text(m.Operation), d.text(m.Label), float64(m.Attempt),
		})
		if b.bodies <= 0 {
			continue
		}
		if x := from.Exchange(m.Seq); x != nil {
			parts := [5]string{
				digest.Clean(digest.Clip(x.Method+" "+x.URL, headLimit)),
				digest.CleanLines(digest.Clip(x.RequestHead, headLimit)), digest.CleanLines(digest.Clip(pretty(x.RequestBody), bodyLimit)),
				digest.CleanLines(digest.Clip(x.ResponseHead, headLimit)), digest.CleanLines(digest.Clip(pretty(x.ResponseBody), bodyLimit)),
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
	s = digest.Clean(digest.Clip(s, 200))
	i, known := d.index[s]
	if !known {
		i = float64(len(d.Texts))
		d.index[s] = i
		d.Texts = append(d.Texts, s)
	}
	return i
}

// tenths is a duration in milliseconds with one decimal.
func tenths(d time.Duration) float64 { return math.Round(float64(d)/1e5) / 10 }

// sorted orders moments by their start.
func sorted(list []Moment) []Moment {
	list = slices.DeleteFunc(slices.Clone(list), func(m Moment) bool { return m.StartedAt.IsZero() })
	slices.SortFunc(list, func(a, b Moment) int { return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.Seq, b.Seq)) })
	return list
}
