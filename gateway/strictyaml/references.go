package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"unicode/utf8"
)

// maxReferenced bounds what file:PATH may hold, in bytes; tokens and keys are far smaller.
const maxReferenced = 64 << 10

var reference = regexp.MustCompile(`\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)\})?`)

// refers reports whether a text holds a reference or an escape, so that its meaning differs from its letters.
func refers(raw string) bool { return strings.HasPrefix(raw, "file:") || strings.Contains(raw, "${") }

// resolved replaces the references of a text: ${NAME} by the environment variable, $${ by a plain ${, and file:PATH by
// what the file holds, without the newline that editors end it with.
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
	if err != nil || !isFile {
		return text, err
	}
	at := text
	if !filepath.IsAbs(at) {
		at = filepath.Join(r.dir, at) // of the file that names it
	}
	data, err := ReadRegular(at, maxReferenced)
	if err == nil && !utf8.Valid(data) {
		err = errors.New("one that is not UTF-8 text")
	}
	if err != nil {
		return "", fmt.Errorf("expected a readable file at %s, found %w", Quote(text), err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}

// Read reads a file of this format. The error is a *Problems.
func (f *Format) Read(path string) ([]byte, error) {
	data, err := ReadRegular(path, int64(f.Largest))
	if err == nil {
		return data, nil
	}
	p := Problem{File: path, Message: fmt.Sprintf("expected a readable %s, found %s", f.Name, err)}
	if errors.Is(err, fs.ErrNotExist) {
		p.Hint = f.Begin
	}
	return nil, &Problems{All: []Problem{p}, Cause: err}
}

// ReadRegular reads a regular file of at most so many bytes. Folders, devices and pipes are refused: reading one may
// never end. Its errors complete the sentence "found ...".
func ReadRegular(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer would block here
	var named *fs.PathError
	if errors.As(err, &named) {
		return nil, named.Err // whoever calls names the path
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("a device or pipe, or a folder; give a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return data, err
}
