package strictyaml

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

var quoted = regexp.MustCompile(`'[^']{2,}'`)

// index records on which lines nodes begin: a value ends where the next one begins.
func (r *Reader) index(n *yaml.Node) {
	var collect func(n *yaml.Node)
	collect = func(n *yaml.Node) {
		r.starts = append(r.starts, n.Line)
		for _, child := range n.Content {
			collect(child)
		}
	}
	collect(n)
	slices.Sort(r.starts)
	r.starts = slices.Compact(r.starts)
}

// conceal hides the lines of a node and all below it, and remembers the texts that it holds. With references, scalars
// that consist of ${NAME} or file:PATH stay visible.
func (r *Reader) conceal(n *yaml.Node, references bool) {
	if r.format.Secret == nil || r.from.lines == nil {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			r.conceal(n.Content[i], references)
		}
	case yaml.SequenceNode:
		for _, child := range n.Content {
			r.conceal(child, references)
		}
	case yaml.AliasNode:
		r.hidden[n.Line] = true
		if n.Alias.Kind == yaml.ScalarNode {
			r.secrets = append(r.secrets, n.Alias.Value)
		}
	case yaml.ScalarNode:
		r.concealText(n, references)
	}
}

func (r *Reader) concealText(n *yaml.Node, references bool) {
	if n.Value == "" && n.ShortTag() == "!!null" || n.Line < 1 || n.Line > len(r.from.lines) {
		return
	}
	line := r.from.lines[n.Line-1]
	whole := strings.Contains(line, n.Value)
	if references && onlyRefers(n.Value) {
		if whole && !strings.Contains(line, "#") {
			return // a reference without a comment after it, which might hold the old value
		}
	} else {
		r.secrets = append(r.secrets, n.Value)
	}
	last := n.Line
	if !whole { // it goes on to where the next node begins, which may be behind it on the same line
		last = len(r.from.lines)
		if i, _ := slices.BinarySearch(r.starts, n.Line+1); i < len(r.starts) {
			last = r.starts[i]
		}
	}
	for number := n.Line; number <= last; number++ {
		r.hidden[number] = true
	}
}

// hideByText hides what looks like a secret where the YAML cannot be read, so that no node says which text is one:
// lines that name one, and what is indented below a line that does.
func (r *Reader) hideByText() {
	if r.format.Secret == nil {
		return
	}
	block := -1 // the indentation of the line that names a secret
	for i, line := range r.from.lines {
		trimmed := strings.TrimLeft(line, " \t")
		depth := len(line) - len(trimmed)
		if block >= 0 && trimmed != "" && trimmed[0] != '#' && depth <= block {
			block = -1
		}
		names := r.format.Secret.MatchString(line)
		if names && block < 0 {
			block = depth
		}
		if names || block >= 0 {
			r.hidden[i+1] = true
		}
	}
}

// repeatable are the secrets that may stand elsewhere in the document as well. Short ones are left out: hiding them
// would take ordinary words with it, and their own lines are hidden anyway. So is the rest of a list that no honest
// document has.
func (r *Reader) repeatable() []string {
	secrets := slices.DeleteFunc(r.secrets, func(secret string) bool { return len(secret) < 8 || onlyRefers(secret) })
	slices.Sort(secrets)
	secrets = slices.Compact(secrets)
	return secrets[:min(len(secrets), 100)]
}

// blank replaces a secret in a message, also one that the message cuts short.
func blank(s, secret string) string {
	head := secret[:min(len(secret), 32)]
	var b strings.Builder
	for {
		at := strings.Index(s, head)
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := at + len(head)
		for n := len(head); end < len(s) && n < len(secret) && s[end] == secret[n]; n++ {
			end++
		}
		b.WriteString(s[:at] + "[hidden]")
		s = s[end:]
	}
}
