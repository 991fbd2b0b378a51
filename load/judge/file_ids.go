package judge

import (
	"hash/maphash"
	"sync"
)

// maxRecentIDs limits memory: an older file ID may be forgotten.
const maxRecentIDs = 1 << 16

// fileIDs counts the file IDs that came before, among the recent ones.
type fileIDs struct {
	seed maphash.Seed

	mu            sync.Mutex
	recent, older map[uint64]struct{} // hashes
	again         int64
}

func (f *fileIDs) add(id []byte) {
	hash := maphash.Bytes(f.seed, id)
	f.mu.Lock()
	defer f.mu.Unlock()
	_, recent := f.recent[hash]
	if _, older := f.older[hash]; recent || older {
		f.again++
	}
	if f.recent[hash] = struct{}{}; len(f.recent) >= maxRecentIDs {
		f.recent, f.older = map[uint64]struct{}{}, f.recent
	}
}

// FileIDsGivenAgain returns how many fresh requests were accepted with a file ID that an earlier
// one had been given.
func (j *Judge) FileIDsGivenAgain() int64 {
	j.fileIDs.mu.Lock()
	defer j.fileIDs.mu.Unlock()
	return j.fileIDs.again
}
