package loadreport

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
)

// mostPoints bounds the points of a plot; longer runs are drawn in longer intervals.
const mostPoints = 1200

// mostExchanges bounds the exchanges on the page; all are in the folder.
const mostExchanges = 60

// What files of a stranger may hold, which is more than a run writes.
const (
	largest  = 4 << 20 // bytes of a row, an exchange or a histogram
	mostTags = 100     // of histograms
)

// Data is what the page shows beside run.json.
type Data struct {
	Seconds  []float64 // end of each interval
	Target   []float64
	Achieved []float64
	InFlight []float64
	CPU      []float64               // percent
	Classes  map[string][]*float64   // per second, those that occur
	Times    map[string][]*float64   // milliseconds by column of series.csv; nil: nothing measured
	Joined   int                     // intervals in one point
	Quantile map[string][][2]float64 // by time: 1/(1-p) and milliseconds

	Exchanges []results.Exchange
	More      int // exchanges that are not shown
}

// drawn are the columns of series.csv that are drawn. Where intervals are joined, the worst stands for all.
var drawn = []string{
	"response_p50_ms", "response_p90_ms", "response_p99_ms", "response_p99_9_ms", "response_max_ms",
	"service_p50_ms", "service_p90_ms", "service_p99_ms", "service_p99_9_ms", "service_max_ms",
	"lag_p50_ms", "lag_p99_ms", "lag_max_ms", "file_p50_ms", "file_p95_ms", "file_max_ms",
}

// Read collects what the page needs from the folder of a run. With an error comes what could be read.
func Read(dir string) (Data, error) {
	d := Data{
		Classes: map[string][]*float64{}, Times: map[string][]*float64{},
		Quantile: map[string][][2]float64{}, Joined: 1,
	}
	return d, errors.Join(d.series(dir), d.quantiles(dir), d.exchanges(dir))
}

// source opens a file of the folder. Where it is missing, as after kill -9, its text is made from the interval records.
func source(dir, name string, from func(io.Writer) error) (io.ReadCloser, error) {
	file, err := runfolder.Open(filepath.Join(dir, name), runfolder.LargestStream)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if _, without := os.Stat(filepath.Join(dir, runfolder.IntervalsName)); without != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(from(w)) }()
	return r, nil
}

// series reads series.csv row by row: a run of days has more of them than need to be in memory.
func (d *Data) series(dir string) error {
	open := func() (io.ReadCloser, error) {
		return source(dir, results.SeriesName, func(w io.Writer) error { return results.Series(dir, w) })
	}
	file, err := open()
	if err != nil {
		return err
	}
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		count++
	}
	file.Close()
	d.Joined = max(1, (count-1+mostPoints-1)/mostPoints)
	if file, err = open(); err != nil {
		return err
	}
	defer file.Close()
	err = d.rows(&runfolder.Ration{From: file, Left: largest})
	for name, values := range d.Classes {
		if !slices.ContainsFunc(values, func(v *float64) bool { return *v > 0 }) {
			delete(d.Classes, name)
		}
	}
	for name, values := range d.Times {
		if !slices.ContainsFunc(values, func(v *float64) bool { return v != nil }) {
			delete(d.Times, name)
		}
	}
	return err
}

// rows joins the rows into points. What was read before an error stays.
func (d *Data) rows(from *runfolder.Ration) error {
	rows := csv.NewReader(bufio.NewReader(from))
	rows.ReuseRecord = true
	head, err := rows.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", results.SeriesName, err)
	}
	p := point{column: map[string]int{}}
	for i, name := range head {
		p.column[strings.Clone(name)] = i
	}
	for {
		from.Left = largest
		row, err := rows.Read()
		if err != nil {
			if p.rows > 0 {
				d.add(&p)
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("%s: %w", results.SeriesName, err)
		}
		to, known := p.cell(row, "seconds")
		if !known || !(to > p.end) || math.IsInf(to, 0) {
			continue
		}
		if p.rows >= d.Joined && !p.sliver(to) {
			d.add(&p)
		}
		p.add(row, to)
	}
}

// point is the rows that make one point of the plots.
type point struct {
	column     map[string]int
	rows       int
	start, end float64 // seconds

	target, achieved, cpu float64 // summed over time
	flight                float64
	worst                 map[string]*float64
	counts                [judge.NumClasses]float64
}

func (p *point) cell(row []string, name string) (float64, bool) {
	i, known := p.column[name]
	if !known {
		return 0, false
	}
	v, err := strconv.ParseFloat(row[i], 64)
	return v, err == nil
}

