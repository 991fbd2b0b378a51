package strictyaml

import (
	"errors"
	"fmt"
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
	references      = regexp.MustCompile(`^(?s:file:.+|(\$\{[A-Za-z_][A-Za-z0-9_]*\})+)$`)
)

// refers reports whether a text holds a reference or an escape, so that its meaning differs from its letters.
func refers(raw string) bool { return strings.HasPrefix(raw, "file:") || strings.Contains(raw, "${") }

// onlyRefers reports whether a text consists of references alone: shown as it stands, it gives no secret away.
func onlyRefers(raw string) bool { return references.MatchString(raw) }

// resolved replaces the references of a text. shown is how a message may call the result.
func (r *Reader) resolved(path, raw string, at *yaml.Node, secret bool) (text, shown string, ok bool) {
	before := len(r.problems)
	name, isFile := strings.CutPrefix(raw, "file:")
	text, names := r.expand(path, name, at)
	if isFile && len(r.problems) == before {
		file := text
		var err error
		if text, err = r.referenced(file); err != nil {
			r.add(path, at, fmt.Sprintf("expected a readable file at %s, found %s", Quote(file), err),
				"a relative file:PATH starts from the folder of the "+r.format.Name)
		}
	}
	shown = "what its reference holds (not shown)"
	what := "the file"
	if len(names) > 0 {
		what = List(names)
		shown = "what " + what + " holds (not shown)"
	}
	if secret && text != "" {
		r.secrets = append(r.secrets, text)
	}
	if secret && text == "" && len(r.problems) == before {
		r.add(path, at, what+" is empty", "remove the key if it is not needed")
	}
	return text, shown, len(r.problems) == before
}

// expand replaces ${NAME} by the environment variable and $${ by a plain ${. names are the variables it used.
func (r *Reader) expand(path, raw string, at *yaml.Node) (text string, names []string) {
	text = reference.ReplaceAllStringFunc(raw, func(found string) string {
		name, closed := strings.CutSuffix(strings.TrimPrefix(found, "${"), "}")
		switch {
		case found == "$${":
			return "${"
		case !closed:
			r.add(path, at, "expected a closing brace after ${, found none", "write $${ for a literal ${")
		case !environmentName.MatchString(name):
			r.add(path, at, "expected the name of an environment variable between ${ and }, found something else",
				"a name holds letters, digits and underscores: ${GATEWAY_TOKEN}")
		default:
			value, ok := r.env(name)
			if !ok {
				r.add(path, at, name+" is not set", "export "+name+" before the run")
			}
			names = append(names, name)
			return value
		}
		return ""
	})
	return text, names
}

// referenced reads a file named by file:PATH, without the newline that editors end it with.
func (r *Reader) referenced(path string) (string, error) {
	if path == "" {
		return "", errors.New("no path")
	}
	data, err := ReadRegular(r.abs(path), maxReferenced)
	if err != nil {
		return "", err
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if !utf8.ValidString(text) {
		return "", errors.New("a file that is not UTF-8 text")
	}
	return text, nil
}
