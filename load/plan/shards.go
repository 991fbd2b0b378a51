package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ParseShard reads I/N: shard I, from 0, of N.
func ParseShard(text string) (shard, shards int, err error) {
	i, n, _ := strings.Cut(strings.TrimSpace(text), "/")
	shard, wrong := strconv.Atoi(i)
	shards, err = strconv.Atoi(n)
	if wrong != nil || err != nil || shards > maxShards || shard < 0 || shard >= shards {
		return 0, 0, fmt.Errorf("expected I/N such as 0/4, the first of four shards, found %q; shards count from 0, and there "+
			"are at most %d", text, maxShards)
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
