package strictyaml

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

var (
	quoted = regexp.MustCompile(`'[^']{2,}'`)
	// plainName is the part of a key that looks like one: in {token:SECRET} the missing space makes all of it a key.
	plainName = regexp.MustCompile(`^[\w.-]{0,40}`)
)

// index records on which lines nodes begin: a value ends where the next one begins.
func (r *Reader) index(n *yaml.Node) {
	r.starts = append(r.starts, n.Line)
	for _, child := range n.Content {
		r.index(child)
	}
}

// conceal hides the lines of a node and all below it, and remembers the texts that it holds. With references, scalars
// that consist of ${NAME} or file:PATH stay visible.
func (r *Reader) conceal(n *yaml.Node, references bool) {
	if r.format.Secret == nil || n.Line < 1 || n.Line > len(r.lines) {
		return
	}
	step := 0
	if n.Kind == yaml.MappingNode {
		step = 1 // values, not keys
	}
	for i := step; i < len(n.Content); i += 1 + step {
		r.conceal(n.Content[i], references)
	}
	text := resolve(n)
	if text.Kind != yaml.ScalarNode || isNull(text) && text.Value == "" {
		return
	}
	line := r.lines[n.Line-1]
	whole := n == text && strings.Contains(line, n.Value)
	if references && whole && onlyRefers(n.Value) && !strings.Contains(line, "#") {
		return // without a comment after it, which might hold the old value
	}
	r.secrets = append(r.secrets, text.Value)
	last := n.Line
	if !whole { // it goes on to where the next node begins, which may be behind it on the same line
		last = len(r.lines)
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
	block := -1 // the indentation of the line that names a secret
	for i, line := range r.lines {
		trimmed := strings.TrimLeft(line, " \t")
		depth := len(line) - len(trimmed)
		if block >= 0 && trimmed != "" && trimmed[0] != '#' && depth <= block {
			block = -1
		}
		if block < 0 && r.format.Secret != nil && r.format.Secret.MatchString(line) {
			block = depth
			r.hidden[i+1] = true
		}
		r.hidden[i+1] = r.hidden[i+1] || block >= 0
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
		before, after, found := strings.Cut(s, head)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("[hidden]")
		for rest := secret[len(head):]; after != "" && rest != "" && after[0] == rest[0]; rest = rest[1:] {
			after = after[1:]
		}
		s = after
	}
}
