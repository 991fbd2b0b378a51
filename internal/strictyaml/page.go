package strictyaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/printable"
)

// example is the value that a key has in the template.
func example(s *jsonschema.Schema) string {
	if sample := extra(s, "sample"); sample != "" || s.Default == nil {
		return sample
	}
	return fmt.Sprint(s.Default)
}

// Line is a line of a file: a dotted key, its value in YAML, and a comment. Either may be empty.
type Line struct{ Key, Value, Comment string }

// Lines are the keys of a format that have a default or an example, with that and their meaning; where some are chosen,
// dotted as in "fixtures.client_id", those, and what is needed below them.
func (f *Format) Lines(chosen ...string) (lines []Line) {
	Walk("", f.Schema(), func(key string, s *jsonschema.Schema) {
		wanted := func(c string) bool { return key == c || s.Default == nil && strings.HasPrefix(key, c+".") }
		if (s.Properties != nil || example(s) != "") && (chosen == nil || slices.ContainsFunc(chosen, wanted)) {
			lines = append(lines, Line{key, example(s), s.Description})
		}
	})
	return lines
}

// Write writes lines and the mappings around them, in the order of the format, without keys that it does not have.
func (f *Format) Write(lines []Line) string { return write("", "", f.Schema(), lines) }

// write writes the keys of a mapping. A comment stands behind a value, and above it where the line gets long.
func write(indent, path string, s *jsonschema.Schema, lines []Line) string {
	var out strings.Builder
	for name, child := range s.Properties.FromOldest() {
		at, inner, line := join(path, name), "", Line{}
		if extra(child, "scalar") == "" {
			inner = write(indent+"  ", at, child, lines)
		}
		if i := slices.IndexFunc(lines, func(l Line) bool { return l.Key == at }); i >= 0 {
			line = lines[i]
		}
		if inner == "" && (line.Key == "" || child.Properties != nil && line.Value == "") {
			continue
		}
		text := indent + name + ":"
		switch {
		case strings.HasPrefix(line.Value, "- "):
			text += "\n" + indent + "  " + line.Value
		case line.Value != "" && inner == "":
			text += " " + line.Value
		}
		if words := "  # " + line.Comment; line.Comment != "" && len(text)+len(words) <= widestLine {
			text += words
		} else if line.Comment != "" {
			for _, above := range printable.Wrap(line.Comment, widestLine-2-len(indent)) {
				out.WriteString(indent + "# " + above + "\n")
			}
		}
		out.WriteString(text + "\n" + inner)
	}
	return out.String()
}

const widestLine = 100 // characters of what is written
