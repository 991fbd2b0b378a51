package redact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// runLength is how many letters and digits of a secret in a row give it away. Fewer stand in any text by chance.
const runLength = 12

// runs finds pieces of secrets in whatever notation they are written: what counts of a text are its letters and digits,
// of either case, so that line breaks, spaces, quotes and characters of no width do not hide anything.
type runs struct {
	known  map[uint64]bool
	filter [1 << 16 / 64]uint64 // which hashes occur at all, by their last bits
}

func newRuns() runs { return runs{known: map[uint64]bool{}} }

// The hash of a run follows from that of the one before: hash*base + new - old*base^runLength.
const base uint64 = 0x9e3779b97f4a7c15

var leaving = func() uint64 {
	power := uint64(1)
	for range runLength {
		power *= base
	}
	return power
}()

func mixed(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// add registers every run of a secret, but those of a text that is public. It reports whether there was any.
func (n *runs) add(secret string, public map[uint64]bool) (added bool) {
	hashes(secret, func(h uint64) {
		if !public[h] {
			n.known[h], added = true, true
			n.filter[h%(1<<16)/64] |= 1 << (h % 64)
		}
	})
	return added
}

func hashes(s string, visit func(uint64)) {
	r := ring{}
	for i := 0; i < len(s); {
		c, size := letter([]byte(s), i)
		i += size
		if c == 0 {
			continue
		}
		if h, full := r.next(c, 0); full {
			visit(h)
		}
	}
}

// ring is the hash of the newest letters, and where they stand.
type ring struct {
	letters [runLength]byte
	from    [runLength]int32
	count   int
	hash    uint64
}

func (r *ring) next(c byte, from int32) (hash uint64, full bool) {
	at := r.count % runLength
	r.hash = r.hash*base + uint64(c) - uint64(r.letters[at])*leaving
	r.letters[at], r.from[at] = c, from
	r.count++
	return mixed(r.hash), r.count >= runLength
}

// first is where the oldest of the letters stands.
func (r *ring) first() int32 { return r.from[r.count%runLength] }

// letter is the letter or digit of ASCII, in lower case, that stands at a place, or 0, and how many bytes it takes. One
// that is full-width or the like counts as well.
func letter(text []byte, at int) (c byte, size int) {
	c, size = text[at], 1
	if c >= utf8.RuneSelf {
		wide, n := utf8.DecodeRune(text[at:])
		if wide = narrow(wide); wide >= utf8.RuneSelf {
			return 0, n
		}
		c, size = byte(wide), n
	}
	switch {
	case c >= 'A' && c <= 'Z':
		return c | 0x20, size
	case alphanumeric(c):
		return c, size
	}
	return 0, size
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// narrow is the character of ASCII that c is another form of, or c.
func narrow(c rune) rune {
	switch {
	case c >= 0xff01 && c <= 0xff5e:
		return c - 0xfee0
	case c >= 0x2070 && c <= 0x24ff, c >= 0x1d400 && c <= 0x1d7ff, c >= 0x1f100 && c <= 0x1f1ff:
		if plain := norm.NFKC.String(string(c)); len(plain) == 1 {
			return rune(plain[0])
		}
	}
	return c
}

// span is a part of a text.
type span struct{ from, to int32 }

// deepest is how many encodings within each other are undone.
const deepest = 3

// find returns the parts of a text in which runs of secrets stand, in order, none of them touching another.
func (n *runs) find(s string) []span {
	if len(n.known) == 0 || len(s) < runLength {
		return nil
	}
	var found []span
	n.search(view{text: []byte(s)}, deepest, &found)
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b span) int { return int(a.from - b.from) })
	joined := found[:1]
	for _, next := range found[1:] {
		if last := &joined[len(joined)-1]; next.from <= last.to {
			last.to = max(last.to, next.to)
		} else {
			joined = append(joined, next)
		}
	}
	return joined
}

func (n *runs) search(v view, depth int, found *[]span) {
	r := ring{}
	for i := 0; i < len(v.text); {
		c, size := letter(v.text, i)
		i += size
		if c == 0 {
			continue
		}
		h, full := r.next(c, int32(i-size))
		if !full || n.filter[h%(1<<16)/64]&(1<<(h%64)) == 0 || !n.known[h] {
			continue
		}
		from, _ := v.source(r.first())
		_, to := v.source(int32(i - 1))
		if k := len(*found); k > 0 && (*found)[k-1].from <= from && from <= (*found)[k-1].to {
			(*found)[k-1].to = max((*found)[k-1].to, to)
		} else {
			*found = append(*found, span{from, to})
		}
	}
	if depth > 0 && len(v.text) > runLength && (v.spans == nil || v.readable()) {
		v.decoded(func(inner view) { n.search(inner, depth-1, found) })
	}
}

// replace puts the mark in place of every piece of a secret.
func (n *runs) replace(s string) string {
	found := n.find(s)
	if len(found) == 0 {
		return s
	}
	var out strings.Builder
	copied := int32(0)
	for _, f := range found {
		out.WriteString(s[copied:f.from])
		out.WriteString(Mark)
		copied = f.to
	}
	out.WriteString(s[copied:])
	return out.String()
}
