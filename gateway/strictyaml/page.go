package strictyaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/printable"
)

// ForEditors is the JSON Schema (draft 2020-12) of a format, for editors. It knows the keys and the types; what needs
// the environment or several keys, only a Reader sees.
func (f *Format) ForEditors() *jsonschema.Schema {
	root := f.Schema()
	loosen(root)
	root = root.AnyOf[0]
	root.Version = jsonschema.Version
	return root
}

// loosen makes a schema accept every way to write what is in it: references, short forms, and keys without values.
func loosen(s *jsonschema.Schema) {
	for _, child := range s.Properties.FromOldest() {
		loosen(child)
	}
	forms := []*jsonschema.Schema{{Type: "null"}}
	switch {
	case s.Items != nil:
		loosen(s.Items)
	case s.Type == "object" && s.Properties == nil:
		loosen(s.AdditionalProperties)
	case s.Type != "object":
		forms = append(forms, &jsonschema.Schema{Type: "string", Pattern: `^file:|\$\{`})
	}
	if extra(s, "scalar") != "" {
		forms = append(forms, &jsonschema.Schema{Type: "string"})
	}
	strict := *s
	strict.Description, strict.Extras, strict.PropertyNames, strict.Format = "", nil, nil, ""
	*s = jsonschema.Schema{Description: s.Description, AnyOf: append([]*jsonschema.Schema{&strict}, forms...)}
}

// example is the value that a key has in the template.
func example(s *jsonschema.Schema) string {
	if sample := extra(s, "sample"); sample != "" || s.Default == nil {
		return sample
	}
	return fmt.Sprint(s.Default)
}

// Line is a line of a file: a dotted key, its value in YAML, and a comment. Either may be empty.
type Line struct{ Key, Value, Comment string }

// Write writes lines and the mappings around them, in the order of the format, without keys that it does not have.
func (f *Format) Write(lines []Line) string {
	return write("", "", f.Schema(), func(key string, _ *jsonschema.Schema) *Line {
		if i := slices.IndexFunc(lines, func(l Line) bool { return l.Key == key }); i >= 0 {
			return &lines[i]
		}
		return nil
	})
}

// Example writes some keys, dotted as in "fixtures.client_id", and what is needed below them, with the values that the
// template shows, and with what note says of a key as its comment.
func (f *Format) Example(chosen []string, note func(key string) string) string {
	return write("", "", f.Schema(), func(key string, s *jsonschema.Schema) *Line {
		for _, c := range chosen {
			if key == c || s.Default == nil && strings.HasPrefix(key, c+".") {
				return shown(s, note(key))
			}
		}
		return nil
	})
}

// Reference is every key of a format with its meaning, its default or an example.
func (f *Format) Reference() string {
	return write("", "", f.Schema(), func(_ string, s *jsonschema.Schema) *Line { return shown(s, s.Description) })
}

// Commented is Reference behind a #: without these signs, and the lines that begin with "# ", it is a file.
func (f *Format) Commented() string {
	text := strings.ReplaceAll(f.Reference(), "\n#", "\n")
	return "#" + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n#"), "#")
}

// shown is a key with its example; nil: it has none.
func shown(s *jsonschema.Schema, comment string) *Line {
	if s.Properties == nil && example(s) == "" {
		return nil
	}
	return &Line{Value: example(s), Comment: comment}
}

// write writes the keys of a mapping that line gives, and the mappings around them. A comment stands behind a value,
// and above it where the line gets long.
func write(indent, path string, s *jsonschema.Schema, line func(key string, s *jsonschema.Schema) *Line) string {
	var out strings.Builder
	for name, child := range s.Properties.FromOldest() {
		at, inner := join(path, name), ""
		if extra(child, "scalar") == "" {
			inner = write(indent+"  ", at, child, line)
		}
		given := line(at, child)
		if inner == "" && (given == nil || child.Properties != nil && given.Value == "") {
			continue
		} else if given == nil {
			given = &Line{}
		}
		text := indent + name + ":"
		switch {
		case strings.HasPrefix(given.Value, "- "):
			text += "\n" + indent + "  " + given.Value
		case given.Value != "" && inner == "":
			text += " " + given.Value
		}
		if words := "  # " + given.Comment; given.Comment != "" && len(text)+len(words) <= widestLine {
			text += words
		} else if given.Comment != "" {
			for _, above := range printable.Wrap(given.Comment, widestLine-2-len(indent)) {
				out.WriteString(indent + "# " + above + "\n")
			}
		}
		out.WriteString(text + "\n" + inner)
	}
	return out.String()
}

const widestLine = 100 // characters of what is written
