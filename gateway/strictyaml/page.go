package strictyaml

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/printable"
)

// example is the value that a key has in the template.
func example(s *jsonschema.Schema) string {
	if sample := extra(s, "sample"); sample != "" || s.Default == nil {
		return sample
	}
	return fmt.Sprint(s.Default)
}

// Reference is a table of every key in Markdown, with its type, its default, and what it means.
func (f *Format) Reference() []byte {
	var b bytes.Buffer
	b.WriteString("| key | type | default | meaning |\n|---|---|---|---|\n")
	f.rows(&b, "", f.Schema(), map[string]bool{})
	return b.Bytes()
}

// rows adds a line for every key of a mapping: a single one for names that differ in nothing. What is written in one of
// several forms is described once.
func (f *Format) rows(b *bytes.Buffer, path string, s *jsonschema.Schema, told map[string]bool) {
	if s.Items != nil {
		s, path = s.Items, path+"[]"
	}
	escape := strings.NewReplacer("|", "\\|", "*", "\\*").Replace
	for name, child := range s.Properties.FromOldest() {
		alike := extra(s, "table") == "alike"
		if alike {
			name = "<name>"
		}
		preset := "–"
		if slices.Contains(s.Required, name) {
			preset = "required"
		} else if child.Default != nil {
			preset = fmt.Sprintf("`%v`", child.Default)
		}
		inner, kind := join(path, name), f.typeName(child)
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", inner, escape(kind), preset, escape(child.Description))
		if form := strings.TrimPrefix(kind, "list of "); extra(child, "scalar") == "" || !told[form] {
			told[form] = true
			f.rows(b, inner, child, told)
		}
		if alike {
			return
		}
	}
}

// typeName is what the reference calls what a key takes.
func (f *Format) typeName(s *jsonschema.Schema) string {
	switch {
	case s.Type == "array":
		return "list of " + f.typeName(s.Items)
	case isTable(s):
		return "mapping of names to " + f.typeName(s.AdditionalProperties)
	case extra(s, "scalar") != "":
		return "text or mapping"
	case s.Type == "object":
		return "mapping"
	}
	if name := f.text(s).Type; name != "" {
		return name
	}
	return "text"
}

// Commented is every key of a format with its meaning, its default or an example, all of it behind a #: without these
// signs, and the lines that begin with "# ", it is a file.
func (f *Format) Commented() []byte {
	var out bytes.Buffer
	for line := range strings.Lines(f.write("", "", f.Schema(), nil, func(_ string, s *jsonschema.Schema) string {
		return s.Description
	})) {
		if line[0] != '#' {
			out.WriteByte('#')
		}
		out.WriteString(line)
	}
	return out.Bytes()
}

// Example is the part of a file that gives some keys, dotted as in "fixtures.client_id", with the values that the
// template shows: each mapping once, in the order of the template. What note says of a key becomes a comment above it.
// Keys that the format does not have are left out.
func (f *Format) Example(keys []string, note func(key string) string) string {
	return f.write("", "", f.Schema(), append([]string{}, keys...), func(path string, _ *jsonschema.Schema) string { return note(path) })
}

// write writes keys of a mapping, with their notes as comments above them: the chosen ones; nil: all that have an
// example.
func (f *Format) write(indent, path string, s *jsonschema.Schema, chosen []string, note func(string, *jsonschema.Schema) string) string {
	var out strings.Builder
	for name, child := range s.Properties.FromOldest() {
		at, within := join(path, name), chosen
		whole := chosen == nil || slices.Contains(chosen, at)
		if whole && chosen != nil { // of what is in it, what it needs: the rest is as it should be
			within = []string{}
			for inner, one := range child.Properties.FromOldest() {
				if slices.Contains(child.Required, inner) || one.Properties != nil || one.Default == nil && example(one) != "" {
					within = append(within, join(at, inner))
				}
			}
		}
		value := "\n"
		if child.Properties != nil && extra(child, "scalar") == "" {
			value += f.write(indent+"  ", at, child, within, note)
		} else if !whole || example(child) == "" {
			continue
		} else if value = " " + example(child) + "\n"; child.Items != nil && child.Items.Properties != nil {
			value = "\n" + indent + "  " + example(child) + "\n"
		}
		if !whole && value == "\n" {
			continue
		}
		if words := note(at, child); whole && words != "" {
			for _, line := range printable.Wrap(words, 98-len(indent)) {
				out.WriteString(indent + "# " + line + "\n")
			}
		}
		out.WriteString(indent + name + ":" + value)
	}
	return out.String()
}
