package judge

// scanner reads one JSON text without allocation. It knows the whole grammar, so that it agrees with encoding/json on
// what JSON is; what is rare (an escape in a member's name, deep nesting) it leaves to encoding/json.
type scanner struct {
	body  []byte
	at    int
	doubt bool // encoding/json has to judge
}

// deepest is how far values may nest before encoding/json has to judge; it has a limit of its own.
const deepest = 64

// found tells which members were there and right. The last of several of one name counts, as in encoding/json.
type found struct{ id, state, created bool }

// scan is Inspect without allocation. ok is false where it leaves the judgement to encoding/json.
func scan(body []byte) (d Defect, ok bool) {
	s := scanner{body: body}
	var f found
	valid := s.answer(&f)
	switch {
	case s.doubt:
		return Sound, false
	case !valid:
		return NotObject, true
	case !f.id:
		return NoFileID, true
	case !f.state:
		return NoFileState, true
	case !f.created:
		return NoCreatedAt, true
	}
	return Sound, true
}

// answer reads the whole text as one object and notes its members.
func (s *scanner) answer(f *found) bool {
	s.space()
	if s.peek() != '{' {
		return false
	}
	s.at++
	if s.space(); s.peek() == '}' {
		s.at++
		return s.end()
	}
	for {
		name, escaped, ok := s.text()
		if !ok || !s.colon() {
			return false
		}
		if escaped {
			s.doubt = true
			return false
		}
		switch string(name) {
		case "file_id":
			f.id, ok = s.nonEmpty()
		case "file_state":
			f.state = s.peek() == '{'
			ok = s.value(1)
		case "created_at":
			f.created, ok = s.instant()
		default:
			ok = s.value(1)
		}
		if !ok {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case '}':
			s.at++
			return s.end()
		default:
			return false
		}
	}
}

// nonEmpty reads a value and tells whether it is a string that is not empty.
func (s *scanner) nonEmpty() (is, ok bool) {
	if s.peek() != '"' {
		return false, s.value(1)
	}
	text, _, ok := s.text()
	return len(text) > 0, ok // an escape stands for at least one character
}

// instant reads a value and tells whether it is a date-time with its zone.
func (s *scanner) instant() (is, ok bool) {
	if s.peek() != '"' {
		return false, s.value(1)
	}
	text, escaped, ok := s.text()
	if ok && escaped {
		s.doubt = true
		return false, false
	}
	return ok && isDateTime(text), ok
}

func (s *scanner) peek() byte {
	if s.at < len(s.body) {
		return s.body[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for s.at < len(s.body) {
		switch s.body[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// end tells whether nothing but space follows.
func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.body)
}

// colon reads what is between a name and its value.
func (s *scanner) colon() bool {
	s.space()
	if s.peek() != ':' {
		return false
	}
	s.at++
	s.space()
	return true
}

// value reads any value.
func (s *scanner) value(depth int) bool {
	if depth > deepest {
		s.doubt = true
		return false
	}
	switch c := s.peek(); c {
	case '{':
		return s.members(depth, '}')
	case '[':
		return s.members(depth, ']')
	case '"':
		_, _, ok := s.text()
		return ok
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// members reads an object or a list.
func (s *scanner) members(depth int, closing byte) bool {
	s.at++
	if s.space(); s.peek() == closing {
		s.at++
		return true
	}
	for {
		if closing == '}' {
			if _, _, ok := s.text(); !ok || !s.colon() {
				return false
			}
		}
		if !s.value(depth + 1) {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case closing:
			s.at++
			return true
		default:
			return false
		}
	}
}

func (s *scanner) word(word string) bool {
	if len(s.body)-s.at < len(word) || string(s.body[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

// text reads a string and gives what is between its quotes, and whether there are escapes in it.
func (s *scanner) text() (content []byte, escaped, ok bool) {
	if s.peek() != '"' {
		return nil, false, false
	}
	s.at++
	from := s.at
	for s.at < len(s.body) {
		switch c := s.body[s.at]; {
		case c == '"':
			s.at++
			return s.body[from : s.at-1], escaped, true
		case c == '\\':
			escaped = true
			if !s.escape() {
				return nil, true, false
			}
		case c < ' ':
			return nil, escaped, false
		default:
			s.at++
		}
	}
	return nil, escaped, false
}

func (s *scanner) escape() bool {
	s.at++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at++
		return true
	case 'u':
		for i := 1; i <= 4; i++ {
			if s.at+i >= len(s.body) || !isHex(s.body[s.at+i]) {
				return false
			}
		}
		s.at += 5
		return true
	}
	return false
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.at++
	}
	switch c := s.peek(); {
	case c == '0':
		s.at++
	case isDigit(c):
		s.digits()
	default:
		return false
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return false
		}
	}
	if s.peek()|0x20 == 'e' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.at
	for s.at < len(s.body) && isDigit(s.body[s.at]) {
		s.at++
	}
	return s.at > from
}
