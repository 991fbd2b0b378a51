package client

import (
	"bytes"
	"slices"
)

// seeker looks for credentials in what is written to it, however that is cut into pieces.
type seeker struct {
	needles []needle
	longest int      // of them
	tail    []byte   // of what was written: a credential may lie across two pieces
	found   []string // names of those that were there
}

// needle is what gives a credential away, and its name.
type needle struct{ name, text string }

func (c *Client) seeker() *seeker {
	s := &seeker{}
	for value, cred := range c.credentials() {
		if text := telling(value); text != "" {
			s.needles, s.longest = append(s.needles, needle{cred.Name, text}), max(s.longest, len(text))
		}
	}
	return s
}

func (s *seeker) Write(p []byte) (int, error) {
	seam := slices.Concat(s.tail, p[:min(len(p), s.longest)])
	for _, n := range s.needles {
		there := bytes.Contains(seam, []byte(n.text)) || bytes.Contains(p, []byte(n.text))
		if there && !slices.Contains(s.found, n.name) {
			s.found = append(s.found, n.name)
		}
	}
	if len(p) > s.longest {
		seam = p
	}
	s.tail = bytes.Clone(seam[max(0, len(seam)-s.longest):])
	return len(p), nil
}
