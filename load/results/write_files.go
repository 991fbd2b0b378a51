package results

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// writeResults makes histograms.hlog, series.csv and run.json from the intervals. It writes
// run.json last: if that exists, so do the others.
func writeResults(dir string, run Run) error {
	errs := []error{
		runfolder.ReplaceFile(dir, HistogramName, 0o644,
			func(w io.Writer) error { return writeHistogramLog(dir, w, run.Run) }),
		runfolder.ReplaceFile(dir, SeriesName, 0o644,
			func(w io.Writer) error { return writeSeries(dir, w) }),
	}
	data, err := run.JSON()
	if err == nil {
		err = runfolder.WriteAtomic(dir, runfolder.RunName, data)
	}
	return errors.Join(append(errs, err)...)
}

// writeHistogramLog writes histograms.hlog, an HdrHistogram log with a line for each interval
// and tag. Line times are in seconds from the start of the run, values in nanoseconds. If a
// stage ends within an interval, a tag has two lines.
func writeHistogramLog(dir string, w io.Writer, info RunInfo) error {
	log := hdr.NewHistogramLogWriter(w)
	start := float64(info.StartedAt.UnixMilli()) / 1000
	_ = log.OutputComment("[gateassay load run " + info.ID + ", times in nanoseconds]")
	_ = log.OutputLogFormatVersion()
	fmt.Fprintf(w, "#[StartTime: %.3f (seconds since epoch), %s]\n", start,
		info.StartedAt.UTC().Format(time.RFC3339))
	fmt.Fprintf(w, "#[BaseTime: %.3f (seconds since epoch)]\n", start)
	_ = log.OutputLegend() // the caller sees errors when it closes the file
	r := &intervalRecord{dir: dir}
	for i := range r.intervals {
		for _, m := range i.Times.records() {
			tag := string(m.Time)
			if m.Class != "" {
				tag += ":" + m.Class
			}
			text, err := m.HDR.MarshalText()
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "Tag=%s,%.3f,%.3f,%.3f,%s\n", tag, i.From.Seconds(),
				(i.To - i.From).Seconds(), m.MaxMS, text)
		}
	}
	return r.err()
}

// seriesRow returns the column names and a row of series.csv. Times are in milliseconds; values
// that were not measured are empty.
func seriesRow(i, before *Interval) (columns, values []string) {
	add := func(column string, value any) {
		columns, values = append(columns, column), append(values, fmt.Sprint(value))
	}
	rate := func(n int64) float64 { return perSecond(n, i.To-i.From) }
	add("seconds", i.To.Seconds())
	add("stage", i.Stage)
	add("target_rate", rate(i.Due-before.Due))
	add("achieved_rate", rate(i.Sent-before.Sent))
	add("due", i.Due)
	add("sent", i.Sent)
	add("in_flight", i.InFlight)
	for class, n := range i.Times.countByClass() {
		add(judge.Class(class).String(), n)
	}
	add("canceled", i.Canceled)
	for _, t := range threshold.TimeNames() {
		d := i.Times.overStages(t, "")
		times := newDurationStats(d)
		for _, s := range statistics {
			value := any("")
			if d.Count() > 0 {
				value = *s.Of(&times)
			}
			add(string(t)+"_"+s.Column+"_ms", value)
		}
	}
	add("cpu", i.CPU)
	add("machine_cpu", i.Machine.CPU)
	add("cpu_wait", i.Machine.Wait)
	add("run_queue", i.Machine.RunQueue)
	for n, column := range []string{"files_ready", "files_failed", "files_dropped"} {
		value := any("")
		if f := i.Files; f != nil {
			value = []int64{f.Ready, f.Failed, f.Dropped}[n]
		}
		add(column, value)
	}
	return columns, values
}

func writeSeries(dir string, w io.Writer) error {
	r, rows, before := &intervalRecord{dir: dir}, csv.NewWriter(w), &Interval{}
	columns, _ := seriesRow(before, before)
	_ = rows.Write(columns) // rows.Error returns the error
	for i := range r.intervals {
		_, values := seriesRow(i, before)
		if before = i; rows.Write(values) != nil {
			break
		}
	}
	rows.Flush()
	return cmp.Or(r.err(), rows.Error())
}
