package strictyaml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Read reads a file of this format. The error is a *Problems.
func (f *Format) Read(path string) ([]byte, error) {
	data, err := ReadRegular(path, int64(f.Largest))
	if err == nil {
		return data, nil
	}
	p := Problem{File: path, Message: fmt.Sprintf("expected a readable %s, found %s", f.Name, err)}
	if errors.Is(err, fs.ErrNotExist) {
		p.Hint = f.Absent
	}
	return nil, &Problems{All: []Problem{p}, Cause: err}
}

// ReadRegular reads a regular file of at most so many bytes. Folders, devices and pipes are refused: reading one may
// never end. Its errors complete the sentence "found ...".
func ReadRegular(path string, most int64) ([]byte, error) {
	if strings.ContainsRune(path, 0) {
		return nil, errors.New("a path with a NUL character")
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer would block here
	if err != nil {
		return nil, cause(err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errors.New("a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("a device or pipe; give a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("more than %d bytes", most)
	}
	return data, nil
}

// absent is a missing file in plain words.
type absent struct{ error }

func (absent) Error() string   { return "no such file" }
func (a absent) Unwrap() error { return a.error }

// cause strips the path from an error of the file system: the message names it already.
func cause(err error) error {
	var path *fs.PathError
	if errors.Is(err, fs.ErrNotExist) {
		return absent{err}
	}
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
