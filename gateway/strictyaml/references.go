package strictyaml

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxReferenced bounds what file:PATH may hold, in bytes; tokens and keys are far smaller.
const maxReferenced = 64 << 10

var (
	environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	reference       = regexp.MustCompile(`\$\$\{|\$\{[^}]*\}?`)
)

// refers reports whether a text holds a reference or an escape, so that its meaning differs from its letters.
func refers(raw string) bool { return strings.HasPrefix(raw, "file:") || strings.Contains(raw, "${") }

// resolved replaces the references of a text: ${NAME} by the environment variable, $${ by a plain ${, and file:PATH by
// what the file holds. shown is how a message may call the result.
func (r *Reader) resolved(path string, at *yaml.Node, secret bool) (text, shown string, ok bool) {
	var names []string
	problems := len(r.problems)
	raw, isFile := strings.CutPrefix(at.Value, "file:")
	text = reference.ReplaceAllStringFunc(raw, func(found string) string {
		name, closed := strings.CutSuffix(strings.TrimPrefix(found, "${"), "}")
		value, set := "", false
		switch {
		case found == "$${":
			return "${"
		case !closed:
			r.add(path, at, "expected a closing brace after ${, found none", "write $${ for a literal ${")
		case !environmentName.MatchString(name):
			r.add(path, at, "expected the name of an environment variable between ${ and }, found something else",
				"a name holds letters, digits and underscores: ${GATEWAY_TOKEN}")
		default:
			if value, set = r.env(name); !set {
				r.add(path, at, name+" is not set", "export "+name+" before the run")
			}
			names = append(names, name)
		}
		return value
	})
	if isFile && len(r.problems) == problems {
		file := text
		var err error
		if text, err = r.referenced(file); err != nil {
			r.add(path, at, fmt.Sprintf("expected a readable file at %s, found %s", Quote(file), err),
				"a relative file:PATH starts from the folder of the "+r.format.Name)
		}
	}
	what := "the file"
	if len(names) > 0 {
		what = List(names)
	}
	if secret && text == "" && len(r.problems) == problems {
		r.add(path, at, what+" is empty", "remove the key if it is not needed")
	}
	return text, "what " + what + " holds (not shown)", len(r.problems) == problems
}

// referenced reads a file named by file:PATH, without the newline that editors end it with.
func (r *Reader) referenced(path string) (string, error) {
	if path == "" {
		return "", errors.New("no path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	data, err := ReadRegular(path, maxReferenced)
	if err != nil {
		return "", err
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if !utf8.ValidString(text) {
		return "", errors.New("a file that is not UTF-8 text")
	}
	return text, nil
}
