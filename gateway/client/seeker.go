package client

import (
	"bytes"
	"encoding/binary"
)

// seeker looks for credentials in what is written to it, for all of them in one pass: of each stretch that is as long
// as the shortest of them it looks at four bytes, and where one of them is, these are four of its own.
type seeker struct {
	needles           []needle
	left              int // that were not found so far
	shortest, longest int
	grams             [1 << 10]uint64 // by a hash of four bytes, whether a needle holds such
	tail              []byte
}

// needle is what gives a credential away.
type needle struct {
	name  string
	text  []byte
	found bool
}

func (c *Client) seeker() *seeker {
	s := &seeker{}
	for value, cred := range c.credentials() {
		if text := telling(value); text != "" {
			s.add(cred.Name, []byte(text))
		}
	}
	return s
}

const gramLength = 4

// gram is where the first bytes of a text stand in seeker.grams.
func gram(text []byte) (word int, bit uint64) {
	hash := binary.LittleEndian.Uint32(text) * 0x9e3779b1 >> 16
	return int(hash >> 6), 1 << (hash & 63)
}

// add takes a needle, which has four bytes at the least.
func (s *seeker) add(name string, text []byte) {
	if len(s.needles) == 0 {
		s.shortest = len(text)
	}
	s.needles, s.left = append(s.needles, needle{name: name, text: text}), s.left+1
	s.shortest, s.longest = min(s.shortest, len(text)), max(s.longest, len(text))
	for i := range len(text) - gramLength + 1 {
		word, bit := gram(text[i:])
		s.grams[word] |= bit
	}
}

func (s *seeker) Write(p []byte) (int, error) {
	s.tail = append(s.tail, p[:min(len(p), s.longest)]...) // a credential may lie across two pieces
	s.seek(s.tail)
	s.seek(p)
	if len(p) > s.longest {
		s.tail = append(s.tail[:0], p[len(p)-s.longest:]...)
	}
	s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-s.longest):]...)
	return len(p), nil
}

// seek looks for needles in one piece.
func (s *seeker) seek(p []byte) {
	for i := 0; i+gramLength <= len(p) && s.left > 0; i += s.shortest - gramLength + 1 {
		if word, bit := gram(p[i:]); s.grams[word]&bit != 0 {
			s.lookAt(p[max(0, i-s.longest):min(len(p), i+s.longest)])
		}
	}
}

// lookAt marks the needles that a few bytes hold.
func (s *seeker) lookAt(p []byte) {
	for i := range s.needles {
		if n := &s.needles[i]; !n.found && bytes.Contains(p, n.text) {
			n.found, s.left = true, s.left-1
		}
	}
}

// found names the credentials that were there.
func (s *seeker) found() (names []string) {
	for _, n := range s.needles {
		if n.found {
			names = append(names, n.name)
		}
	}
	return names
}
