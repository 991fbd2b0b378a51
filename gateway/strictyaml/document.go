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

// document parses YAML and returns the root of its only document. A problem lacks its file and its source line, which
// may have to be hidden; it has no place where it is with the file as a whole.
func (f *Format) document(data []byte) (*yaml.Node, *Problem) {
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
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		found := ""
		switch {
		case c == utf8.RuneError && size == 1:
			found = fmt.Sprintf("the byte 0x%02X, which is not UTF-8", rest[0])
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0x7f:
			found = fmt.Sprintf("the control character U+%04X", c)
		}
		if found != "" {
			return &Problem{Line: line, Column: column, Message: "expected text in UTF-8, found " + found}
		}
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
		rest = rest[size:]
	}
	return nil
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
		if indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; strings.Contains(indent, "\t") {
			p.Column = strings.IndexByte(indent, '\t') + 1
			p.Message, p.Hint = "YAML error: tab used for indentation", "indent with spaces"
			return p
		}
	}
	p.Message = "YAML error: " + printable.Clean(message)
	switch {
	case strings.Contains(message, "cannot start any token"):
		p.Hint = "quote a value that begins with @, ` or %"
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
