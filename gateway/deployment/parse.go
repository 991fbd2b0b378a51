package deployment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
)

const startHint = "gateassay deployment init --out FILE writes one to begin with"

var fileKind = diagnostic.Kind{Name: "deployment file", Largest: 1 << 20, Begin: startHint, Absent: startHint}

// Load reads a deployment file; its references are looked up in the environment of the process and in the file's folder.
// The error is a *Problems that lists everything that is wrong.
func Load(path string) (*File, error) {
	data, err := fileKind.Read(path)
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
	if len(data) > fileKind.Largest {
		return &Problem{Expected: fmt.Sprintf("at most %d bytes", fileKind.Largest), Found: "more", Hint: "is this the deployment file?"}
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
	root, problem := fileKind.Document(data)
	if problem == nil {
		return root
	}
	at := place{min(problem.Line, len(r.src.lines)), problem.Column}
	if at.line > 0 {
		r.src.hideByText()
	}
	if at.line > 0 && r.src.masked(at.line) || strings.Contains(problem.Found, "anchor") {
		problem.Found = quoted.ReplaceAllString(problem.Found, "(not shown)") // it may quote the document
	}
	r.add("", at, problem.Expected, problem.Found, problem.Hint)
	return nil
}

var quoted = regexp.MustCompile(`'[^']{2,}'`)
