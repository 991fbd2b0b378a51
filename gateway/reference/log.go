package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// entry is a line of the log: what was put on a shelf.
type entry struct {
	Shelf string          `json:"s"`
	Key   string          `json:"k"`
	Value json.RawMessage `json:"v"`
}

// MarshalText writes a user as the ID.
func (u *user) MarshalText() ([]byte, error) { return []byte(u.id), nil }

// UnmarshalText reads the ID of a user of the dataset.
func (u *user) UnmarshalText(id []byte) error { u.id = string(id); return nil }

// open takes up the log in a folder, of a gateway of the same seed, and goes on with it. A last line that a killed gateway
// did not finish is dropped.
func (s *store) open(folder string, seed int64, users map[string]*user) error {
	s.representatives.complete = func(r *representative) { r.Owner, r.Caller = users[r.Owner.id], users[r.Caller.id] }
	s.files.complete = func(f *file) {
		if f.Owner != nil {
			f.Owner, f.Caller = users[f.Owner.id], users[f.Caller.id]
		}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(folder, "gateway.ndjson")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	shelves := map[string]logged{
		"representatives": &s.representatives, "creations": &s.creations, "nonces": &s.nonces, "cpfs": &s.cpfs, "files": &s.files,
		"sightings": &s.sightings,
	}
	lines, of, end := json.NewDecoder(file), seed, int64(0)
	if err = lines.Decode(&of); err == nil && of != seed {
		return fmt.Errorf("data folder %s: it was made with --seed %d, not %d; use that seed or another folder", folder, of, seed)
	}
	for err == nil {
		var e entry
		end = lines.InputOffset()
		if err = lines.Decode(&e); err == nil {
			if shelf := shelves[e.Shelf]; shelf != nil {
				err = shelf.take(e)
			} else {
				err = fmt.Errorf("it has entries of %q", e.Shelf)
			}
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s is damaged; choose another folder: %w", path, err)
	}
	if err := file.Truncate(end); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	s.log = json.NewEncoder(file)
	if end == 0 {
		s.err = s.log.Encode(seed)
	} else {
		_, s.err = file.WriteString("\n") // behind the last whole line
	}
	for name, shelf := range shelves {
		shelf.noting(s.notes(name))
	}
	return s.err
}

// failed is why something that was answered could not be kept; nil: all was, or nothing is.
func (s *store) failed() (err error) {
	if s.log != nil {
		s.step(func() { err = s.err })
	}
	return err
}

// notes appends what is put on a shelf to the log.
func (s *store) notes(shelf string) func(key string, value any) {
	return func(key string, value any) {
		text, err := json.Marshal(value)
		s.err = errors.Join(s.err, err, s.log.Encode(entry{shelf, key, text}))
	}
}

// logged is a shelf whose entries the log holds.
type logged interface {
	take(e entry) error                      // puts an entry of the log back
	noting(note func(key string, value any)) // has everything noted that is put from now on
}

func (s *shelf[T]) take(e entry) error {
	var value T
	err := json.Unmarshal(e.Value, &value)
	if err == nil {
		if s.complete != nil {
			s.complete(&value)
		}
		s.put(e.Key, value)
	}
	return err
}

func (s *shelf[T]) noting(note func(key string, value any)) { s.note = note }
