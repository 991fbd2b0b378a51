package reference

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
)

// shelf is a part of the store.
type shelf string

const (
	representatives shelf = "representatives" // ID -> representative
	creations       shelf = "creations"       // user and transaction ID -> ID of the representative
	nonces          shelf = "nonces"          // user and nonce of a creation -> nothing
	cpfs            shelf = "cpfs"            // shareholder and CPF -> transaction ID, where a CPF may serve once
	files           shelf = "files"           // ID -> file
	sightings       shelf = "sightings"       // fingerprint of an accepted export -> nothing
)

// Remembered is how many of the newest entries of a kind a gateway keeps at the least unless its options say otherwise:
// accepted exports that replay protection recognizes, their files, representatives.
const Remembered = 100_000

// store keeps what outlives a request: of each shelf at least the newest entries, and at most twice as many. With a
// folder it appends whatever it is told to a log there.
type store struct {
	most       int
	mu         sync.Mutex
	young, old map[shelf]map[string]string
	unwritten  []entry // of the step of work under way
	log        *os.File
	lock       *flock.Flock
}

// entry is what the log holds of one step, a line for each.
type entry struct {
	Shelf shelf  `json:"s"`
	Key   string `json:"k"`
	Value string `json:"v,omitempty"`
}

func newStore(most int) *store {
	return &store{most: most, young: map[shelf]map[string]string{}, old: map[shelf]map[string]string{}}
}

// step runs some work while nobody else reads or changes anything. When it returns without an error, all that the work
// put survives the end of the process.
func (s *store) step(work func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	work()
	if s.log == nil || len(s.unwritten) == 0 {
		return nil
	}
	line, err := json.Marshal(s.unwritten)
	if err == nil {
		_, err = s.log.Write(append(line, '\n'))
	}
	s.unwritten = s.unwritten[:0]
	return err
}

// get and put belong into a step of work.
func (s *store) get(of shelf, key string) (string, bool) {
	value, found := s.young[of][key]
	if !found {
		value, found = s.old[of][key]
	}
	return value, found
}

func (s *store) put(of shelf, key, value string) {
	room := s.most
	if of == sightings {
		room *= 4 // an export leaves one for each mode of replay protection
	}
	if s.young[of] == nil || len(s.young[of]) >= room {
		s.old[of], s.young[of] = s.young[of], map[string]string{}
	}
	s.young[of][key] = value
	if s.log != nil {
		s.unwritten = append(s.unwritten, entry{of, key, value})
	}
}

// open takes up what a folder holds, which is made where there is none. What it keeps belongs to one seed.
func (s *store) open(folder string, seed int64) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("data folder %s: %w", folder, err), s.close())
		}
	}()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	s.lock = flock.New(filepath.Join(folder, "lock"), flock.SetPermissions(0o600))
	if held, err := s.lock.TryLock(); err != nil {
		return err
	} else if !held {
		return errors.New("it is in use by another gateway; stop it or choose another folder")
	}
	path := filepath.Join(folder, "gateway.ndjson")
	if err := s.recall(path, seed); err != nil {
		return err
	}
	// What was forgotten, and a line that a killed gateway did not finish, goes.
	renewed, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	s.log = renewed
	out := bufio.NewWriter(renewed)
	lines := json.NewEncoder(out)
	err = lines.Encode(seed)
	for _, generation := range []map[shelf]map[string]string{s.old, s.young} {
		for of, entries := range generation {
			for key, value := range entries {
				err = errors.Join(err, lines.Encode([]entry{{of, key, value}}))
			}
		}
	}
	return errors.Join(err, out.Flush(), os.Rename(path+".new", path))
}

// recall reads the log of a gateway that has ended.
func (s *store) recall(path string, seed int64) error {
	log, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer log.Close()
	lines := json.NewDecoder(bufio.NewReader(log))
	var of int64
	if err := lines.Decode(&of); err != nil {
		return fmt.Errorf("%s is not the log of a gateway; choose another folder: %w", path, err)
	} else if of != seed {
		return fmt.Errorf("it was made with --seed %d, not %d; use that seed or another folder", of, seed)
	}
	for {
		var entries []entry
		switch err := lines.Decode(&entries); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s is damaged; choose another folder: %w", path, err)
		}
		for _, e := range entries {
			s.put(e.Shelf, e.Key, e.Value)
		}
	}
}

func (s *store) close() error {
	var errs []error
	if s.log != nil {
		errs = append(errs, s.log.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Unlock())
	}
	return errors.Join(errs...)
}
