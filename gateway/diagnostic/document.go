package diagnostic

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Kind is a kind of file that people write.
type Kind struct {
	Name    string // such as "plan"
	Largest int    // bytes
	Begin   string // what to do about an empty one
	Absent  string // what to do where there is none
}

// Document parses YAML and gives the root of its only document. A problem lacks its file and its source line, as a caller
// may have to mask that; it has no place where it is with the file as a whole. What it quotes of the file stands in single
// quotation marks.
func (k Kind) Document(data []byte) (*yaml.Node, *Problem) {
	if len(data) > k.Largest {
		return nil, &Problem{Expected: fmt.Sprintf("at most %d bytes", k.Largest), Found: "more", Hint: "is this the " + k.Name + "?"}
	}
	if !utf8.Valid(data) {
		return nil, &Problem{Expected: "text in UTF-8", Found: "other bytes"}
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, syntax(err)
	}
	var document, next yaml.Node
	err = loader.Load(&document)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, syntax(err)
	}
	if err != nil || len(document.Content) == 0 {
		return nil, &Problem{Expected: "a " + k.Name, Found: "an empty one", Hint: k.Begin}
	}
	if err := loader.Load(&next); err == nil {
		return nil, &Problem{Line: next.Line, Column: next.Column, Expected: "one YAML document", Found: "a second one", Hint: "keep each " + k.Name + " in a file of its own"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntax(err)
	}
	if document.Content[0].ShortTag() == "!!null" {
		return nil, &Problem{Expected: "a " + k.Name, Found: "an empty one", Hint: k.Begin}
	}
	return document.Content[0], nil
}

// syntax says what the YAML parser stumbled over.
func syntax(err error) *Problem {
	p := &Problem{Expected: "YAML"}
	message := err.Error()
	var load *yaml.LoadError
	if errors.As(err, &load) {
		message, p.Line, p.Column = load.Message, load.Mark.Line, load.Mark.Column
		if strings.Contains(load.ContextMsg, "quoted scalar") && load.ContextMark.Line > 0 {
			p.Line, p.Column = load.ContextMark.Line, load.ContextMark.Column // where the quote opens, not where the file ends
		}
	}
	p.Found = "a mistake in it: " + Clean(message)
	switch {
	case strings.Contains(message, "cannot start any token"):
		p.Hint = "indent with spaces, and quote a value that begins with @, ` or %"
	case strings.Contains(message, "mapping values are not allowed"):
		p.Hint = "check the indentation, and quote a value that holds a colon followed by a space"
	case strings.Contains(message, "did not find expected"):
		p.Hint = "check the indentation, closing brackets, and quote a value that begins with {, [, * or &"
	case strings.Contains(message, "unknown anchor"):
		p.Hint = "quote a value that begins with *"
	default:
		p.Hint = "check the indentation, brackets and quotes"
	}
	return p
}
