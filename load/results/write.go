package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// write makes histograms.hlog and series.csv from the intervals, then run.json, which thus stands for all of them.
func write(dir string, run Run) error {
	errs := []error{
		runfolder.Replace(dir, HistogramName, 0o644, func(w io.Writer) error { return Log(dir, w, run.Run) }),
		runfolder.Replace(dir, SeriesName, 0o644, func(w io.Writer) error { return Series(dir, w) }),
	}
	data, err := run.JSON()
	if err == nil {
		err = runfolder.WriteAtomic(dir, runfolder.RunName, data)
	}
	return errors.Join(append(errs, err)...)
}

// Log writes histograms.hlog, an HdrHistogram log, from the interval records alone: one line for each interval and tag,
// in seconds from the start of the run and values in nanoseconds. Tags are service:CLASS, response:CLASS, lag and file;
// lines of one tag and interval, where a stage ends within it, add up.
func Log(dir string, w io.Writer, info Info) error {
	log := hdr.NewHistogramLogWriter(w)
	start := float64(info.StartedAt.UnixMilli()) / 1000
	_ = log.OutputComment("[gateassay load run " + info.ID + ", times in nanoseconds]")
	_ = log.OutputLogFormatVersion()
	fmt.Fprintf(w, "#[StartTime: %.3f (seconds since epoch), %s]\n", start, info.StartedAt.UTC().Format(time.RFC3339))
	fmt.Fprintf(w, "#[BaseTime: %.3f (seconds since epoch)]\n", start)
	if err := log.OutputLegend(); err != nil {
		return err
	}
	for l, err := range lines[logged](dir) {
		if errors.As(err, new(*fs.PathError)) {
			return err
		}
		for _, e := range l.Interval.Histograms {
			tag := string(e.Time)
			if e.Class != "" {
				tag += ":" + e.Class
			}
			from, length := float64(l.Interval.FromNS)/1e9, float64(l.Interval.ToNS-l.Interval.FromNS)/1e9
			if _, err := fmt.Fprintf(w, "Tag=%s,%.3f,%.3f,%.3f,%s\n", tag, from, length, e.MaxMS, e.HDR); err != nil {
				return err
			}
		}
	}
	return nil
}

// logged is what a log needs of a line: histograms go into it as they were recorded.
type logged struct {
	Interval struct {
		FromNS     int64 `json:"from_ns"`
		ToNS       int64 `json:"to_ns"`
		Histograms []struct {
			slot
			MaxMS float64 `json:"max_ms"`
			HDR   string  `json:"hdr"`
		} `json:"histograms"`
	} `json:"interval"`
}

// cell is one of series.csv; no value: not measured.
type cell struct {
	column string
	value  any
}

// row is what series.csv says of an interval; times are in milliseconds.
func row(i, before *interval) []cell {
	rate := func(n int64) float64 { return perSecond(n, time.Duration(i.ToNS-i.FromNS)) }
	cells := []cell{
		{"seconds", float64(i.ToNS) / 1e9},
		{"stage", i.Stage},
		{"target_rate", rate(i.Due - before.Due)},
		{"achieved_rate", rate(i.Sent - before.Sent)},
		{"due", i.Due},
		{"sent", i.Sent},
		{"in_flight", i.InFlight},
	}
	for class, n := range i.Times.classes() {
		cells = append(cells, cell{judge.Class(class).String(), n})
	}
	cells = append(cells, cell{"canceled", i.Canceled})
	for _, t := range threshold.Names() {
		d := i.Times.of(t, "")
		for _, s := range statistics {
			c := cell{column: string(t) + "_" + s.Column + "_ms"}
			if d.Count() > 0 {
				c.value = s.in(d)
			}
			cells = append(cells, c)
		}
	}
	cells = append(cells, cell{"cpu", i.CPU})
	if f := i.Files; f != nil {
		return append(cells, cell{"files_ready", f.Ready}, cell{"files_failed", f.Failed}, cell{"files_dropped", f.Dropped})
	}
	return append(cells, cell{column: "files_ready"}, cell{column: "files_failed"}, cell{column: "files_dropped"})
}

// Series writes series.csv, one row for each interval, from the interval records alone.
func Series(dir string, w io.Writer) error {
	rows := csv.NewWriter(w)
	var head []string
	for _, c := range row(&interval{}, &interval{}) {
		head = append(head, c.column)
	}
	if err := rows.Write(head); err != nil {
		return err
	}
	var before interval
	var recorded int64
	for i, err := range intervals(dir) {
		if err != nil {
			return err
		}
		recorded += i.Times.count() + i.Canceled
		i.Sent = max(i.Sent, recorded)
		var texts []string
		for _, c := range row(i, &before) {
			text := ""
			if c.value != nil {
				text = fmt.Sprint(c.value)
			}
			texts = append(texts, text)
		}
		before = *i
		if err := rows.Write(texts); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}
