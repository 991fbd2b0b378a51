package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/printable"
)

// mostNodes is more than any honest document has, however often aliases repeat them.
const mostNodes = 100_000

// parse reads YAML and returns the root of its only document, with what its aliases stand for in their place. A problem
// has no place where it is with the file as a whole.
func (f *Format) parse(data []byte) (*yaml.Node, *Problem) {
	if len(data) > f.Largest {
		message := fmt.Sprintf("expected at most %d bytes, found more", f.Largest)
		return nil, &Problem{Message: message, Hint: "is this the " + f.Name + "?"}
	}
	if at := bytes.IndexFunc(data, func(c rune) bool {
		return c == utf8.RuneError || c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f
	}); at >= 0 {
		line := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
		return nil, &Problem{
			Line: 1 + bytes.Count(data[:at], []byte{'\n'}), Column: 1 + utf8.RuneCount(line),
			Message: fmt.Sprintf("expected text in UTF-8, found the byte 0x%02X", data[at]),
		}
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, syntax(data, err)
	}
	var document, next yaml.Node
	switch err = loader.Load(&document); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, syntax(data, err)
	case err != nil || len(document.Content) == 0 || isNull(document.Content[0]):
		return nil, &Problem{Message: fmt.Sprintf("expected a %s, found an empty one", f.Name), Hint: f.Begin}
	}
	switch err = loader.Load(&next); {
	case err == nil:
		return nil, &Problem{
			Line: next.Line, Column: next.Column, Message: "expected one YAML document, found a second one",
			Hint: "keep each " + f.Name + " in a file of its own",
		}
	case !errors.Is(err, io.EOF):
		return nil, syntax(data, err)
	}
	left := mostNodes
	if !expand(document.Content[0], &left) {
		return nil, &Problem{Message: fmt.Sprintf("expected at most %d keys and items, found more", mostNodes)}
	}
	return document.Content[0], nil
}

// expand puts what aliases stand for in their place. It reports whether that is not too much.
func expand(n *yaml.Node, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	if n.Kind == yaml.AliasNode {
		line, column := n.Line, n.Column
		*n = *n.Alias
		n.Line, n.Column = line, column
	}
	children := n.Content
	n.Content = nil
	for _, child := range children {
		one := *child
		if n.Content = append(n.Content, &one); !expand(&one, left) {
			return false
		}
	}
	return true
}

// syntaxHints say what to do about parts of the YAML parser's messages.
var syntaxHints = [][2]string{
	{"cannot start any token", "quote a value that begins with @, ` or %"},
	{"mapping values are not allowed", "check the indentation, and quote a value that holds a colon followed by a space"},
	{"did not find expected", "check the indentation, closing brackets, and quote a value that begins with {, [, * or &"},
	{"unknown anchor", "quote a value that begins with *"},
	{"", "check the indentation, brackets and quotes"},
}

// quoted is what the parser's messages repeat of a document.
var quoted = regexp.MustCompile(`'[^']{2,}'`)

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
	if p.Line = min(p.Line, len(lines)); p.Line > 0 {
		line := lines[p.Line-1]
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
			p.Column, p.Message, p.Hint = tab+1, "YAML error: tab used for indentation", "indent with spaces"
			return p
		}
	}
	p.Message = "YAML error: " + printable.Clean(quoted.ReplaceAllString(message, "(not shown)"))
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

// describe says what a node is, to complete the sentence "found ...".
func describe(n *yaml.Node, secret bool) string {
	tag := n.ShortTag()
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
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
