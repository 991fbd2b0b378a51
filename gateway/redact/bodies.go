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
func (r *Redactor) Body(b []byte) []byte { return r.body(b, true) }

// body redacts a body; where it is not about a person, fields such as name are not personal data, and only values that
// are known to be are replaced.
func (r *Redactor) body(b []byte, person bool) []byte {
	switch {
	case isJSON(b):
		w := walk{r: r, in: b, impersonal: !person}
		w.run()
		return w.out.Bytes()
	case !utf8.Valid(b):
		return []byte(r.values(string(b)))
	}
	return []byte(r.Text(string(b)))
}

func isJSON(b []byte) bool {
	start := bytes.TrimLeft(b, " \t\r\n")
	return len(start) > 0 && bytes.IndexByte([]byte(`{["`), start[0]) >= 0 && Shallow(b) && json.Valid(b)
}

// Beginning redacts the first bytes that are kept of an answer's body, and reports whether that is not all of it. What is
// far longer is not looked at as JSON, so that a long body takes no longer than a short one.
func (r *Redactor) Beginning(b []byte, most int, person bool) (kept []byte, short bool) {
	kept = b
	if len(b) > 2*most || !isJSON(b) {
		kept, _ = CutTo(b, most+r.Longest()+1024) // what begins within the kept part is seen whole
	}
	kept, cut := CutTo(r.body(kept, person), most)
	return kept, cut || len(b) > most
}

// person is the pseudonym of a personal field's value. A field name is none: errors name fields under "name".
func (r *Redactor) person(v string) string {
	if r.fields.names[v] {
		return v
	}
	if clean := r.Text(v); strings.Contains(clean, Mark) && !strings.Contains(v, Mark) {
		return clean // it holds a secret
	}
	return r.names.of(v)
}

// walk copies valid JSON and rewrites the values that must be.
type walk struct {
	r          *Redactor
	in         []byte
	out        bytes.Buffer
	impersonal bool // the body is not about a person
}

// member is where in the JSON a walk is, at one depth.
type member struct {
	key      string // empty in a list
	personal bool   // or what is around it
}

func (w *walk) run() {
	d := jsontext.NewDecoder(bytes.NewBuffer(w.in), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	at := make([]member, 1, 8)
	for from := int64(0); ; from = d.InputOffset() {
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
		m.personal = w.r.fields.tails.have(keys(append(slices.Clip(around), m)))
	}
	w.put(raw, m.key, w.r.Text(m.key))
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
	switch {
	case at[len(at)-1].personal:
		w.put(raw, plain, w.r.person(plain))
	case len(plain) > 1 && (plain[0] == '{' || plain[0] == '[') && json.Valid([]byte(plain)):
		w.put(raw, plain, string(w.r.Body([]byte(plain)))) // JSON within JSON
	default:
		w.put(raw, plain, w.r.Text(plain))
	}
}

// put writes a text as it was spelled where nothing in it was replaced.
func (w *walk) put(raw []byte, plain, clean string) {
	if clean == plain {
		w.out.Write(raw)
	} else {
		w.out.WriteString(quote(clean))
	}
}

func (w *walk) number(literal string, personal bool) {
	clean := w.r.values(literal)
	switch {
	case personal:
		clean = w.r.names.number(literal)
	case clean != literal && !json.Valid([]byte(clean)):
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
