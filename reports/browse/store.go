package browse

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
)

const (
	mostUnpacked = 4 << 30 // bytes of all archives that are unpacked, as long as one is left that nobody reads
	mostFolders  = 64      // of archives that are unpacked
)

// unpackLimits bound one archive.
func unpackLimits() archive.Limits {
	l := archive.DefaultLimits()
	l.Bytes = mostUnpacked / 2
	return l
}

// store keeps archives unpacked in a private temporary folder until there are too many, and removes all at the end.
type store struct {
	mu     sync.Mutex
	dir    string // made when it is needed first
	made   int
	held   map[string]*unpackedRun
	closed bool
}

type unpackedRun struct {
	once  sync.Once
	dir   string
	err   error
	bytes int64
	users int
	used  time.Time
}

// folder gives the folder that an archive is unpacked in, and unpacks it where it is not. Until release is called it stays.
func (s *store) folder(key string, open func() (*os.File, error)) (dir string, release func(), err error) {
	u, err := s.take(key)
	if err != nil {
		return "", nil, err
	}
	u.once.Do(func() {
		n, err := unpack(u.dir, open)
		s.mu.Lock() // for those that add up bytes
		u.bytes, u.err = n, err
		s.mu.Unlock()
	})
	if u.err != nil {
		s.drop(key, u)
		return "", nil, u.err
	}
	s.tidy()
	return u.dir, func() { s.release(u) }, nil
}

func (s *store) take(key string) (*unpackedRun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("these pages are closing")
	}
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "gateassay-runs-*") // for this user only
		if err != nil {
			return nil, errors.New("there is no room to unpack an archive in")
		}
		s.dir, s.held = dir, map[string]*unpackedRun{}
	}
	u := s.held[key]
	if u == nil {
		s.made++
		u = &unpackedRun{dir: filepath.Join(s.dir, strconv.Itoa(s.made))}
		s.held[key] = u
	}
	u.users++
	u.used = time.Now()
	return u, nil
}

func unpack(dir string, open func() (*os.File, error)) (int64, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, errors.New("there is no room to unpack an archive in")
	}
	file, err := open()
	if err != nil {
		return 0, errors.New("it cannot be opened")
	}
	defer file.Close()
	manifest, err := archive.UnpackFile(file, dir, unpackLimits())
	if err != nil {
		return 0, undamaged(err)
	}
	return manifest.Size(), nil
}

func (s *store) release(u *unpackedRun) {
	s.mu.Lock()
	u.users--
	s.mu.Unlock()
	s.tidy()
}

// drop forgets an archive that could not be unpacked.
func (s *store) drop(key string, u *unpackedRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.users--; u.users == 0 && s.held[key] == u {
		delete(s.held, key)
		_ = os.RemoveAll(u.dir)
	}
}

// tidy removes those that were not read for the longest time while there is too much.
func (s *store) tidy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		var total int64
		oldest := ""
		for key, u := range s.held {
			total += u.bytes
			if u.users == 0 && (oldest == "" || u.used.Before(s.held[oldest].used)) {
				oldest = key
			}
		}
		if oldest == "" || total <= mostUnpacked && len(s.held) <= mostFolders {
			return
		}
		_ = os.RemoveAll(s.held[oldest].dir)
		delete(s.held, oldest)
	}
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
