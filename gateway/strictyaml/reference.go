package strictyaml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxReferenced bounds what file:PATH may hold, in bytes; tokens and keys are far smaller.
const maxReferenced = 64 << 10

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// refers reports whether a text holds a reference or an escape, so that its meaning differs from its letters.
func refers(raw string) bool { return strings.HasPrefix(raw, "file:") || strings.Contains(raw, "${") }

// onlyRefers reports whether a text consists of references alone: shown as it stands, it gives no secret away.
func onlyRefers(raw string) bool {
	if path, ok := strings.CutPrefix(raw, "file:"); ok {
		return path != ""
	}
	for rest := raw; rest != ""; {
		end := strings.IndexByte(rest, '}')
		if !strings.HasPrefix(rest, "${") || end < 0 || !environmentName.MatchString(rest[2:end]) {
			return false
		}
		rest = rest[end+1:]
	}
	return raw != ""
}

// resolved replaces the references of a text. shown is how a message may call the result.
func (r *Reader) resolved(k *Key, path, raw string, at place) (text, shown string, ok bool) {
	before := len(r.problems)
	name, isFile := strings.CutPrefix(raw, "file:")
	text, names := r.expand(path, name, at)
	what := "the file"
	if isFile && len(r.problems) == before {
		file := text
		var err error
		if text, err = r.referenced(file); err != nil {
			r.add(path, at, fmt.Sprintf("expected a readable file at %s, found %s", Quote(file), err),
				"a relative file:PATH starts from the folder of the "+r.format.Name)
		}
	}
	if shown = "what its reference holds (not shown)"; len(names) > 0 {
		shown = "what " + List(names) + " holds (not shown)"
		what = List(names)
	}
	if k.secret && text != "" {
		r.secrets = append(r.secrets, text)
	}
	if k.secret && text == "" && len(r.problems) == before {
		r.add(path, at, what+" is empty", "remove the key if it is not needed")
	}
	return text, shown, len(r.problems) == before
}

// expand replaces ${NAME} by the environment variable and $${ by a plain ${. names are the variables it used.
func (r *Reader) expand(path, raw string, at place) (text string, names []string) {
	var b strings.Builder
	for rest := raw; ; {
		before, after, found := strings.Cut(rest, "${")
		if !found {
			b.WriteString(rest)
			return b.String(), names
		}
		if plain, escaped := strings.CutSuffix(before, "$"); escaped {
			b.WriteString(plain + "${")
			rest = after
			continue
		}
		b.WriteString(before)
		name, left, closed := strings.Cut(after, "}")
		if !closed {
			r.add(path, at, "expected a closing brace after ${, found none",
				"write $${ for a literal ${")
			return "", names
		}
		rest = left
		if !environmentName.MatchString(name) {
			r.add(path, at, "expected the name of an environment variable between ${ and }, found something else",
				"a name holds letters, digits and underscores: ${GATEWAY_TOKEN}")
			continue
		}
		value, ok := r.env(name)
		if !ok {
			r.add(path, at, name+" is not set", "export "+name+" before the run")
		}
		names = append(names, name)
		b.WriteString(value)
	}
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
