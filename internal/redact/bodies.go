package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gateassay/gateassay/internal/exactjson"
)

// Body redacts a body. JSON keeps its spelling: only strings and numbers that need redaction
// are rewritten, so that duplicate keys and odd numbers stay visible.
func (r *Redactor) Body(b []byte) []byte { return r.redactBody(b, true) }

// redactBody redacts a body. Without person it replaces only registered values, because fields
// such as name do not describe a person.
func (r *Redactor) redactBody(b []byte, person bool) []byte {
	switch {
	case isJSON(b):
		return r.redactJSON(b, person)
	case !utf8.Valid(b):
		return []byte(r.replaceRegistered(string(b)))
	}
	return []byte(r.Text(string(b)))
}

func isJSON(b []byte) bool {
	start := bytes.TrimLeft(b, " \t\r\n")
	return len(start) > 0 && bytes.IndexByte([]byte(`{["`), start[0]) >= 0 && IsShallowJSON(b) &&
		json.Valid(b)
}

// BodyPrefix redacts the beginning of an answer's body, most bytes long, and reports whether it
// is cut. A much longer body is not parsed as JSON, so that it takes no longer than a short one.
func (r *Redactor) BodyPrefix(b []byte, most int, person bool) (kept []byte, short bool) {
	kept = b
	if len(b) > 2*most || !isJSON(b) {
		// include values that only begin in the kept part
		kept, _ = CopyPrefix(b, most+r.MaxValueLength()+1024)
	}
	kept, cut := CopyPrefix(r.redactBody(kept, person), most)
	return kept, cut || len(b) > most
}

// pseudonymise returns the pseudonym of a personal field's value. Names of fields stay, because
// errors may have them under "name".
func (r *Redactor) pseudonymise(v string) string {
	if r.fields.names[v] {
		return v
	}
	if clean := r.Text(v); strings.Contains(clean, Placeholder) && !strings.Contains(v, Placeholder) {
		return clean // it contains a secret
	}
	return r.pseudonyms.textPseudonym(v)
}

// redactJSON copies valid JSON and rewrites the keys, texts and numbers that need redaction.
func (r *Redactor) redactJSON(in []byte, person bool) []byte {
	d := jsontext.NewDecoder(bytes.NewBuffer(in), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	var out bytes.Buffer
	for from := int64(0); ; from = d.InputOffset() {
		token, err := d.ReadToken()
		if err != nil { // the end
			out.WriteString(r.Text(string(in[from:])))
			return out.Bytes()
		}
		raw := bytes.TrimLeft(in[from:d.InputOffset()], " \t\r\n,:")
		out.Write(in[from : d.InputOffset()-int64(len(raw))]) // what separates it from the previous one
		enclosing, count := d.StackIndex(d.StackDepth())
		personal := person && r.fields.paths.MatchString(string(d.StackPointer()))
		if token.Kind() != '"' {
			if token.Kind() == '0' {
				raw = []byte(r.redactNumber(string(raw), personal))
			}
			out.Write(raw)
			continue
		}
		plain := token.String()
		clean := r.Text(plain)
		switch {
		case enclosing == '{' && count%2 == 1: // a key
		case personal:
			clean = r.pseudonymise(plain)
		case isJSON([]byte(plain)): // JSON within JSON
			clean = string(r.redactBody([]byte(plain), person))
		}
		if clean == plain {
			out.Write(raw) // keep its spelling
		} else {
			out.WriteString(exactjson.Quote(clean))
		}
	}
}

func (r *Redactor) redactNumber(literal string, personal bool) string {
	if personal {
		return r.pseudonyms.numberPseudonym(literal)
	}
	clean := r.replaceRegistered(literal)
	if clean != literal && !json.Valid([]byte(clean)) {
		return exactjson.Quote(clean)
	}
	return clean
}
