package runfolder

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
)

// LineFile appends to a file of JSON lines as a run goes: each is written at once, and so survives
// the process. The first makes the file, which only its owner can read and which must not exist.
// The first error ends the file there, as if the run had been cut off; the run goes on and says so
// at its end. It is safe for concurrent use.
type LineFile struct {
	path string

	mu   sync.Mutex
	file *os.File // nil: nothing was written
	err  error
}

// NewLineFile is for the file dir/name.
func NewLineFile(dir, name string) *LineFile { return &LineFile{path: filepath.Join(dir, name)} }

// Open makes the file before its first line: later there may be no descriptor left.
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

// Write appends a line, and gives the first error so far.
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

// Sync brings what was written to the disk.
func (l *LineFile) Sync() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.err = cmp.Or(l.err, l.file.Sync())
	}
}

// Close ends the file, and gives the first error of all. It must be called once, after the last
// line.
func (l *LineFile) Close() error {
	l.Sync()
	if l.file != nil {
		l.err = cmp.Or(l.err, l.file.Close())
	}
	return l.err
}
