package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// remembered is how many of the newest entries of a kind a gateway keeps at the least: accepted exports that replay
// protection recognizes, their files, representatives.
const remembered = 100_000

// store keeps what outlives a request.
type store struct {
	mu              sync.Mutex
	representatives *shelf[representative] // by ID
	creations       *shelf[string]         // ID of the representative, by user and transaction ID
	claims          *shelf[string]         // transaction ID, by what may serve for one creation only
	files           *shelf[file]           // by ID
	sightings       *shelf[bool]           // of accepted exports, by fingerprint

	shelves map[string]func(key string, value []byte) error // by name: puts back what the log holds
	log     *json.Encoder                                   // nil: nothing outlives the process
	err     error                                           // why the log could not be written
}

func newStore(most int) *store {
	s := &store{shelves: map[string]func(string, []byte) error{}}
	s.representatives = newShelf[representative](s, "representatives", most)
	s.creations, s.claims = newShelf[string](s, "creations", most), newShelf[string](s, "claims", most)
	s.files = newShelf[file](s, "files", most)
	s.sightings = newShelf[bool](s, "sightings", 4*most) // an export leaves one for each mode of replay protection
	return s
}

// step runs some work while nobody else reads or changes anything. The shelves belong into such steps.
func (s *store) step(work func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	work()
}

// failed is why something that was answered could not be kept; nil: all was, or nothing is.
func (s *store) failed() (err error) {
	s.step(func() { err = s.err })
	return err
}

// shelf keeps at least the newest entries of a kind, and at most twice as many.
type shelf[T any] struct {
	most       int
	young, old map[string]T
	note       func(key string, value T) // of what is put
}

// entry is a line of the log: what was put on a shelf.
type entry[T any] struct {
	Shelf string `json:"s"`
	Key   string `json:"k"`
	Value T      `json:"v"`
}

func newShelf[T any](s *store, name string, most int) *shelf[T] {
	shelf := &shelf[T]{most: most, note: func(key string, value T) {
		if s.log != nil {
			s.err = errors.Join(s.err, s.log.Encode(entry[T]{name, key, value}))
		}
	}}
	s.shelves[name] = func(key string, text []byte) error {
		var value T
		err := json.Unmarshal(text, &value)
		shelf.put(key, value)
		return err
	}
	return shelf
}

func (s *shelf[T]) get(key string) (value T, found bool) {
	if value, found = s.young[key]; !found {
		value, found = s.old[key]
	}
	return value, found
}

func (s *shelf[T]) put(key string, value T) {
	if s.young == nil || len(s.young) >= s.most {
		s.old, s.young = s.young, map[string]T{}
	}
	s.young[key] = value
	s.note(key, value)
}

// open takes up the log in a folder, of a gateway of the same seed, and goes on with it. A last line that a killed gateway
// did not finish is dropped.
func (s *store) open(folder string, seed int64) error {
	path := filepath.Join(folder, "gateway.ndjson")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	text, err := io.ReadAll(file)
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	err = errors.Join(err, file.Truncate(int64(len(text))))
	of := seed
	for i, line := range bytes.SplitAfter(text, []byte("\n")) {
		var e entry[json.RawMessage]
		switch {
		case err != nil || len(line) == 0:
		case i == 0:
			err = json.Unmarshal(line, &of)
		default:
			if err = json.Unmarshal(line, &e); err == nil && s.shelves[e.Shelf] == nil {
				err = fmt.Errorf("it has entries of %q", e.Shelf)
			} else if err == nil {
				err = s.shelves[e.Shelf](e.Key, e.Value)
			}
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s is damaged; choose another folder: %w", path, err)
	case of != seed:
		return fmt.Errorf("data folder %s: it was made with --seed %d, not %d; use that seed or another folder", folder, of, seed)
	}
	if s.log = json.NewEncoder(file); len(text) == 0 {
		s.err = s.log.Encode(seed)
	}
	return s.err
}
