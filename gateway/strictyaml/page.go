package strictyaml

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// page is a reference in Markdown.
type page struct {
	bytes.Buffer
	unlocks bool // whether there is a column of what keys unlock
}

func (k *Key) page() *page {
	p := &page{}
	k.Walk(func(_ string, k *Key) {
		_, unlocks := k.parts()
		p.unlocks = p.unlocks || unlocks != ""
	})
	return p
}

// Reference describes every key in Markdown, with its type, its default, its meaning and what it unlocks: those at the
// top under the given title, then a section for each mapping.
func (k *Key) Reference(title string) []byte {
	p := k.page()
	plain := func(c *Key) bool { return len(c.Keys) == 0 }
	if slices.ContainsFunc(k.Keys, plain) {
		p.head(title, "")
		for _, child := range k.Keys {
			if plain(child) {
				p.row(child, "")
			}
		}
	}
	for _, child := range k.Keys {
		if !plain(child) {
			about, _ := child.parts()
			p.WriteString("\n")
			p.head(child.Name, about)
			p.rows(child, child.Name)
		}
	}
	return p.Bytes()
}

// Section describes the keys of one mapping, which is found by its dotted path, under a title.
func (k *Key) Section(title, about, path string) []byte {
	p := k.find(path).page()
	p.WriteString("\n")
	p.head(title, about)
	p.rows(k.find(path), "")
	return p.Bytes()
}

func (p *page) head(title, about string) {
	p.WriteString("## " + title + "\n\n")
	if about != "" {
		p.WriteString(about + "\n\n")
	}
	if p.unlocks {
		p.WriteString("| key | type | default | meaning | unlocks |\n|---|---|---|---|---|\n")
		return
	}
	p.WriteString("| key | type | default | meaning |\n|---|---|---|---|\n")
}

// rows adds a line for every key below one; a single line for names that differ in nothing.
func (p *page) rows(k *Key, path string) {
	if k.kind == mappings {
		path += "[]"
	}
	if k.kind == table && len(k.Keys) > 1 && k.Keys[0].Default == "" {
		one := *k.Keys[0]
		one.Name = "<name>"
		p.row(&one, path)
		return
	}
	for _, child := range k.Keys {
		p.row(child, path)
	}
}

func (p *page) row(k *Key, path string) {
	path = join(path, k.Name)
	preset := "–"
	if k.Default != "" {
		preset = "`" + k.Default + "`"
	}
	if k.Required {
		preset = "required"
	}
	about, unlocks := k.parts()
	if unlocks == "" {
		unlocks = "–"
	}
	escape := strings.NewReplacer("|", "\\|", "*", "\\*")
	fmt.Fprintf(p, "| `%s` | %s | %s | %s |", path, escape.Replace(k.typeName()), preset, escape.Replace(about))
	if p.unlocks {
		p.WriteString(" " + escape.Replace(unlocks) + " |")
	}
	p.WriteString("\n")
	if k.scalar == "" {
		p.rows(k, path)
	}
}

func (k *Key) typeName() string {
	switch k.kind {
	case mapping:
		if k.scalar != "" {
			return strings.ToLower(k.of.Name())
		}
		return "mapping"
	case table:
		if k.free {
			return "mapping of names to " + (&Key{of: k.of, unit: k.unit}).typeName()
		}
		return "mapping"
	case mappings:
		if k.scalar != "" {
			return "list of " + strings.ToLower(k.of.Name()) + "s"
		}
		return "list of mappings"
	case list:
		return "list of " + (&Key{of: k.of, unit: k.unit}).typeName()
	}
	return cmp.Or(k.check.Type, k.leafType().name)
}

// example is the value that the key has in the template.
func (k *Key) example() string {
	return cmp.Or(k.Sample, k.Default)
}

// Commented is every key of a format with its meaning, its default or an example, all of it behind a #: without these
// signs, and the lines that begin with "# ", it is a file.
func (k *Key) Commented() []byte {
	var b, out bytes.Buffer
	for _, child := range k.Keys {
		b.WriteString("\n")
		child.write(&b, "", "")
	}
	for line := range bytes.Lines(b.Bytes()) {
		if line[0] != '\n' && line[0] != '#' {
			out.WriteByte('#')
		}
		out.Write(line)
	}
	return out.Bytes()
}

// write adds one key at an indentation.
func (k *Key) write(b *bytes.Buffer, indent, path string) {
	path = join(path, k.Name)
	about, unlocks := k.parts()
	if k.Required && k.kind != mapping {
		about = "Required. " + about
	}
	prose(b, indent, about)
	if unlocks != "" {
		prose(b, indent, "Unlocks "+unlocks+".")
	}
	inner := indent + "  "
	switch {
	case k.kind == mapping && k.scalar == "":
		b.WriteString(indent + k.Name + ":\n")
		for _, child := range k.Keys {
			child.write(b, inner, path)
		}
	case k.kind == table && !k.free:
		b.WriteString(indent + k.Name + ":\n")
		for _, child := range k.Keys {
			if child.example() != "" {
				b.WriteString(inner + child.Name + ": " + child.example() + "  # " + child.Doc + "\n")
			}
		}
	case k.kind == mappings:
		for _, child := range k.Keys {
			if k.scalar == "" {
				prose(b, indent, child.Name+": "+child.Doc)
			}
		}
		b.WriteString(indent + k.Name + ":\n" + inner + k.Sample + "\n")
	default:
		b.WriteString(indent + k.Name + ": " + k.example() + "\n")
	}
}

// prose writes a comment in lines of at most 100 characters.
func prose(b *bytes.Buffer, indent, words string) {
	line := indent + "#"
	for word := range strings.FieldsSeq(words) {
		if len(line)+1+len(word) > 100 {
			b.WriteString(line + "\n")
			line = indent + "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// Example is the part of a file that gives some keys, dotted as in "fixtures.client_id", with the values that the
// template shows: each mapping once, in the order of the template. What note says of a key becomes a comment above it.
// Keys that the format does not have are left out.
func (k *Key) Example(keys []string, note func(key string) string) string {
	var out strings.Builder
	for _, child := range k.Keys {
		child.part(&out, "", "", keys, note)
	}
	return out.String()
}

func (k *Key) part(out *strings.Builder, indent, parent string, keys []string, note func(string) string) {
	path := join(parent, k.Name)
	chosen := slices.Contains(keys, path)
	holds := func(wanted string) bool { // one of the keys lies within this one
		rest, inside := strings.CutPrefix(wanted, path+".")
		name, _, _ := strings.Cut(rest, ".")
		return inside && k.child(name) != nil
	}
	if !chosen && !slices.ContainsFunc(keys, holds) {
		return
	}
	if words := note(path); chosen && words != "" {
		out.WriteString(indent + "# " + words + "\n")
	}
	out.WriteString(indent + k.Name + ":")
	if k.kind != mapping && (k.kind != table || k.free) || k.scalar != "" {
		out.WriteString(" " + k.example() + "\n")
		return
	}
	out.WriteString("\n")
	for _, child := range k.Keys {
		switch {
		case !chosen:
			child.part(out, indent+"  ", path, keys, note)
		case child.Required || child.kind == mapping || child.Default == "" && child.Sample != "":
			// The rest is as it should be.
			child.part(out, indent+"  ", path, []string{join(path, child.Name)}, func(string) string { return "" })
		}
	}
}
