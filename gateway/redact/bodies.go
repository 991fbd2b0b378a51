package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Body redacts a body. JSON keeps its spelling: only strings and numbers that hold something are written anew, so that
// a doubled key or a strange number stays visible.
func (r *Redactor) Body(b []byte) []byte { return r.BodyOf(b, true) }

// BodyOf redacts a body; where it is not about a person, fields such as name are no personal data, and only values that
// are known to be are replaced.
func (r *Redactor) BodyOf(b []byte, person bool) []byte {
	if len(b) == 0 {
		return b
	}
	start := bytes.TrimLeft(b, " \t\r\n\ufeff")
	switch meant := len(start) > 0 && bytes.IndexByte([]byte(`{["`), start[0]) >= 0; {
	case meant && Shallow(b) && json.Valid(b):
		w := walk{r: r, in: b, impersonal: !person}
		w.out.Grow(len(b))
		w.value(nil, false)
		w.out.Write(b[w.at:])
		return r.scattered(w.out.Bytes())
	case meant && person:
		return []byte(r.Text(r.brokenJSON(string(b))))
	case !meant && !utf8.Valid(b):
		return []byte(r.values(string(b)))
	}
	return []byte(r.Text(string(b)))
}

// Beginning redacts the first bytes that are kept of an answer's body, and reports whether that is not all of it. What
// lies behind is not looked at, so that a long body takes no longer than a short one.
func (r *Redactor) Beginning(b []byte, most int, person bool) (kept []byte, short bool) {
	if len(b) <= most {
		kept = r.BodyOf(b, person)
		if len(kept) <= most {
			return kept, false
		}
	} else if start := bytes.TrimLeft(b, " \t\r\n"); len(start) > 0 && bytes.IndexByte([]byte("{["), start[0]) >= 0 &&
		Shallow(b) && json.Valid(b) {
		w := walk{r: r, in: b, impersonal: !person, most: most}
		w.value(nil, false)
		kept = []byte(r.values(w.out.String())) // a list of a secret's bytes is no string
	} else {
		kept, _ = CutTo(b, most+r.Longest()+1024) // what begins within the kept part is seen whole
		kept = r.BodyOf(kept, person)
	}
	kept, _ = CutTo(kept, most)
	return kept, true
}

// scattered replaces the values of valid JSON over which a secret is spread: a list of its bytes, say.
func (r *Redactor) scattered(b []byte) []byte {
	r.mu.RLock()
	found := r.runs.find(string(b))
	r.mu.RUnlock()
	replaced := int32(len(b))
	for _, hit := range slices.Backward(found) {
		if hit.from < replaced { // else it went with the one behind it
			from, to := enclosing(b, int(hit.from), int(hit.to))
			b = slices.Concat(b[:from], []byte(quote(Mark)), b[to:])
			replaced = int32(from)
		}
	}
	return b
}

// enclosing finds the smallest value of valid JSON in which a part of it lies.
func enclosing(b []byte, from, to int) (start, end int) {
	var open []int
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			first := i
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if first <= from && to <= i+1 {
				return first, i + 1
			}
		case '{', '[':
			open = append(open, i)
		case '}', ']':
			first := open[len(open)-1]
			open = open[:len(open)-1]
			if first <= from && to <= i+1 {
				return first, i + 1
			}
		}
	}
	return 0, len(b)
}

// brokenJSON replaces the personal fields of what was meant to be JSON.
func (r *Redactor) brokenJSON(s string) string {
	return r.fields.broken.ReplaceAllStringFunc(s, func(pair string) string {
		m := r.fields.broken.FindStringSubmatch(pair)
		var plain string
		switch {
		case !strings.HasPrefix(m[2], `"`):
			return m[1] + r.names.of(r.values(m[2]))
		case json.Unmarshal([]byte(m[2]), &plain) == nil:
			return m[1] + quote(r.person(plain))
		}
		return m[1] + r.person(m[2])
	})
}

// person is the pseudonym of a personal field's value. A field name is none: errors name fields under "name".
func (r *Redactor) person(v string) string {
	if r.fields.names[v] {
		return v
	}
	if clean := r.secretsOnly(v); clean != v {
		return clean
	}
	return r.names.of(v)
}

// secretsOnly redacts v when it holds a secret; personal values in it are left to the pseudonym of the whole.
func (r *Redactor) secretsOnly(v string) string {
	if clean := r.Text(v); strings.Contains(clean, Mark) && !strings.Contains(v, Mark) {
		return clean
	}
	return v
}

// Learn registers the personal values of a request, so that an answer that quotes them elsewhere is redacted as well.
func (r *Redactor) Learn(b []byte) {
	if len(b) > 0 && Shallow(b) && json.Valid(b) {
		w := walk{r: r, in: b, learning: true}
		w.value(nil, false)
	}
}