// sliver reports whether an interval is so short that its rates would say nothing, as the last of a run may be.
func (p *point) sliver(to float64) bool { return to-p.end < 0.2*(p.end-p.start)/float64(p.rows) }

func (p *point) add(row []string, to float64) {
	if p.rows == 0 {
		p.worst = map[string]*float64{}
	}
	p.rows++
	span := to - p.end
	p.end = to
	for name, sum := range map[string]*float64{"target_rate": &p.target, "achieved_rate": &p.achieved, "cpu": &p.cpu} {
		v, _ := p.cell(row, name)
		*sum += v * span
	}
	v, _ := p.cell(row, "in_flight")
	p.flight = max(p.flight, v)
	for _, name := range drawn {
		if v, ok := p.cell(row, name); ok && (p.worst[name] == nil || v > *p.worst[name]) {
			p.worst[name] = &v
		}
	}
	for c := range p.counts {
		v, _ := p.cell(row, judge.Class(c).String())
		p.counts[c] += v
	}
}

// add draws the point and makes room for the next.
func (d *Data) add(p *point) {
	if span := p.end - p.start; span > 0 {
		d.Seconds = append(d.Seconds, p.end)
		d.Target, d.Achieved = append(d.Target, p.target/span), append(d.Achieved, p.achieved/span)
		d.CPU, d.InFlight = append(d.CPU, 100*p.cpu/span), append(d.InFlight, p.flight)
		for _, name := range drawn {
			d.Times[name] = append(d.Times[name], p.worst[name])
		}
		for c, n := range p.counts {
			rate, name := n/span, judge.Class(c).String()
			d.Classes[name] = append(d.Classes[name], &rate)
		}
	}
	*p = point{column: p.column, start: p.end, end: p.end}
}

// quantiles merges the histograms of the whole run and reads them on the scale of HdrHistogram's plots: evenly in the
// logarithm of 1/(1-p).
func (d *Data) quantiles(dir string) error {
	file, err := source(dir, results.HistogramName,
		func(w io.Writer) error { return results.Log(dir, w, results.Info{}) })
	if err != nil {
		return err
	}
	defer file.Close()
	merged := map[string]*results.Distribution{}
	lines := bufio.NewScanner(file)
	for lines.Buffer(nil, largest); lines.Scan(); {
		line, tagged := bytes.CutPrefix(lines.Bytes(), []byte("Tag="))
		if !tagged {
			continue
		}
		if tag, rest, ok := strings.Cut(string(line), ","); ok {
			name, _, _ := strings.Cut(tag, ":")
			fields := strings.Split(strings.TrimSpace(rest), ",")
			if merged[name] == nil && len(merged) == mostTags {
				return fmt.Errorf("%s: more than %d tags", results.HistogramName, mostTags)
			}
			found := new(results.Distribution)
			if err := found.UnmarshalText([]byte(fields[len(fields)-1])); err != nil {
				return fmt.Errorf("%s: %w", results.HistogramName, err)
			}
			if merged[name] == nil {
				merged[name] = new(results.Distribution)
			}
			merged[name].Add(found)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", results.HistogramName, err)
	}
	for name, h := range merged {
		n := float64(h.Count())
		if n == 0 {
			continue
		}
		const perDecade = 20
		for i := 0; ; i++ {
			factor := pow10(float64(i) / perDecade) // 1/(1-p)
			if factor >= n {
				break
			}
			d.Quantile[name] = append(d.Quantile[name],
				[2]float64{factor, milliseconds(h.Quantile(100 * (1 - 1/factor)))})
		}
		d.Quantile[name] = append(d.Quantile[name], [2]float64{n, milliseconds(h.Quantile(100))})
	}
	return nil
}

func (d *Data) exchanges(dir string) error {
	file, err := runfolder.Open(filepath.Join(dir, results.ExchangesName), runfolder.LargestProof)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	from := &runfolder.Ration{From: file}
	decoder := json.NewDecoder(from)
	perClass := map[string]int{}
	for {
		from.Left = largest
		var x results.Exchange
		if err := decoder.Decode(&x); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return fmt.Errorf("%s: %w", results.ExchangesName, err)
		}
		if perClass[x.Class]++; perClass[x.Class] > 5 || len(d.Exchanges) >= mostExchanges {
			d.More++
			continue
		}
		d.Exchanges = append(d.Exchanges, x)
	}
}
