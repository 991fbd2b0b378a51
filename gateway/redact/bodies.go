package redact

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Body redacts a body. JSON keeps its spelling: only strings and numbers that hold something are written anew, so that
// a doubled key or a strange number stays visible.
func (r *Redactor) Body(b []byte) []byte { return r.bodyOf(b, true) }

// bodyOf redacts a body; where it is not about a person, fields such as name are not personal data, and only values
// that are known to be are replaced.
func (r *Redactor) bodyOf(b []byte, person bool) []byte {
	if len(b) == 0 {
		return b
	}
	start := bytes.TrimLeft(b, " \t\r\n\ufeff")
	switch meant := len(start) > 0 && bytes.IndexByte([]byte(`{["`), start[0]) >= 0; {
	case meant && Shallow(b) && json.Valid(b):
		w := walk{r: r, in: b, impersonal: !person}
		w.out.Grow(len(b))
		w.run()
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
		kept = r.bodyOf(b, person)
		if len(kept) <= most {
			return kept, false
		}
	} else if start := bytes.TrimLeft(b, " \t\r\n"); len(start) > 0 && bytes.IndexByte([]byte("{["), start[0]) >= 0 &&
		Shallow(b) && json.Valid(b) {
		w := walk{r: r, in: b, impersonal: !person, most: most}
		w.run()
		kept = []byte(r.values(w.out.String())) // a list of a secret's bytes is not a string
	} else {
		kept, _ = CutTo(b, most+r.Longest()+1024) // what begins within the kept part is seen whole
		kept = r.bodyOf(kept, person)
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
		w.run()
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
	out        bytes.Buffer
	learning   bool
	impersonal bool // the body is not about a person
	most       int  // bytes after which the rest is left out; 0: none is
}

// member is where in the JSON a walk is, at one depth.
type member struct {
	key      string // empty in a list
	personal bool   // or what is around it
}

func (w *walk) run() {
	d := jsontext.NewDecoder(bytes.NewBuffer(w.in), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	at := make([]member, 1, 8)
	for from := int64(0); w.most == 0 || w.out.Len() < w.most; from = d.InputOffset() {
		depth := d.StackDepth()
		at = at[:depth+1]
		in, count := d.StackIndex(depth)
		kind := d.PeekKind()
		var raw []byte
		switch kind {
		case '{', '[', '}', ']':
			_, _ = d.ReadToken()
			raw = w.in[d.InputOffset()-1 : d.InputOffset()]
		default:
			raw, _ = d.ReadValue()
		}
		w.out.Write(w.in[from : d.InputOffset()-int64(len(raw))]) // what stands between two values
		switch {
		case len(raw) == 0: // the end
			w.out.WriteString(w.r.Text(string(w.in[d.InputOffset():])))
			return
		case kind == '"' && in == '{' && count%2 == 0:
			at[depth] = w.key(at[:depth], raw)
		case kind == '"':
			w.text(at, raw)
		case kind == '0':
			w.number(string(raw), at[depth].personal)
		default:
			if w.out.Write(raw); kind == '{' || kind == '[' {
				at = append(at, member{personal: at[depth].personal})
			}
		}
	}
}

// key copies the key of a member, of which around are those that it lies in.
func (w *walk) key(around []member, raw []byte) member {
	m := member{personal: around[len(around)-1].personal}
	_ = json.Unmarshal(raw, &m.key) // valid, since the whole is
	if !m.personal && !w.impersonal {
		m.personal = w.r.fields.has(keys(append(slices.Clip(around), m)))
	}
	if clean := w.r.Text(m.key); clean != m.key && !w.learning {
		w.out.WriteString(quote(clean))
	} else {
		w.out.Write(raw)
	}
	return m
}

func keys(at []member) (path []string) {
	for _, m := range at {
		if m.key != "" {
			path = append(path, m.key)
		}
	}
	return path
}

func (w *walk) text(at []member, raw []byte) {
	var plain string
	_ = json.Unmarshal(raw, &plain)
	personal := at[len(at)-1].personal
	if w.learning {
		if path := keys(at); personal && w.r.fields.learnable(path) && !w.r.fields.names[plain] {
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

func (w *walk) number(literal string, personal bool) {
	if personal {
		w.out.WriteString(w.r.names.ofNumber(literal))
		return
	}
	clean := w.r.values(literal)
	if clean != literal && !json.Valid([]byte(clean)) {
		clean = quote(clean)
	}
	w.out.WriteString(clean)
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
