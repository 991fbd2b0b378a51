package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ParseShard reads I/N: shard I, from 0, of N.
func ParseShard(text string) (shard, shards int, err error) {
	i, n, ok := strings.Cut(strings.TrimSpace(text), "/")
	if ok {
		shard, err = strconv.Atoi(strings.TrimSpace(i))
	}
	if ok && err == nil {
		shards, err = strconv.Atoi(strings.TrimSpace(n))
	}
	switch {
	case !ok || err != nil:
		return 0, 0, fmt.Errorf("expected I/N such as 0/4, the first of four shards, found %q", text)
	case shards < 1 || shards > maxShards:
		return 0, 0, fmt.Errorf("expected I/N with 1 to %d shards, found %q", maxShards, text)
	case shard < 0 || shard >= shards:
		return 0, 0, fmt.Errorf("expected a shard from 0 to %d of %d, found %q; shards count from 0",
			shards-1, shards, text)
	}
	return shard, shards, nil
}

var runID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CheckRunID reports whether a text can be the ID of a run: it becomes part of file names.
func CheckRunID(id string) error {
	if !runID.MatchString(id) {
		return fmt.Errorf("expected 1 to 100 letters, digits, dots, hyphens or underscores, the first a letter or "+
			"digit, found %q", id)
	}
	return nil
}
