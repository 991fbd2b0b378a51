package diagnostic

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Read reads a file: no more of it than one byte over the given number, which shows that it is too large. A pipe is
// welcome: it may decrypt the file. The error is a *Problems that says a readable what was expected, with the hint absent
// where there is no such file.
func Read(path string, largest int64, what, absent string) ([]byte, error) {
	file, err := os.Open(path)
	var data []byte
	if err == nil {
		defer file.Close()
		data, err = io.ReadAll(io.LimitReader(file, largest+1))
	}
	if err == nil {
		return data, nil
	}
	p := Problem{File: path, Expected: "a readable " + what, Found: err.Error()}
	var cause *fs.PathError
	if errors.As(err, &cause) {
		p.Found = cause.Err.Error()
	}
	if errors.Is(err, fs.ErrNotExist) {
		p.Found, p.Hint = "no such file", absent
	}
	return nil, &Problems{All: []Problem{p}, Cause: err}
}
