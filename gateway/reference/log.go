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
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	path := filepath.Join(folder, "gateway.ndjson")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	lines, of, end := json.NewDecoder(file), seed, int64(0)
	if err = lines.Decode(&of); err == nil && of != seed {
		return fmt.Errorf("data folder %s: it was made with --seed %d, not %d; use that seed or another folder", folder, of, seed)
	}
	for err == nil {
		var e entry
		end = lines.InputOffset()
		if err = lines.Decode(&e); err == nil {
			err = s.take(e, users)
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s is damaged; choose another folder: %w", path, err)
	}
	if err := errors.Join(file.Truncate(end), seekEnd(file)); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	s.log = json.NewEncoder(file)
	if end == 0 {
		s.err = s.log.Encode(seed)
	} else {
		_, s.err = file.WriteString("\n") // behind the last whole line
	}
	s.representatives.note, s.creations.note, s.nonces.note = s.notes("representatives"), s.notes("creations"), s.notes("nonces")
	s.cpfs.note, s.files.note, s.sightings.note = s.notes("cpfs"), s.notes("files"), s.notes("sightings")
	return s.err
}

// failed is why something that was answered could not be kept; nil: all was.
func (s *store) failed() (err error) {
	s.step(func() { err = s.err })
	return err
}

func seekEnd(file *os.File) error {
	_, err := file.Seek(0, io.SeekEnd)
	return err
}

// notes appends what is put on a shelf to the log.
func (s *store) notes(shelf string) func(key string, value any) {
	return func(key string, value any) {
		text, err := json.Marshal(value)
		s.err = errors.Join(s.err, err, s.log.Encode(entry{shelf, key, text}))
	}
}

// take puts an entry of the log back on its shelf.
func (s *store) take(e entry, users map[string]*user) error {
	switch e.Shelf {
	case "representatives":
		return takeUp(&s.representatives, e, func(r *representative) { r.Owner, r.Caller = users[r.Owner.id], users[r.Caller.id] })
	case "files":
		return takeUp(&s.files, e, func(f *file) {
			if f.Owner != nil {
				f.Owner, f.Caller = users[f.Owner.id], users[f.Caller.id]
			}
		})
	case "creations":
		return takeUp(&s.creations, e, func(*string) {})
	case "cpfs":
		return takeUp(&s.cpfs, e, func(*string) {})
	case "nonces":
		return takeUp(&s.nonces, e, func(*bool) {})
	}
	return takeUp(&s.sightings, e, func(*bool) {})
}

func takeUp[T any](s *shelf[T], e entry, whole func(*T)) error {
	var value T
	err := json.Unmarshal(e.Value, &value)
	if err == nil {
		whole(&value)
		s.put(e.Key, value)
	}
	return err
}
