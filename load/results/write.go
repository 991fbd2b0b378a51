package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/files"
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
	for i, err := range intervals(dir) {
		if err != nil {
			return err
		}
		for _, e := range i.Histograms {
			tag := string(e.Time)
			if e.Class != "" {
				tag += ":" + e.Class
			}
			if _, err := fmt.Fprintf(w, "Tag=%s,%.3f,%.3f,%.3f,%s\n", tag, float64(i.FromNS)/1e9,
				float64(i.ToNS-i.FromNS)/1e9, e.MaxMS, e.HDR); err != nil {
				return err
			}
		}
	}
	return nil
}

// column is one of series.csv: a count or a figure; nil: not measured.
type column struct {
	name string
	of   func(i, before *interval) any
}

// columns of series.csv. Times are in milliseconds.
func seriesColumns() []column {
	rate := func(n int64, i *interval) any { return perSecond(n, time.Duration(i.ToNS-i.FromNS)) }
	list := []column{
		{"seconds", func(i, _ *interval) any { return float64(i.ToNS) / 1e9 }},
		{"stage", func(i, _ *interval) any { return int64(i.Stage) }},
		{"target_rate", func(i, before *interval) any { return rate(i.Due-before.Due, i) }},
		{"achieved_rate", func(i, before *interval) any { return rate(i.Sent-before.Sent, i) }},
		{"due", func(i, _ *interval) any { return i.Due }},
		{"sent", func(i, _ *interval) any { return i.Sent }},
		{"in_flight", func(i, _ *interval) any { return i.InFlight }},
	}
	for _, c := range judge.Classes() {
		list = append(list, column{c.String(), func(i, _ *interval) any { return i.Classes[c.String()] }})
	}
	list = append(list, column{"canceled", func(i, _ *interval) any { return i.Canceled }})
	for _, t := range threshold.Names() {
		for _, s := range statistics {
			list = append(list, column{string(t) + "_" + s.Column + "_ms", func(i, _ *interval) any {
				if times := *i.of(t); times != nil {
					return *s.Of(times)
				}
				return nil
			}})
		}
	}
	followed := func(n func(*files.Counts) int64) func(i, _ *interval) any {
		return func(i, _ *interval) any {
			if i.Files == nil {
				return nil
			}
			return n(i.Files)
		}
	}
	return append(list,
		column{"cpu", func(i, _ *interval) any { return i.CPU }},
		column{"files_ready", followed(func(f *files.Counts) int64 { return f.Ready })},
		column{"files_failed", followed(func(f *files.Counts) int64 { return f.Failed })},
		column{"files_dropped", followed(func(f *files.Counts) int64 { return f.Dropped })},
	)
}

// Series writes series.csv, one row for each interval, from the interval records alone.
func Series(dir string, w io.Writer) error {
	rows := csv.NewWriter(w)
	columns := seriesColumns()
	row := make([]string, len(columns))
	for n, c := range columns {
		row[n] = c.name
	}
	if err := rows.Write(row); err != nil {
		return err
	}
	var before interval
	var recorded int64
	for i, err := range intervals(dir) {
		if err != nil {
			return err
		}
		for _, n := range i.Classes {
			recorded += n
		}
		recorded += i.Canceled
		i.Sent = max(i.Sent, recorded)
		for n, c := range columns {
			switch v := c.of(i, &before).(type) {
			case int64:
				row[n] = strconv.FormatInt(v, 10)
			case float64:
				row[n] = strconv.FormatFloat(v, 'f', -1, 64)
			default:
				row[n] = ""
			}
		}
		before = *i
		if err := rows.Write(row); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}
