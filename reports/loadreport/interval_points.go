package loadreport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
)

const (
	maxPoints        = 1200    // points of a series; longer runs have longer intervals
	maxExchanges     = 60      // exchanges on the page, five of each class; the folder has all
	maxExchangeBytes = 4 << 20 // bytes of an exchange
)

// IntervalPoint is an interval of a run, or several neighbouring ones of a stage.
type IntervalPoint struct {
	From, To  float64 // seconds
	Stage     int
	Due, Sent int64
	InFlight  int64 // maximum
	CPU       float64
	Machine   float64 // CPU of all processes
	Classes   [judge.NumClasses]int64
	Times     map[threshold.TimeKind]*results.Distribution
}

// Answers returns the numbers of answered requests and of bad answers.
func (p IntervalPoint) Answers() (all, bad int64) {
	for c, n := range p.Classes {
		all += n
		if judge.Class(c).IsBad() {
			bad += n
		}
	}
	return all, bad
}

// PercentileMS returns a percentile of a time in milliseconds; NaN: nothing was measured.
func (p IntervalPoint) PercentileMS(of threshold.TimeKind, percentile float64) float64 {
	if d := p.Times[of]; d.Count() > 0 {
		return milliseconds(d.Quantile(percentile))
	}
	return math.NaN()
}

func (p IntervalPoint) perSecond(n int64) float64 { return float64(n) / (p.To - p.From) }

// joinPoints joins neighbouring points.
func joinPoints(list ...IntervalPoint) IntervalPoint {
	all := IntervalPoint{
		From: list[0].From, Stage: list[0].Stage, Times: map[threshold.TimeKind]*results.Distribution{},
	}
	for _, p := range list {
		before, length := p.From-all.From, p.To-p.From
		all.CPU = (all.CPU*before + p.CPU*length) / (before + length)
		all.Machine = (all.Machine*before + p.Machine*length) / (before + length)
		all.To, all.Due, all.Sent, all.InFlight = p.To, all.Due+p.Due, all.Sent+p.Sent,
			max(all.InFlight, p.InFlight)
		for c, n := range p.Classes {
			all.Classes[c] += n
		}
		for of, d := range p.Times {
			if all.Times[of] == nil {
				all.Times[of] = new(results.Distribution)
			}
			all.Times[of].Add(d)
		}
	}
	return all
}

// Downsample joins every n neighbouring points of a stage.
func Downsample(list []IntervalPoint, n int) (shorter []IntervalPoint) {
	for len(list) > 0 {
		next := 1
		for next < min(n, len(list)) && list[next].Stage == list[0].Stage {
			next++
		}
		shorter = append(shorter, joinPoints(list[:next]...))
		list = list[next:]
	}
	return shorter
}

// RunData is the data of a run's page that run.json does not have.
type RunData struct {
	Points    []IntervalPoint
	Exchanges []results.Exchange
	More      int // number of exchanges not shown
}

// ReadRunData reads the data of a page from a run's folder. With an error, it returns what was
// readable.
func ReadRunData(dir string) (d RunData, err error) {
	var due, sent int64
	read := results.EachInterval(dir, func(i *results.Interval) {
		d.Points = append(d.Points, IntervalPoint{
			From: i.From.Seconds(), To: i.To.Seconds(), Stage: i.Stage, Due: max(0, i.Due-due),
			Sent: max(0, i.Sent-sent), InFlight: i.InFlight, CPU: i.CPU, Machine: i.Machine.CPU,
			Classes: i.Classes(), Times: map[threshold.TimeKind]*results.Distribution{},
		})
		for _, name := range threshold.TimeNames() {
			d.Points[len(d.Points)-1].Times[name] = i.Distribution(name)
		}
		// limits the memory of runs of several days
		if due, sent = max(due, i.Due), max(sent, i.Sent); len(d.Points) == 2*maxPoints {
			d.Points = Downsample(d.Points, 2)
		}
	})
	if len(d.Points) > maxPoints {
		d.Points = Downsample(d.Points, 2)
	}
	// The last interval may be too short for meaningful rates and percentiles.
	if n := len(d.Points); n > 2 {
		last, before := d.Points[n-1], d.Points[n-2]
		if last.Stage == before.Stage && last.To-last.From < (before.To-before.From)/2 {
			d.Points = append(d.Points[:n-2], joinPoints(before, last))
		}
	}
	return d, errors.Join(read, d.readExchanges(dir))
}

func (d RunData) line(s plot.Series, of func(IntervalPoint) float64) plot.Series {
	s.Values = valuesOf(d.Points, of)
	return s
}

func valuesOf[T any](list []T, of func(T) float64) plot.Values {
	values := make(plot.Values, len(list))
	for i, one := range list {
		values[i] = of(one)
	}
	return values
}

func (d *RunData) readExchanges(dir string) error {
	file, err := runfolder.OpenBounded(filepath.Join(dir, results.ExchangesName),
		runfolder.MaxProofBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	from := &runfolder.LimitedReader{From: file}
	decoder := json.NewDecoder(from)
	perClass := map[string]int{}
	for {
		from.Remaining = maxExchangeBytes
		var x results.Exchange
		if err := decoder.Decode(&x); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return fmt.Errorf("%s: %w", results.ExchangesName, err)
		}
		if perClass[x.Class]++; perClass[x.Class] > 5 || len(d.Exchanges) >= maxExchanges {
			d.More++
			continue
		}
		d.Exchanges = append(d.Exchanges, x)
	}
}
