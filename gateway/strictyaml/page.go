package strictyaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/printable"
)

// ForEditors is the JSON Schema (draft 2020-12) of a format, for editors. It knows the keys, the types and the plain
// formats; what needs the environment or several keys, only a Reader sees.
func (f *Format) ForEditors() *jsonschema.Schema {
	s := f.Schema()
	for name, child := range s.Properties.FromOldest() {
		s.Properties.Set(name, f.loosen(child, slices.Contains(s.Required, name)))
	}
	s.Version = jsonschema.Version
	return s
}

// loosen makes a schema accept every way to write what it describes: references, short forms, and keys without values.
func (f *Format) loosen(s *jsonschema.Schema, required bool) *jsonschema.Schema {
	reference := `^file:|\$\{`
	if !required {
		reference += "|^$"
	}
	var other []*jsonschema.Schema // ways to write it
	if extra(s, "scalar") != "" {
		other = append(other, &jsonschema.Schema{Type: "string"})
	}
	s.Extras = nil
	switch pattern := f.text(s).Pattern; {
	case s.Type == "array":
		s.Items = f.loosen(s.Items, true)
	case isTable(s):
		s.AdditionalProperties, s.PropertyNames = f.loosen(s.AdditionalProperties, false), nil
	case s.Type == "object":
		for name, child := range s.Properties.FromOldest() {
			s.Properties.Set(name, f.loosen(child, false))
		}
	case s.Type != "string":
		other = append(other, &jsonschema.Schema{Type: "string", Pattern: reference})
	case pattern != "":
		s.Pattern, s.Format = pattern+"|"+reference, ""
	default:
		s.Format = ""
	}
	if !required {
		s.Extras, s.Type = map[string]any{"type": []string{s.Type, "null"}}, ""
	}
	if other == nil {
		return s
	}
	return &jsonschema.Schema{AnyOf: append(other, s), Description: s.Description}
}

// Reference is a table of every key in Markdown, with its default and what it means.
func (f *Format) Reference() []byte {
	var b strings.Builder
	b.WriteString("| key | default | meaning |\n|---|---|---|\n")
	f.rows(&b, "", f.Schema(), new(false))
	return []byte(b.String())
}

// rows adds a line for every key of a mapping. What a scalar may stand for is described once.
func (f *Format) rows(b *strings.Builder, path string, s *jsonschema.Schema, told *bool) {
	if s.Items != nil {
		s, path = s.Items, path+"[]"
	}
	for name, child := range s.Properties.FromOldest() {
		preset := "–"
		if slices.Contains(s.Required, name) {
			preset = "required"
		} else if child.Default != nil {
			preset = fmt.Sprintf("`%v`", child.Default)
		}
		meaning := strings.NewReplacer("|", "\\|", "*", "\\*").Replace(child.Description)
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", join(path, name), preset, meaning)
		if short := extra(child, "scalar") != ""; !short || !*told {
			*told = *told || short
			f.rows(b, join(path, name), child, told)
		}
	}
}

// example is the value that a key has in the template.
func example(s *jsonschema.Schema) string {
	if sample := extra(s, "sample"); sample != "" || s.Default == nil {
		return sample
	}
	return fmt.Sprint(s.Default)
}

// Commented is every key of a format with its meaning, its default or an example, all of it behind a #: without these
// signs, and the lines that begin with "# ", it is a file.
func (f *Format) Commented() []byte {
	var out strings.Builder
	for line := range strings.Lines(f.write("", "", f.Schema(), nil, func(_ string, s *jsonschema.Schema) string {
		return s.Description
	})) {
		out.WriteString("#" + strings.TrimPrefix(line, "#"))
	}
	return []byte(out.String())
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
