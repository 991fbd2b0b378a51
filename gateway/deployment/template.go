package deployment

import (
	"bytes"
	"strings"
)

// Template is a deployment file to begin with: every key with its meaning and what it unlocks, the required ones in
// use. Settings that are not in use begin with a # and no space, so that taking the # away uses them.
func Template() []byte {
	var b bytes.Buffer
	prose(&b, "", "Deployment file of gateassay. What is missing here leaves rules not verified; gateassay doctor tells which.")
	prose(&b, "", "A # without a space after it stands before a setting that is not in use: take it away and fill in the value. "+
		"Defaults are shown as they are, other values are examples.")
	prose(&b, "", "Any text may hold ${NAME} (an environment variable; $${ is a plain ${) or be file:PATH (what a file holds).")
	for i := range document().keys {
		b.WriteString("\n")
		document().keys[i].write(&b, "", true)
	}
	return b.Bytes()
}

// write adds one key at an indentation. A setting is in use when it is required and every mapping around it is as well.
func (k *key) write(b *bytes.Buffer, indent string, needed bool) {
	needed = needed && k.required || k.name == "platform_token"
	k.explain(b, indent)
	inner := indent + "  "
	switch k.kind {
	case mapping:
		b.WriteString(indent + k.name + ":\n")
		for i := range k.keys {
			k.keys[i].write(b, inner, needed)
		}
	case namedTexts:
		b.WriteString(indent + k.name + ":\n")
		for i := range k.keys {
			if child := &k.keys[i]; child.template() != "" {
				b.WriteString(inner + "#" + child.name + ": " + child.template() + "  # " + child.doc + "\n")
			}
		}
	case mappings:
		for i := range k.keys {
			prose(b, indent, k.keys[i].name+": "+k.keys[i].doc)
		}
		b.WriteString(indent + k.name + ":\n" + inner + "#" + k.sample + "\n")
	default:
		mark := "#"
		if needed {
			mark = ""
		}
		b.WriteString(indent + mark + k.name + ": " + k.template() + "\n")
	}
}

// template is the value that the key has in the template.
func (k *key) template() string {
	if k.sample != "" {
		return k.sample
	}
	return k.preset
}

func (k *key) explain(b *bytes.Buffer, indent string) {
	about := k.doc
	if k.required && k.kind != mapping {
		about = "Required. " + about
	}
	prose(b, indent, about)
	if k.unlocks != "" {
		prose(b, indent, "Unlocks "+k.unlocks+".")
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
