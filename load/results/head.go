package results

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// Head reads of which run, and of which of its shards, the record in a folder is; false: its first line is not there
// yet, or cannot be read.
func Head(dir string) (Info, bool) {
	file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
	if err != nil {
		return Info{}, false
	}
	defer file.Close()
	text, err := bufio.NewReader(io.LimitReader(file, longestLine)).ReadBytes('\n')
	var l line
	var r reading
	if err != nil || json.Unmarshal(text, &l) != nil || r.take(l) != nil || r.totals == nil {
		return Info{}, false
	}
	return r.totals.head.Run, true
}
