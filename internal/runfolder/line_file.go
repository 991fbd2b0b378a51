package runfolder

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
)

// LineFile appends JSON lines to a file during a run. Each line is written at once, so that it
// survives the process. The first line creates the file, readable only by its owner; it must not
// exist. The first error ends the file, as if the run had been interrupted; the run continues and
// Close reports the error. It is safe for concurrent use.
type LineFile struct {
	path string

	mu   sync.Mutex
	file *os.File // nil: not created yet
	err  error
}

// NewLineFile returns a LineFile for the file dir/name, which it does not create yet.
func NewLineFile(dir, name string) *LineFile { return &LineFile{path: filepath.Join(dir, name)} }

// Open creates the file before the first line, while file descriptors are certainly available.
func (l *LineFile) Open() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open()
}

func (l *LineFile) open() error {
	if l.err == nil && l.file == nil {
		l.file, l.err = os.OpenFile(l.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	}
	return l.err
}

// Write appends a line and returns the first error so far.
func (l *LineFile) Write(line any) error {
	data, err := json.Marshal(line)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		err = l.open()
	}
	if err == nil {
		_, err = l.file.Write(append(data, '\n'))
	}
	l.err = cmp.Or(l.err, err)
	return l.err
}

// Sync flushes what was written to disk.
func (l *LineFile) Sync() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.err = cmp.Or(l.err, l.file.Sync())
	}
}

// Close closes the file and returns the first error. Call it once, after the last line.
func (l *LineFile) Close() error {
	l.Sync()
	if l.file != nil {
		l.err = cmp.Or(l.err, l.file.Close())
	}
	return l.err
}
