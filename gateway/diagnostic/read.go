package diagnostic

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Read reads a file: no more of it than one byte over the largest, which shows that it is too large. A pipe is welcome: it
// may decrypt the file. The error is a *Problems.
func (k Kind) Read(path string) ([]byte, error) {
	file, err := os.Open(path)
	var data []byte
	if err == nil {
		defer file.Close()
		data, err = io.ReadAll(io.LimitReader(file, int64(k.Largest)+1))
	}
	if err == nil {
		return data, nil
	}
	p := Problem{File: path, Expected: "a readable " + k.Name, Found: err.Error()}
	var cause *fs.PathError
	if errors.As(err, &cause) {
		p.Found = cause.Err.Error()
	}
	if errors.Is(err, fs.ErrNotExist) {
		p.Found, p.Hint = "no such file", k.Absent
	}
	return nil, &Problems{All: []Problem{p}, Cause: err}
}
