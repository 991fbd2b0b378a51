package browse

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// store unpacks archives into a private temporary folder. Those that were opened last stay unpacked, as one look at a
// run asks for its page, its report and its files; all are removed at the end.
type store struct {
	mu      sync.Mutex
	freed   *sync.Cond
	dir     string // made when it is needed first
	closed  bool
	folders []*unpacked // the one that was opened last is the last
}

type unpacked struct {
	key, dir string
	users    int
}

func newStore() *store {
	s := &store{}
	s.freed = sync.NewCond(&s.mu)
	return s
}

// folder is where an archive is unpacked, until release is called. The key changes when the archive does.
func (s *store) folder(key string, open func() (*os.File, error)) (dir string, release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := func() int { return slices.IndexFunc(s.folders, func(u *unpacked) bool { return u.key == key }) }
	for at() < 0 && len(s.folders) == mostFolders {
		unused := slices.IndexFunc(s.folders, func(u *unpacked) bool { return u.users == 0 })
		if unused < 0 {
			s.freed.Wait()
			continue
		}
		_ = os.RemoveAll(s.folders[unused].dir)
		s.folders = slices.Delete(s.folders, unused, unused+1)
	}
	found := &unpacked{key: key}
	if i := at(); i >= 0 {
		found = s.folders[i]
		s.folders = slices.Delete(s.folders, i, i+1)
	} else if found.dir, err = s.unpack(open); err != nil {
		return "", nil, err
	}
	s.folders = append(s.folders, found)
	found.users++
	return found.dir, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		found.users--
		s.freed.Broadcast()
	}, nil
}

// unpack unpacks an archive into a new folder, for this user only.
func (s *store) unpack(open func() (*os.File, error)) (dir string, err error) {
	if s.closed {
		return "", errors.New("these pages are closing")
	}
	if s.dir == "" {
		s.dir, err = os.MkdirTemp("", "gateassay-runs-*")
	}
	if err == nil {
		dir, err = os.MkdirTemp(s.dir, "")
	}
	if err != nil {
		return "", errors.New("there is no space to unpack an archive")
	}
	file, err := open()
	if err != nil {
		return "", errors.New("it cannot be opened")
	}
	defer file.Close()
	if _, err := archive.UnpackFile(file, dir, unpackLimits()); err != nil {
		_ = os.RemoveAll(dir)
		return "", undamaged(err)
	}
	return dir, nil
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
