package yamlschema

import (
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/printable"
)

// Line is a line of a file: a dotted key, its value in YAML, and a comment. Value and Comment may
// be empty.
type Line struct{ Key, Value, Comment string }

// SampleLines returns a line for each key of a schema that has a default or a sample, with its
// description. With chosen, it returns only these dotted keys, such as "fixtures.client_id", and
// the required keys below them.
func SampleLines(root *jsonschema.Schema, chosen ...string) (lines []Line) {
	Walk("", root, func(key string, s *jsonschema.Schema) {
		wanted := func(c string) bool {
			return key == c || s.Default == nil && strings.HasPrefix(key, c+".")
		}
		if s.Properties == nil && SampleValue(s) == "" || chosen != nil &&
			!slices.ContainsFunc(chosen, wanted) {
			return
		}
		lines = append(lines, Line{key, SampleValue(s), s.Description})
	})
	return lines
}

// WriteYAML formats lines and their enclosing mappings in the order of a schema. It skips keys
// that the schema does not have.
func WriteYAML(root *jsonschema.Schema, lines []Line) string {
	return writeMapping("", "", root, lines)
}

// writeMapping formats the keys of a mapping. A comment follows the value, or precedes it if the
// line would be too long.
func writeMapping(indent, path string, s *jsonschema.Schema, lines []Line) string {
	var out strings.Builder
	for name, child := range s.Properties.FromOldest() {
		at, inner, line := JoinPath(path, name), "", Line{}
		if ExtraValue(child, "scalar") == "" {
			inner = writeMapping(indent+"  ", at, child, lines)
		}
		if i := slices.IndexFunc(lines, func(l Line) bool { return l.Key == at }); i >= 0 {
			line = lines[i]
		}
		if inner == "" && (line.Key == "" || child.Properties != nil && line.Value == "") {
			continue
		}
		text, comment := indent+name+":", printable.Clean(line.Comment) // a line break would end it
		switch {
		case strings.HasPrefix(line.Value, "- "):
			text += "\n" + indent + "  " + line.Value
		case line.Value != "" && inner == "":
			text += " " + line.Value
		}
		if words := "  # " + comment; comment != "" && len(text)+len(words) <= maxLineColumns {
			text += words
		} else if comment != "" {
			for _, above := range printable.Wrap(comment, maxLineColumns-2-len(indent)) {
				out.WriteString(indent + "# " + above + "\n")
			}
		}
		out.WriteString(text + "\n" + inner)
	}
	return out.String()
}

const maxLineColumns = 100 // characters
