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

// minStoredEntries is the minimum number of entries that a gateway keeps, newest first. An
// accepted export makes five: its file, and a fingerprint for each set of compared parts.
const minStoredEntries = 500_000

// store keeps state across requests, as JSON. It holds at least the newest maxEntries entries,
// and at most twice as many.
type store struct {
	mu         sync.Mutex
	maxEntries int
	young, old map[string]json.RawMessage
	log        *json.Encoder // nil: in memory only
	err        error         // why an entry could not be stored
}

// logEntry is a line of the log.
type logEntry struct {
	Key   string          `json:"key"` // the kind, a space and the key
	Value json.RawMessage `json:"value"`
}

// atomically runs work with exclusive access to the store. Call get and put only inside it.
func (s *store) atomically(work func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	work()
}

// writeError returns why an entry could not be stored, or nil.
func (s *store) writeError() (err error) {
	s.atomically(func() { err = s.err })
	return err
}

func (s *store) get(kind, key string, into any) (found bool) {
	value, found := s.young[kind+" "+key]
	if !found {
		value, found = s.old[kind+" "+key]
	}
	return found && json.Unmarshal(value, into) == nil
}

func (s *store) put(kind, key string, value any) {
	text, err := json.Marshal(value)
	e := logEntry{kind + " " + key, text}
	s.rememberEntry(e)
	if s.log != nil {
		err = errors.Join(err, s.log.Encode(e))
	}
	s.err = errors.Join(s.err, err)
}

func (s *store) rememberEntry(e logEntry) {
	if s.young == nil || len(s.young) >= s.maxEntries {
		s.old, s.young = s.young, map[string]json.RawMessage{}
	}
	s.young[e.Key] = e.Value
}

// open loads the log in a folder and appends to it. The log must have the same seed. It drops
// an incomplete last line, which a killed gateway leaves.
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
	lines, of := json.NewDecoder(bytes.NewReader(text)), seed
	lines.DisallowUnknownFields()
	if err == nil {
		err = lines.Decode(&of)
	}
	for err == nil {
		var e logEntry
		if err = lines.Decode(&e); err == nil {
			s.rememberEntry(e)
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("%s is damaged; choose another folder: %w", path, err)
	case of != seed:
		return fmt.Errorf(
			"data folder %s: it was made with --seed %d, not %d; use that seed or another folder", folder,
			of, seed)
	}
	if s.log = json.NewEncoder(file); len(text) == 0 {
		return s.log.Encode(seed)
	}
	return nil
}
