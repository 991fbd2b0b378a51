package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// observation is the text of one, taken apart. The suites write "label: one, another; label: …", with shapes of bodies
// such as {error {code string, fields [{field string}]}} among them.
type observation struct {
	fields map[string][]string // types by path, such as error.fields[].field
	shapes []string
	pieces []fragment
}

type fragment struct{ label, text string }

func takeApart(id, text string) observation {
	t := observation{fields: map[string][]string{}}
	if whole, shortened := strings.CutSuffix(text, "…"); shortened {
		text = repaired(whole)
	}
	bodies := strings.HasSuffix(id, ".error_body") || strings.HasSuffix(id, ".file_state")
	for _, segment := range split(text, ';') {
		label, rest := labelled(segment)
		whole := []string{}
		for _, p := range split(rest, ',') {
			at := strings.IndexAny(p, "{[")
			name, kind, typed := strings.Cut(p, " ")
			switch {
			case at >= 0 && !strings.ContainsAny(strings.TrimSpace(p[:at]), " ,;"):
				t.member(label, p)
				whole = append(whole, p)
			case bodies && typed && types[kind]:
				t.add(under(label, name), kind)
				whole = append(whole, p)
			default:
				t.pieces = append(t.pieces, fragment{label, p})
			}
		}
		if len(whole) > 0 {
			slices.Sort(whole)
			if shape := strings.Join(whole, ", "); !slices.Contains(t.shapes, shape) {
				t.shapes = append(t.shapes, shape)
			}
		}
	}
	return t
}

var types = map[string]bool{
	"string": true, "number": true, "boolean": true,
	"null": true, "array": true, "object": true,
}

// repaired drops what was cut through at the end of a text, and closes the brackets that are open there.
func repaired(text string) string {
	text = text[:max(0, strings.LastIndexAny(text, "{[,;"))]
	var open []byte
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{' || c == '[':
			open = append(open, c+2) // its counterpart
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return text + string(open)
}

// split cuts a text at a separator that a space or its end follows, outside of brackets where those are balanced.
func split(text string, separator byte) []string {
	parts, balanced := cut(text, separator, true)
	if !balanced {
		parts, _ = cut(text, separator, false)
	}
	return parts
}

func cut(text string, separator byte, nested bool) (parts []string, balanced bool) {
	depth, from := 0, 0
	take := func(to int) {
		if p := strings.TrimSpace(text[from:to]); p != "" {
			parts = append(parts, p)
		}
		from = to + 1
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{' || c == '[' || c == '(':
			depth++
		case c == '}' || c == ']' || c == ')':
			depth--
		case c == separator && (depth <= 0 || !nested) && (i+1 == len(text) || text[i+1] == ' '):
			take(i)
		}
	}
	if from < len(text) {
		take(len(text))
	}
	return parts, depth == 0
}

// labelled cuts "label: rest".
func labelled(segment string) (label, rest string) {
	at := strings.Index(segment, ": ")
	if at <= 0 || strings.ContainsAny(segment[:at], "{[(") {
		return "", segment
	}
	return segment[:at], segment[at+2:]
}

// there is the type of a field of which only the name is known.
const there = "there"

func (t observation) add(path, kind string) {
	if !slices.Contains(t.fields[path], kind) {
		t.fields[path] = append(t.fields[path], kind)
	}
}

func under(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// member reads a name with what it holds, an object or a list, or only one of them, and returns the rest of the text.
// It takes whatever it meets: a shape that was cut off gives what is there.
func (t observation) member(path, text string) (rest string) {
	end := strings.IndexAny(text+"}", "{[]},")
	name, kind, _ := strings.Cut(strings.TrimSpace(text[:end]), " ")
	path, text = under(path, name), text[end:]
	if text == "" || text[0] != '{' && text[0] != '[' {
		if name != "" {
			t.add(path, cmp.Or(strings.TrimSpace(kind), there))
		}
		return text
	}
	if text[0] == '[' {
		path += "[]"
	}
	for text = text[1:]; text != ""; {
		rest := strings.TrimLeft(t.member(path, text), " ")
		switch {
		case strings.HasPrefix(rest, ","):
			rest = rest[1:]
		case strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "]"):
			return rest[1:]
		case len(rest) == len(text):
			return rest
		}
		text = rest
	}
	return ""
}

// aField begins what is said of a field.
const aField = "field "

// fieldChanges lists the fields whose type differs, and those that are new or gone.
func fieldChanges(a, b map[string][]string) []Part {
	all := maps.Clone(a)
	maps.Copy(all, b)
	var found []Part
	for _, path := range slices.Sorted(maps.Keys(all)) {
		was, is := kinds(a[path]), kinds(b[path])
		if was != is {
			found = append(found, Part{What: aField + path, Before: was, After: is})
		}
	}
	return found
}

func kinds(list []string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	return strings.Join(list, " or ")
}

// lacking are the members of a list that another lacks.
func lacking(list, other []string) (found []string) {
	for _, s := range list {
		if !slices.Contains(other, s) {
			found = append(found, s)
		}
	}
	return found
}
