package deployment

import (
	"slices"
	"strings"
)

// Example is the part of a deployment file that gives some keys, dotted as in "fixtures.client_id", with the values
// that the template shows: each mapping once, in the order of the template. What note says of a key becomes a comment
// above it. Keys that no deployment file has are left out.
func Example(keys []string, note func(key string) string) string {
	var out strings.Builder
	for i := range document().keys {
		document().keys[i].example(&out, "", "", keys, note)
	}
	return out.String()
}

func (k *key) example(out *strings.Builder, indent, parent string, keys []string, note func(string) string) {
	path := dotted(parent, k.name)
	chosen := slices.Contains(keys, path)
	holds := func(wanted string) bool { // one of the keys lies within this one
		rest, within := strings.CutPrefix(wanted, path+".")
		name, _, _ := strings.Cut(rest, ".")
		return within && k.child(name) != nil
	}
	if !chosen && !slices.ContainsFunc(keys, holds) {
		return
	}
	if chosen {
		if words := note(path); words != "" {
			out.WriteString(indent + "# " + words + "\n")
		}
	}
	out.WriteString(indent + k.name + ":")
	if k.kind != mapping && k.kind != namedTexts {
		out.WriteString(" " + k.template() + "\n")
		return
	}
	out.WriteString("\n")
	for i := range k.keys {
		child := &k.keys[i]
		switch {
		case !chosen:
			child.example(out, indent+"  ", path, keys, note)
		case child.required || child.kind == mapping || child.preset == "" && child.sample != "": // the rest is as it should be
			child.example(out, indent+"  ", path, []string{dotted(path, child.name)}, func(string) string { return "" })
		}
	}
}
