package page

import "github.com/gateassay/gateassay/gateway/printable"

// budget bounds what a page holds: each text, and all of them together. A page over the whole run keeps its
// beginning in full and shortens what follows, because the violations come first.
type budget struct {
	each     int // characters of one text
	least    int // characters that a text keeps when there is no room left
	left     int // bytes of texts until only their beginnings are kept
	cards    int // bytes of exchanges shown with violations
	bodies   int // bytes of heads and bodies in the list of all exchanges
	moments  int // exchanges in that list
	perCheck int // exchanges shown with a check
	full     int // violations shown as cards
}

// newBudget returns the share'th part of the most that a page may hold.
func newBudget(share int) *budget {
	return &budget{
		each: max(200, 8_000/share), least: max(40, 200/share), left: 1_200_000 / share,
		cards: 1_000_000 / share, bodies: 1_500_000 / share,
		moments: 24_000 / share, perCheck: 6, full: max(250, 1_000/share),
	}
}

func (b *budget) text(s string) string { return b.clip(s, b.each) }

// command leaves more of a text that is meant to be copied: cut off, it would be of no use.
func (b *budget) command(s string) string { return b.clip(s, 8*b.each) }

func (b *budget) clip(s string, limit int) string {
	if b.left <= 0 {
		limit = min(limit, b.least)
	}
	s = printable.Clip(s, limit)
	b.left -= len(s)
	return s
}
