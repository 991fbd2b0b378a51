package browse

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/archive"
)

const (
	mostUnpacked = 2 << 30 // bytes of one archive
	mostFolders  = 8       // of archives that are unpacked at once
)

// unpackLimits bound one archive.
func unpackLimits() archive.Limits {
	l := archive.DefaultLimits()
	l.Bytes = mostUnpacked
	return l
}

// store unpacks archives into a private temporary folder, each for as long as it is read, and removes all at the end.
type store struct {
	mu     sync.Mutex
	dir    string // made when it is needed first
	closed bool
	slots  chan struct{} // holds one for each folder
}

func newStore() *store { return &store{slots: make(chan struct{}, mostFolders)} }

// folder unpacks an archive into a folder, which release removes.
func (s *store) folder(open func() (*os.File, error)) (dir string, release func(), err error) {
	s.slots <- struct{}{}
	release = func() {
		_ = os.RemoveAll(dir)
		<-s.slots
	}
	if dir, err = s.fresh(); err == nil {
		err = unpack(dir, open)
	}
	if err != nil {
		release()
		return "", nil, err
	}
	return dir, release, nil
}

// fresh makes an empty folder, for this user only.
func (s *store) fresh() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", errors.New("these pages are closing")
	}
	var err error
	if s.dir == "" {
		s.dir, err = os.MkdirTemp("", "gateassay-runs-*")
	}
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(s.dir, "")
	}
	if err != nil {
		return "", errors.New("there is no space to unpack an archive")
	}
	return dir, nil
}

func unpack(dir string, open func() (*os.File, error)) error {
	file, err := open()
	if err != nil {
		return errors.New("it cannot be opened")
	}
	defer file.Close()
	if _, err := archive.UnpackFile(file, dir, unpackLimits()); err != nil {
		return undamaged(err)
	}
	return nil
}

func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// relative takes a folder's path out of a text.
func relative(text, dir string) string {
	text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
	return strings.TrimSpace(strings.ReplaceAll(text, dir, "this run"))
}
