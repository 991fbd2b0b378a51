package compare

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

const (
	mostPieces  = 400      // of a run; longer runs are joined into longer pieces
	longestLine = 64 << 20 // bytes
	buckets     = 4200     // of a piece's distribution, each half a percent wide, from 1 µs to beyond 10 minutes
	width       = 0.005
)

// piece is what happened in one interval of a run, or in a few neighbours.
type piece struct {
	stage     int
	from, to  float64 // seconds
	sent, due int64
	answered  int64
	bad       int64
	times     [2]spread // service, response
}

// spread is a distribution: counts by bucket.
type spread map[int]int64

func bucketOf(d time.Duration) int {
	us := float64(d) / float64(time.Microsecond)
	if us <= 1 {
		return 0
	}
	return min(buckets-1, 1+int(math.Log(us)/width))
}

// bucketMS is the middle of a bucket in milliseconds.
func bucketMS(b int) float64 {
	if b == 0 {
		return 0.001
	}
	return math.Exp((float64(b)-0.5)*width) / 1000
}

func (p *piece) join(q piece) {
	p.to = q.to
	p.sent, p.due, p.answered, p.bad = p.sent+q.sent, p.due+q.due, p.answered+q.answered, p.bad+q.bad
	for i := range p.times {
		if p.times[i] == nil {
			p.times[i] = spread{}
		}
		for b, n := range q.times[i] {
			p.times[i][b] += n
		}
	}
}

// seriesLine is what is read of a line of the interval records.
type seriesLine struct {
	Interval *struct {
		FromNS  int64            `json:"from_ns"`
		ToNS    int64            `json:"to_ns"`
		Stage   int              `json:"stage"`
		Due     int64            `json:"due"`
		Sent    int64            `json:"sent"`
		Classes map[string]int64 `json:"classes"`
		Times   []struct {
			Time string `json:"time"`
			HDR  string `json:"hdr"`
		} `json:"histograms"`
	} `json:"interval"`
}

// readSeries reads the intervals of a run as far as they are whole.
func readSeries(dir string) ([]piece, error) {
	file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	bad := map[string]bool{}
	for _, c := range judge.Classes() {
		bad[c.String()] = c.Bad()
	}
	var all []piece
	var due, sent int64
	in := bufio.NewReaderSize(file, 256<<10)
	for n := 1; ; n++ {
		data, err := readLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return all, err
		}
		var l seriesLine
		if err := json.Unmarshal(data, &l); err != nil {
			if _, more := in.Peek(1); more != nil {
				break // torn off
			}
			return all, fmt.Errorf("%s, line %d: %w", runfolder.IntervalsName, n, err)
		}
		i := l.Interval
		if i == nil || i.ToNS <= i.FromNS {
			continue
		}
		p := piece{
			stage: i.Stage, from: float64(i.FromNS) / 1e9, to: float64(i.ToNS) / 1e9,
			sent: max(0, i.Sent-sent), due: max(0, i.Due-due), times: [2]spread{{}, {}},
		}
		sent, due = max(sent, i.Sent), max(due, i.Due)
		for class, count := range i.Classes {
			p.answered += count
			if bad[class] {
				p.bad += count
			}
		}
		for _, e := range i.Times {
			if e.Time != "service" && e.Time != "response" {
				continue
			}
			var h histogram.Histogram
			if err := h.Decode(e.HDR); err != nil {
				return all, fmt.Errorf("%s, line %d: %w", runfolder.IntervalsName, n, err)
			}
			to := p.times[0]
			if e.Time == "response" {
				to = p.times[1]
			}
			h.Each(func(low, high time.Duration, n int64) { to[bucketOf(low+(high-low)/2)] += n })
		}
		all = append(all, p)
		if len(all) >= 2*mostPieces*2 { // keeps memory bounded for runs of days
			all = joined(all, 2)
		}
	}
	if len(all) > mostPieces {
		all = joined(all, (len(all)+mostPieces-1)/mostPieces)
	}
	// A run's last interval, and one between two joined ones, can be a fraction of the others: its percentiles say
	// little.
	if n := len(all); n > 2 && all[n-1].stage == all[n-2].stage &&
		all[n-1].to-all[n-1].from < (all[n-2].to-all[n-2].from)/2 {
		all[n-2].join(all[n-1])
		all = all[:n-1]
	}
	return all, nil
}

// joined makes pieces of n neighbours of one stage.
func joined(all []piece, n int) []piece {
	var out []piece
	inside := 0
	for _, p := range all {
		if inside > 0 && inside < n && out[len(out)-1].stage == p.stage {
			out[len(out)-1].join(p)
			inside++
			continue
		}
		out = append(out, p)
		inside = 1
	}
	return out
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := in.ReadSlice('\n')
		whole = append(whole, part...)
		if len(whole) > longestLine {
			return nil, fmt.Errorf("%s has a line that is longer than any that is written", runfolder.IntervalsName)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}
