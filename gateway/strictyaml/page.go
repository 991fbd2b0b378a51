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
	s := f.Schema()
	loosen(s)
	s.Version = jsonschema.Version
	return s
}

// loosen makes a schema accept every way to write what is in it: references, short forms, and keys without values.
func loosen(s *jsonschema.Schema) {
	s.Extras, s.PropertyNames, s.Format = nil, nil, ""
	for name, child := range s.Properties.FromOldest() {
		s.Properties.Set(name, anyForm(child))
	}
	if s.Items != nil {
		s.Items = anyForm(s.Items)
	}
	if isTable(s) {
		s.AdditionalProperties = anyForm(s.AdditionalProperties)
	}
}

func anyForm(s *jsonschema.Schema) *jsonschema.Schema {
	any := &jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
	if extra(s, "scalar") != "" {
		any.AnyOf = append(any.AnyOf, &jsonschema.Schema{Type: "string"})
	} else if s.Type != "object" && s.Type != "array" {
		any.AnyOf = append(any.AnyOf, &jsonschema.Schema{Type: "string", Pattern: `^file:|\$\{`})
	}
	s.Description = ""
	loosen(s)
	return any
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
	text := write("", "", f.Schema(), true, func(string) bool { return true },
		func(_ string, s *jsonschema.Schema) string { return s.Description })
	return []byte("#" + strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(text, "\n#", "\n"), "\n", "\n#"), "#"))
}

// Example is the part of a file that gives some keys, dotted as in "fixtures.client_id", with the values that the
// template shows: each mapping once, in the order of the template. What note says of a key becomes a comment above it.
// Keys that the format does not have are left out.
func (f *Format) Example(chosen []string, note func(key string) string) string {
	return write("", "", f.Schema(), false, func(key string) bool { return slices.Contains(chosen, key) },
		func(key string, _ *jsonschema.Schema) string { return note(key) })
}

// write writes the chosen keys of a mapping and what belongs to them, with notes as comments above them. Of what has a
// default, only what is chosen itself is written.
func write(indent, path string, s *jsonschema.Schema, within bool, chosen func(key string) bool,
	note func(string, *jsonschema.Schema) string,
) string {
	var out strings.Builder
	for name, child := range s.Properties.FromOldest() {
		at := join(path, name)
		whole := chosen(at) || within && child.Default == nil
		value := " " + example(child) + "\n"
		switch {
		case child.Properties != nil && extra(child, "scalar") == "":
			if value = "\n" + write(indent+"  ", at, child, whole, chosen, note); !whole && value == "\n" {
				continue
			}
		case !whole || example(child) == "":
			continue
		case child.Items != nil && child.Items.Properties != nil:
			value = "\n" + indent + "  " + example(child) + "\n"
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
