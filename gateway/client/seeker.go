package client

import "bytes"

// seeker looks for credentials in what is written to it, however that is cut into pieces.
type seeker struct {
	needles map[string]string // what gives a credential away, and its name
	longest int               // of them
	tail    []byte            // of what was written: a credential may lie across two pieces
	found   []string          // names of those that were there
}

func (c *Client) seeker() *seeker {
	s := &seeker{needles: map[string]string{}}
	for value, cred := range c.credentials() {
		if text := telling(value); text != "" {
			s.needles[text], s.longest = cred.Name, max(s.longest, len(text))
		}
	}
	return s
}

func (s *seeker) Write(p []byte) (int, error) {
	seam := append(s.tail, p[:min(len(p), s.longest)]...)
	for text, name := range s.needles {
		if bytes.Contains(seam, []byte(text)) || bytes.Contains(p, []byte(text)) {
			s.found = append(s.found, name)
			delete(s.needles, text)
		}
	}
	if len(p) > s.longest {
		seam = p
	}
	s.tail = bytes.Clone(seam[max(0, len(seam)-s.longest):])
	return len(p), nil
}
