package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/printable"
)

// parse reads YAML and returns the root of its only document. A problem has no place where it is with the file as a
// whole.
func (f *Format) parse(data []byte) (*yaml.Node, *Problem) {
	if len(data) > f.Largest {
		message := fmt.Sprintf("expected at most %d bytes, found more", f.Largest)
		return nil, &Problem{Message: message, Hint: "is this the " + f.Name + "?"}
	}
	if problem := notText(data); problem != nil {
		return nil, problem
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, syntax(data, err)
	}
	var document, next yaml.Node
	err = loader.Load(&document)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, syntax(data, err)
	}
	if err != nil || len(document.Content) == 0 || isNull(document.Content[0]) {
		return nil, &Problem{Message: fmt.Sprintf("expected a %s, found an empty one", f.Name), Hint: f.Begin}
	}
	if err := loader.Load(&next); err == nil {
		return nil, &Problem{
			Line: next.Line, Column: next.Column, Message: "expected one YAML document, found a second one",
			Hint: "keep each " + f.Name + " in a file of its own",
		}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntax(data, err)
	}
	return document.Content[0], nil
}

// notText finds what keeps a document from being text at all.
func notText(data []byte) *Problem {
	for at, c := range string(data) {
		found := ""
		switch {
		case c == utf8.RuneError && !bytes.HasPrefix(data[at:], []byte(string(c))):
			found = fmt.Sprintf("the byte 0x%02X, which is not UTF-8", data[at])
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0x7f:
			found = fmt.Sprintf("the control character U+%04X", c)
		default:
			continue
		}
		lines := strings.Split(string(data[:at]), "\n")
		return &Problem{
			Line: len(lines), Column: utf8.RuneCountInString(lines[len(lines)-1]) + 1,
			Message: "expected text in UTF-8, found " + found,
		}
	}
	return nil
}

// syntaxHints say what to do about parts of the YAML parser's messages.
var syntaxHints = [][2]string{
	{"cannot start any token", "quote a value that begins with @, ` or %"},
	{"mapping values are not allowed", "check the indentation, and quote a value that holds a colon followed by a space"},
	{"did not find expected", "check the indentation, closing brackets, and quote a value that begins with {, [, * or &"},
	{"unknown anchor", "quote a value that begins with *"},
	{"", "check the indentation, brackets and quotes"},
}

// syntax says what the YAML parser stumbled over.
func syntax(data []byte, err error) *Problem {
	p := &Problem{}
	message := err.Error()
	var load *yaml.LoadError
	if errors.As(err, &load) {
		message, p.Line, p.Column = load.Message, load.Mark.Line, load.Mark.Column
		if strings.Contains(load.ContextMsg, "quoted scalar") && load.ContextMark.Line > 0 {
			// Where the quote opens, not where the file ends.
			p.Line, p.Column = load.ContextMark.Line, load.ContextMark.Column
		}
	}
	lines := Lines(string(data))
	p.Line = min(p.Line, len(lines))
	if p.Line > 0 {
		line := lines[p.Line-1]
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
			p.Column, p.Message, p.Hint = tab+1, "YAML error: tab used for indentation", "indent with spaces"
			return p
		}
	}
	p.Message = "YAML error: " + printable.Clean(message)
	for _, hint := range syntaxHints {
		if strings.Contains(message, hint[0]) {
			p.Hint = hint[1]
			break
		}
	}
	return p
}

// Flow parses a value in YAML's flow style, such as {rate: 5/s, for: 1m}; nil: it is none.
func Flow(text string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Load([]byte(text), &document); err != nil || len(document.Content) != 1 {
		return nil
	}
	return document.Content[0]
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// isText reports whether a scalar is text; YAML's dates are, since nothing here depends on how YAML reads them.
func isText(n *yaml.Node) bool {
	tag := n.ShortTag()
	return tag == "!!str" || tag == "!!timestamp"
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// describe says what a node is, to complete the sentence "found ...".
func describe(n *yaml.Node, secret bool) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	tag := n.ShortTag()
	switch {
	case tag == "!!null":
		return "nothing"
	case secret && isText(n):
		return "text (not shown)"
	case secret:
		return "a value that is not text (not shown)"
	case isText(n):
		return Quote(n.Value)
	case tag == "!!int" || tag == "!!float" || tag == "!!bool":
		return shorten(n.Value)
	}
	return fmt.Sprintf("a value tagged %q", shorten(tag))
}
