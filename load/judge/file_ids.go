package judge

import (
	"hash/maphash"
	"sync"
)

// maxRecentIDs limits memory: an older file ID may be forgotten.
const maxRecentIDs = 1 << 16

// fileIDs remembers the recent file IDs.
type fileIDs struct {
	seed maphash.Seed

	mu            sync.Mutex
	recent, older map[uint64]struct{} // hashes
}

// add remembers an ID and reports whether it came before.
func (f *fileIDs) add(id []byte) (again bool) {
	hash := maphash.Bytes(f.seed, id)
	f.mu.Lock()
	defer f.mu.Unlock()
	_, recent := f.recent[hash]
	_, older := f.older[hash]
	if f.recent[hash] = struct{}{}; len(f.recent) >= maxRecentIDs {
		f.recent, f.older = map[uint64]struct{}{}, f.recent
	}
	return recent || older
}
