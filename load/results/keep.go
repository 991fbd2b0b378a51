package results

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
)

// keptExchange is an exchange as a shard wrote it.
type keptExchange struct {
	K     int64     `json:"k"`
	Class string    `json:"class"`
	At    time.Time `json:"at"`
	text  []byte
}

// mergeExchanges keeps the first exchanges of each bad class of all shards. What was found out by looking at several
// shards comes before: no shard knows of it. It gives notes on what cannot be kept.
func mergeExchanges(o MergeOptions, moves []move) ([]string, error) {
	var all []keptExchange
	var notes []string
	for _, m := range moves {
		if len(all) == keptEach {
			break
		}
		x := m.evidence(o.Shards, o.Info)
		data, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		all = append(all, keptExchange{K: x.K, Class: x.Class, At: x.At, text: data})
	}
	found := len(all)
	more := map[string]bool{}
	for _, s := range o.Shards {
		list, err := readExchanges(s.Dir)
		if err != nil {
			notes = append(notes, fmt.Sprintf("shard %d: not all of %s could be read: %v",
				s.Info.Shard, ExchangesName, err))
		}
		all = append(all, list...)
	}
	slices.SortStableFunc(all[found:], func(a, b keptExchange) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.K, b.K))
	})
	taken := map[string]int{}
	kept := all[:0]
	for _, x := range all {
		if taken[x.Class] == keptEach {
			more[x.Class] = true
			continue
		}
		taken[x.Class]++
		kept = append(kept, x)
	}
	for _, c := range judge.Classes() {
		if class := c.String(); more[class] {
			notes = append(notes, fmt.Sprintf("%s: the first %d exchanges are in %s, more in the folders of the shards",
				class, keptEach, ExchangesName))
		}
	}
	if len(kept) == 0 {
		return notes, nil
	}
	return notes, runfolder.Replace(o.Dir, ExchangesName, 0o600, func(w io.Writer) error {
		for _, x := range kept {
			if _, err := w.Write(append(x.text, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}

// readExchanges reads what a shard kept; a last line that was torn off is left out. There may be no such file.
func readExchanges(dir string) ([]keptExchange, error) {
	file, err := runfolder.Open(filepath.Join(dir, ExchangesName), runfolder.LargestProof)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []keptExchange
	taken := map[string]int{}
	in := bufio.NewReaderSize(file, 64<<10)
	for n := 1; ; n++ {
		data, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		var x keptExchange
		if err := json.Unmarshal(data, &x); err != nil {
			return list, fmt.Errorf("line %d: %w", n, err)
		}
		if _, known := judge.ClassNamed(x.Class); known && taken[x.Class] < keptEach {
			taken[x.Class]++
			x.text = slices.Clone(data[:len(data)-1])
			list = append(list, x)
		}
	}
}