// learnValue registers what a request's field held, unless it is too short or too plain ("00000000") to be told from
// other data, or too long to be quoted.
func (r *Redactor) learnValue(v string) {
	distinct := map[rune]bool{}
	for _, c := range v {
		distinct[c] = true
	}
	if len(v) >= 8 && len(v) <= 1024 && len(distinct) >= 4 {
		r.Personal(v)
	}
}

// walk copies valid JSON and rewrites the values that must be.
type walk struct {
	r          *Redactor
	in         []byte
	at         int
	out        bytes.Buffer
	learning   bool
	impersonal bool // the body is not about a person
	most       int  // bytes after which the rest is left out; 0: none is
}

func (w *walk) space() {
	from := w.at
	for w.at < len(w.in) && strings.IndexByte(" \t\r\n", w.in[w.at]) >= 0 {
		w.at++
	}
	w.out.Write(w.in[from:w.at])
}

// full reports that as much was written as is kept.
func (w *walk) full() bool { return w.most > 0 && w.out.Len() >= w.most }

func (w *walk) copyByte() {
	w.out.WriteByte(w.in[w.at])
	w.at++
}

// token takes a string with its quotes.
func (w *walk) token() []byte {
	from := w.at
	for w.at++; w.in[w.at] != '"'; w.at++ {
		if w.in[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.in[from:w.at]
}

// value copies one value; personal says that an enclosing field is.
func (w *walk) value(path []string, personal bool) {
	w.space()
	if w.full() {
		return
	}
	switch c := w.in[w.at]; c {
	case '{', '[':
		w.copyByte()
		for w.space(); w.in[w.at] != '}' && w.in[w.at] != ']'; w.space() {
			if w.full() {
				return
			}
			if w.in[w.at] == ',' {
				w.copyByte()
				continue
			}
			if c == '[' {
				w.value(path, personal)
				continue
			}
			key := w.key()
			inner := slices.Concat(path, []string{key})
			w.value(inner, personal || !w.impersonal && w.r.fields.has(inner))
		}
		w.copyByte()
	case '"':
		w.text(path, personal)
	case 't', 'f', 'n':
		for w.at < len(w.in) && w.in[w.at] >= 'a' && w.in[w.at] <= 'z' {
			w.copyByte()
		}
	default:
		w.number(personal)
	}
}

func (w *walk) key() string {
	raw := w.token()
	var key string
	_ = json.Unmarshal(raw, &key) // valid, since the whole is
	if clean := w.r.Text(key); clean != key && !w.learning {
		w.out.WriteString(quote(clean))
	} else {
		w.out.Write(raw)
	}
	w.space()
	w.copyByte() // the colon
	return key
}

func (w *walk) text(path []string, personal bool) {
	raw := w.token()
	var plain string
	_ = json.Unmarshal(raw, &plain)
	if w.learning {
		if personal && len(path) > 0 && w.r.fields.learn[path[len(path)-1]] && !w.r.fields.names[plain] {
			w.r.learnValue(plain)
		}
		if personal && len(path) > 1 && path[len(path)-1] == "number" && path[len(path)-2] == "document" {
			w.r.learnValue(plain)
		}
		return
	}
	if longest := w.most + w.r.Longest() + 1024; w.most > 0 && len(plain) > longest {
		// Nobody will see the end of it: with this text the kept part is full.
		short, _ := CutTo([]byte(plain), longest)
		plain, raw = string(short), []byte(quote(string(short)))
	}
	var clean string
	switch {
	case personal:
		clean = w.r.person(plain)
	case len(plain) > 1 && (plain[0] == '{' || plain[0] == '[') && json.Valid([]byte(plain)):
		clean = string(w.r.Body([]byte(plain))) // JSON within JSON
	default:
		clean = w.r.Text(plain)
	}
	if clean == plain {
		w.out.Write(raw)
		return
	}
	w.out.WriteString(quote(clean))
}

func (w *walk) number(personal bool) {
	from := w.at
	for w.at < len(w.in) && strings.IndexByte("+-.0123456789eE", w.in[w.at]) >= 0 {
		w.at++
	}
	literal := string(w.in[from:w.at])
	switch {
	case w.learning:
	case personal:
		w.out.WriteString(w.r.names.ofNumber(literal))
	default:
		clean := w.r.values(literal)
		if clean != literal && !json.Valid([]byte(clean)) {
			clean = quote(clean)
		}
		w.out.WriteString(clean)
	}
}

// quote is s as a JSON string, without the escapes that only HTML needs.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
