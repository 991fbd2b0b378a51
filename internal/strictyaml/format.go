// Package strictyaml reads files that people write in YAML into structs, and says what is wrong
// with them as compilers do: the place, the key, what was expected, the line with a caret below the
// column, and what to do next.
//
// Package yamlschema says how the tags of a struct describe its keys. Any text may hold ${NAME}, an
// environment variable, or be file:PATH, what a file holds.
package strictyaml

import (
	"cmp"
	"errors"
	"io/fs"
	"regexp"

	"github.com/gateassay/gateassay/internal/references"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/yamlschema"
)

// Format is a kind of file that people write.
type Format struct {
	Name    string // such as "plan"
	Example any    // the struct that it is read into
	Begin   string // what to do where there is none, or an empty one

	Texts map[string]yamlschema.ScalarFormat // the formats that tags name

	// Secret matches the names of map entries that carry a secret; nil: nothing in such a file is
	// secret.
	Secret *regexp.Regexp
	// Explicit makes a key without a value an error; otherwise it counts as not given, as do empty
	// lists and mappings.
	Explicit bool
}

// Read reads a file of this format: a regular one of a bounded size. The error is a *Problems.
func (f *Format) Read(path string) ([]byte, error) {
	data, err := runfolder.ReadBounded(path, references.MaxFileBytes)
	if err == nil {
		return data, nil
	}
	reason := cmp.Or(errors.Unwrap(err), err).Error()
	p := Problem{File: path, Message: "the " + f.Name + " cannot be read: " + reason}
	if errors.Is(err, fs.ErrNotExist) {
		p.Hint = f.Begin
	}
	return nil, &Problems{All: []Problem{p}}
}
