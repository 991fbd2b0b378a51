package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// largest bounds a file, and what file:PATH may hold, in bytes.
const largest = 1 << 20

var reference = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*\})?`)

// resolved replaces the references of a text: ${NAME} by the environment variable, $${ by a plain ${, and file:PATH by
// what the file holds, without the newline that editors end it with.
func (r *Reader) resolved(raw string, secret bool) (text string, err error) {
	raw, isFile := strings.CutPrefix(raw, "file:")
	text = reference.ReplaceAllStringFunc(raw, func(found string) string {
		name := strings.Trim(found, "${}")
		value, set := r.env(name)
		switch {
		case strings.HasPrefix(found, "$$"):
			return found[1:]
		case name == "":
			err = errors.New("expected ${NAME} of an environment variable, found something else; $${ is a plain ${")
		case !set:
			err = fmt.Errorf("%s is not set; export it before the run", name)
		case secret && value == "":
			err = fmt.Errorf("%s is empty; remove the key if it is not needed", name)
		}
		return value
	})
	if err != nil || !isFile {
		return text, err
	}
	at := text
	if !filepath.IsAbs(at) {
		at = filepath.Join(r.dir, at) // of the file that names it
	}
	data, err := runfolder.Read(at, largest)
	if err == nil {
		data, err = Plain(data)
	}
	if err != nil {
		return "", fmt.Errorf("the file %s cannot be read: %w", Quote(text), cmp.Or(errors.Unwrap(err), err)) // whose path has been said
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}

// Read reads a file of this format: a regular one of a bounded size. The error is a *Problems.
func (f *Format) Read(path string) ([]byte, error) {
	data, err := runfolder.Read(path, largest)
	if err == nil {
		return data, nil
	}
	p := Problem{File: path, Message: "the " + f.Name + " cannot be read: " + cmp.Or(errors.Unwrap(err), err).Error()}
	if errors.Is(err, fs.ErrNotExist) {
		p.Hint = f.Begin
	}
	return nil, &Problems{All: []Problem{p}}
}
