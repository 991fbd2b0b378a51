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
		p.Hint = f.Begin
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
	var named *fs.PathError
	switch {
	case errors.As(err, &named):
		return nil, named.Err // whoever calls names the path
	case err != nil:
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
