package deployment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxReferenced bounds what file:PATH may hold; tokens and keys are far smaller.
const maxReferenced = 64 << 10

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// unresolved is a reference that leads nowhere, as the parts of a Problem.
type unresolved struct{ expected, found, hint string }

// refers tells whether a string holds a reference or an escape, so that its meaning differs from its text.
func refers(raw string) bool {
	return strings.HasPrefix(raw, "file:") || strings.Contains(raw, "${")
}

// onlyRefers tells whether a string consists of references alone: shown as it stands, it tells no secret.
func onlyRefers(raw string) bool {
	if path, ok := strings.CutPrefix(raw, "file:"); ok {
		return path != ""
	}
	rest := raw
	for rest != "" {
		if !strings.HasPrefix(rest, "${") {
			return false
		}
		end := strings.IndexByte(rest, '}')
		if end < 0 || !environmentName.MatchString(rest[2:end]) {
			return false
		}
		rest = rest[end+1:]
	}
	return raw != ""
}

// resolve replaces every ${NAME} of a string, and the whole of file:PATH. names are the variables it used.
func (r *reader) resolve(raw string) (text string, names []string, problems []unresolved) {
	path, isFile := strings.CutPrefix(raw, "file:")
	if !isFile {
		return r.expand(raw)
	}
	path, names, problems = r.expand(path)
	if len(problems) > 0 {
		return "", names, problems
	}
	text, err := r.readReferenced(path)
	if err != nil {
		return "", names, []unresolved{{
			expected: fmt.Sprintf("a readable file at %q", path),
			found:    err.Error(),
			hint:     "file:PATH is looked up from the folder of the deployment file",
		}}
	}
	return text, names, nil
}

// expand replaces ${NAME} by the environment variable and $${ by a plain ${.
func (r *reader) expand(raw string) (text string, names []string, problems []unresolved) {
	var b strings.Builder
	for rest := raw; ; {
		at := strings.Index(rest, "${")
		if at < 0 {
			b.WriteString(rest)
			return b.String(), names, problems
		}
		if at > 0 && rest[at-1] == '$' {
			b.WriteString(rest[:at-1] + "${")
			rest = rest[at+2:]
			continue
		}
		b.WriteString(rest[:at])
		end := strings.IndexByte(rest[at:], '}')
		if end < 0 {
			return "", names, append(problems, unresolved{
				expected: "a closing brace after ${", found: "none",
				hint: "write $${ where the two characters themselves are meant",
			})
		}
		name := rest[at+2 : at+end]
		rest = rest[at+end+1:]
		if !environmentName.MatchString(name) {
			problems = append(problems, unresolved{
				expected: "the name of an environment variable between ${ and }", found: "something else",
				hint: "a name holds letters, digits and underscores: ${GATEWAY_TOKEN}",
			})
			continue
		}
		value, ok := r.env(name)
		if !ok {
			problems = append(problems, unresolved{
				expected: "the environment variable " + name + " to be set", found: "it unset",
				hint: "export " + name + " before the run",
			})
		}
		names = append(names, name)
		b.WriteString(value)
	}
}

// readReferenced reads a file named by file:PATH, without the newline that editors end it with.
func (r *reader) readReferenced(path string) (string, error) {
	if path == "" {
		return "", errors.New("no path")
	}
	data, err := readRegular(r.abs(path), maxReferenced)
	if err != nil {
		return "", err
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if !utf8.ValidString(text) {
		return "", errors.New("a file that is not UTF-8 text")
	}
	return text, nil
}

// abs resolves a path against the folder of the deployment file.
func (r *reader) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dir, path)
}

// readRegular reads a file of at most limit bytes. Devices and pipes are refused: reading one may never end.
// Its errors complete the sentence "found ...".
func readRegular(path string, limit int64) ([]byte, error) {
	if strings.ContainsRune(path, 0) {
		return nil, errors.New("a path with a NUL character")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("no such file")
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errors.New("a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("a device or pipe")
	case info.Size() > limit:
		return nil, fmt.Errorf("%d bytes, of which at most %d are read", info.Size(), limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("more than %d bytes", limit)
	}
	return data, nil
}

// cause strips the path from an error of the file system: the message names it already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
