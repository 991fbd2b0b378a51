package redact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// headOfPerson is how many letters and digits of a value about a person it is looked up by. Fewer stand in any text by
// chance.
const headOfPerson = 8

// people finds values about persons however a deployment writes them: what counts are their letters and digits, of
// either case and without accents.
type people struct {
	byHead map[uint64][]person // first letters -> values, longest first
	filter [1 << 16 / 64]uint64
}

// person is a value and its pseudonym, as folded letters of the same number.
type person struct{ value, pseudonym string }

func newPeople() people { return people{byHead: map[uint64][]person{}} }

func (p *people) add(value, pseudonym string) {
	one := person{folded(value), folded(pseudonym)}
	if len(one.value) < headOfPerson || len(one.value) != len(one.pseudonym) {
		return
	}
	var head uint64
	for _, c := range []byte(one.value[:headOfPerson]) {
		head = head<<8 | uint64(c)
	}
	at, known := slices.BinarySearchFunc(p.byHead[head], one, func(a, b person) int {
		return cmp.Or(len(b.value)-len(a.value), strings.Compare(a.value, b.value))
	})
	if !known {
		p.byHead[head] = slices.Insert(p.byHead[head], at, one)
		bit := mixed(head) % (1 << 16)
		p.filter[bit/64] |= 1 << (bit % 64)
	}
}

// replace puts the pseudonym's letters in place of those of each value, and leaves what stands between them.
func (p *people) replace(s string) string {
	if len(p.byHead) == 0 {
		return s
	}
	var out strings.Builder
	var head uint64
	var from [headOfPerson]int
	count, copied := 0, 0
	for i := 0; i < len(s); {
		c, size := fold(s[i:])
		i += size
		if c == 0 {
			continue
		}
		head, from[count%headOfPerson] = head<<8|uint64(c), i-size
		if count++; count < headOfPerson {
			continue
		}
		bit := mixed(head) % (1 << 16)
		if p.filter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		for _, one := range p.byHead[head] {
			end, found := one.ends(s, i)
			if !found {
				continue
			}
			start := from[count%headOfPerson]
			out.WriteString(s[copied:start])
			one.write(&out, s[start:end])
			i, copied, count = end, end, 0
			break
		}
	}
	if copied == 0 {
		return s
	}
	out.WriteString(s[copied:])
	return out.String()
}

// ends returns where the value ends in a text, whose first letters end at i.
func (p person) ends(s string, i int) (end int, found bool) {
	for k := headOfPerson; k < len(p.value); {
		if i == len(s) {
			return 0, false
		}
		c, size := fold(s[i:])
		i += size
		if c == 0 {
			continue
		}
		if c != p.value[k] {
			return 0, false
		}
		k++
	}
	return i, true
}

func (p person) write(out *strings.Builder, of string) {
	k := 0
	for i := 0; i < len(of); {
		c, size := fold(of[i:])
		r, _ := utf8.DecodeRuneInString(of[i:])
		switch {
		case c != 0 && unicode.IsUpper(r):
			out.WriteRune(unicode.ToUpper(rune(p.pseudonym[k])))
			k++
		case c != 0:
			out.WriteByte(p.pseudonym[k])
			k++
		case !unicode.Is(unicode.Mn, r):
			out.WriteString(of[i : i+size])
		}
		i += size
	}
}

func folded(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		c, size := fold(s[i:])
		if c != 0 {
			b.WriteByte(c)
		}
		i += size
	}
	return b.String()
}

// fold is the letter or digit that a text begins with, in lower case and without its accent, or 0, and how many bytes
// it takes. A byte that is not UTF-8 is read as Latin-1.
func fold(s string) (c byte, size int) {
	if c := s[0]; c < utf8.RuneSelf {
		switch {
		case c >= 'A' && c <= 'Z':
			return c | 0x20, 1
		case alphanumeric(c):
			return c, 1
		}
		return 0, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		r = rune(s[0])
	}
	if r = narrow(r); r >= utf8.RuneSelf && unicode.IsLetter(r) {
		r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	}
	if r >= utf8.RuneSelf || !alphanumeric(byte(r)) {
		return 0, size
	}
	c, _ = fold(string(r))
	return c, size
}
