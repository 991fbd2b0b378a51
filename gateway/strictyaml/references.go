package strictyaml

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxReferenced bounds what file:PATH may hold, in bytes; tokens and keys are far smaller.
const maxReferenced = 64 << 10

var reference = regexp.MustCompile(`\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)\})?`)

// refers reports whether a text holds a reference or an escape, so that its meaning differs from its letters.
func refers(raw string) bool { return strings.HasPrefix(raw, "file:") || strings.Contains(raw, "${") }

// resolved replaces the references of a text: ${NAME} by the environment variable, $${ by a plain ${, and file:PATH by
// what the file holds.
func (r *Reader) resolved(raw string, secret bool) (text string, err error) {
	raw, isFile := strings.CutPrefix(raw, "file:")
	text = reference.ReplaceAllStringFunc(raw, func(found string) string {
		name := reference.FindStringSubmatch(found)[1]
		value, set := r.env(name)
		switch {
		case found == "$${":
			return "${"
		case name == "":
			err = errors.New("expected the name of an environment variable and a closing brace after ${, found " +
				"something else; $${ stands for a plain ${")
		case !set:
			err = fmt.Errorf("%s is not set; export it before the run", name)
		case secret && value == "":
			err = fmt.Errorf("%s is empty; remove the key if it is not needed", name)
		}
		return value
	})
	if err == nil && isFile {
		return r.referenced(text)
	}
	return text, err
}

// referenced reads a file named by file:PATH, without the newline that editors end it with.
func (r *Reader) referenced(path string) (string, error) {
	at := path
	if !filepath.IsAbs(path) {
		at = filepath.Join(r.dir, path) // of the file that names it
	}
	data, err := ReadRegular(at, maxReferenced)
	if err == nil && !utf8.Valid(data) {
		err = errors.New("one that is not UTF-8 text")
	}
	if err != nil {
		return "", fmt.Errorf("expected a readable file at %s, found %w", Quote(path), err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}
