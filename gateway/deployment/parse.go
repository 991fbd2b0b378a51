package deployment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
)

// largest is how big a deployment file may be, in bytes.
const largest = 1 << 20

const startHint = "gateassay deployment init --out FILE writes one to begin with"

// Load reads a deployment file; its references are looked up in the environment of the process and in the file's folder.
// The error is a *Problems that lists everything that is wrong.
func Load(path string) (*File, error) {
	data, err := diagnostic.Read(path, largest, "deployment file", startHint)
	if err != nil {
		return nil, err
	}
	return Parse(path, filepath.Dir(path), data, os.LookupEnv)
}

// Parse reads a deployment file from memory. name is what problems call it, dir the folder of relative paths, env looks
// up a variable. The error is a *Problems that lists everything that is wrong.
func Parse(name, dir string, data []byte, env func(string) (string, bool)) (*File, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if problem := unreadable(data); problem != nil {
		problem.File = name
		return nil, &Problems{All: []Problem{*problem}}
	}
	r := newReader(name, dir, string(data), env)
	if root := r.compose(data); root != nil {
		r.document(root)
	}
	return r.finish()
}

// unreadable finds what keeps a document from being text at all.
func unreadable(data []byte) *Problem {
	if len(data) > largest {
		return &Problem{Expected: fmt.Sprintf("at most %d bytes", largest), Found: "more", Hint: "is this the deployment file?"}
	}
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
			return &Problem{Line: line, Column: column, Expected: "text in UTF-8", Found: found, SourceLine: "(not shown: not text)"}
		}
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
		rest = rest[size:]
	}
	return nil
}

// compose parses the YAML and gives the root of its only document, nil after a problem.
func (r *reader) compose(data []byte) *yaml.Node {
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		r.syntax(err)
		return nil
	}
	var document, next yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		r.add("", place{}, "a deployment file", "an empty one", startHint)
		return nil
	case err != nil:
		r.syntax(err)
		return nil
	}
	switch err := loader.Load(&next); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.syntax(err)
		return nil
	default:
		r.src.hideByText()
		r.add("", placeOf(&next), "one YAML document", "a second one", "keep each deployment in a file of its own")
		return nil
	}
	if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		r.add("", place{}, "a deployment file", "an empty one", startHint)
		return nil
	}
	return document.Content[0]
}

var quoted = regexp.MustCompile(`'[^']{2,}'`)

// syntax reports what the YAML parser stumbled over.
func (r *reader) syntax(err error) {
	r.src.hideByText()
	message, at := err.Error(), place{}
	var load *yaml.LoadError
	if errors.As(err, &load) {
		message, at = load.Message, place{load.Mark.Line, load.Mark.Column}
		if strings.Contains(load.ContextMsg, "quoted scalar") && load.ContextMark.Line > 0 {
			at = place{load.ContextMark.Line, load.ContextMark.Column} // where the quote opens, not where the file ends
		}
	}
	at.line = min(at.line, len(r.src.lines))
	if at.line > 0 && r.src.masked(at.line) || strings.Contains(message, "anchor") {
		message = quoted.ReplaceAllString(message, "(not shown)") // it may quote the document
	}
	hint := ""
	switch {
	case strings.Contains(message, "cannot start any token"):
		hint = "indent with spaces, and quote a value that begins with @, ` or %"
	case strings.Contains(message, "mapping values are not allowed"):
		hint = "check the indentation, and quote a value that holds a colon followed by a space"
	case strings.Contains(message, "did not find expected"):
		hint = "check the indentation, closing brackets, and quote a value that begins with {, [, * or &"
	case strings.Contains(message, "unknown anchor"):
		hint = "quote a value that begins with *"
	}
	r.add("", at, "YAML", "a mistake in it: "+message, hint)
}
