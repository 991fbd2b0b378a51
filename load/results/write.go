package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
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
// in seconds from the start of the run and values in nanoseconds. Tags are service:CLASS, response:CLASS, lag and file; lines of one tag and interval, where a
// stage ends within it, add up.
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
	return eachInterval(dir, func(i *interval) error {
		for _, e := range i.Times {
			tag := e.Time
			if e.Class != "" {
				tag += ":" + e.Class
			}
			_, err := fmt.Fprintf(w, "Tag=%s,%.3f,%.3f,%.3f,%s\n", tag, float64(i.FromNS)/1e9, float64(i.ToNS-i.FromNS)/1e9, e.MaxMS, e.HDR)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Series writes series.csv, one row for each interval, from the interval records alone. Times are in milliseconds and
// empty where nothing was measured.
func Series(dir string, w io.Writer) error {
	rows := csv.NewWriter(w)
	head := []string{"seconds", "stage", "target_rate", "achieved_rate", "due", "sent", "in_flight"}
	for c := range judge.NumClasses {
		head = append(head, judge.Class(c).String())
	}
	head = append(head, "canceled")
	for _, time := range []string{serviceTime, responseTime, lagTime, fileTime} {
		for _, stat := range []string{"p50", "p90", "p95", "p99", "p99_9", "max", "mean"} {
			head = append(head, time+"_"+stat+"_ms")
		}
	}
	head = append(head, "cpu", "files_ready", "files_failed", "files_dropped")
	if err := rows.Write(head); err != nil {
		return err
	}
	var before interval
	var recorded int64
	err := eachInterval(dir, func(i *interval) error {
		for _, n := range i.Classes {
			recorded += n
		}
		recorded += i.Canceled
		i.Sent = max(i.Sent, recorded)
		span := time.Duration(i.ToNS - i.FromNS)
		row := []string{
			number(float64(i.ToNS) / 1e9), strconv.Itoa(i.Stage), number(perSecond(i.Due-before.Due, span)),
			number(perSecond(i.Sent-before.Sent, span)), fmt.Sprint(i.Due), fmt.Sprint(i.Sent), fmt.Sprint(i.InFlight),
		}
		for c := range judge.NumClasses {
			row = append(row, fmt.Sprint(i.Classes[judge.Class(c).String()]))
		}
		row = append(row, fmt.Sprint(i.Canceled))
		for _, t := range []*Times{i.Service, i.Response, i.Lag, i.File} {
			if t == nil {
				row = append(row, slices.Repeat([]string{""}, 7)...)
				continue
			}
			for _, v := range []float64{t.P50, t.P90, t.P95, t.P99, t.P999, t.Max, t.Mean} {
				row = append(row, number(v))
			}
		}
		row = append(row, number(i.CPU))
		if i.Files != nil {
			row = append(row, fmt.Sprint(i.Files.Ready), fmt.Sprint(i.Files.Failed), fmt.Sprint(i.Files.Dropped))
		} else {
			row = append(row, "", "", "")
		}
		before = *i
		return rows.Write(row)
	})
	rows.Flush()
	return errors.Join(err, rows.Error())
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
