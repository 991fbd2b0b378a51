package browse

import (
	"html/template"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

func functions() template.FuncMap {
	return template.FuncMap{
		"utc": moment,
		"took": func(r Run) string {
			if d := r.Finished.Sub(r.Started); d > 0 && !r.Finished.IsZero() {
				return d.Round(time.Second).String()
			}
			return "unknown"
		},
		"tone":    digest.Tone,
		"word":    word,
		"ms":      plot.Milliseconds.Say,
		"rate":    plot.PerSecond.Say,
		"share":   share,
		"gist":    gist,
		"sign":    sign,
		"day":     func(t time.Time) string { return t.UTC().Format("01-02") },
		"clock":   func(t time.Time) string { return t.UTC().Format("15:04") },
		"ruled":   digest.Word,
		"base":    base,
		"percent": func(v float64) string { return strconv.FormatFloat(100*v, 'g', 4, 64) + "%" },
	}
}

func moment(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

func word(s string) string {
	return strings.ReplaceAll(printable.Clean(printable.Clip(s, 60)), "_", " ")
}

// base is what a run is called: the last part of its path.
func base(p string) string {
	if p == "." {
		return "this folder"
	}
	name := path.Base(p)
	if name == mergedName && path.Dir(p) != "." { // all merged runs are called that
		name = path.Join(path.Base(path.Dir(p)), name)
	}
	return printable.Clean(archive.Stem(name))
}

// mergedName is what shards are merged to, by custom.
const mergedName = "merged"

// sign is the verdict of a rule in one character, for a narrow column.
func sign(v record.Verdict) string {
	if s, known := map[record.Verdict]string{
		record.Pass: "✓", record.Fail: "✗", record.Warned: "!", record.Waived: "w", "": " ",
	}[v]; known {
		return s
	}
	return "?"
}

// gist says in few words what a run found.
func gist(r Run) string {
	switch r.Kind {
	case recorded.OfConformance:
		rest := r.Counts
		rest.Pass, rest.Observed = 0, 0
		return strings.TrimSuffix(strconv.Itoa(r.Counts.Pass)+" passed, "+digest.InWords(digest.Tallies(rest)), ", ")
	case recorded.OfLoad:
		if r.Unmerged() {
			return digest.Quantity(len(r.Parts), "shard") + " of " + strconv.Itoa(r.Shards) + ", not merged"
		}
		if r.Requests.Sent == 0 {
			return "nothing sent"
		}
		text := "p99 " + plot.Milliseconds.Say(r.Latency.Response.P99) + " at " + plot.PerSecond.Say(r.Rate.Achieved)
		if n := r.Missed(); n > 0 {
			text += ", " + digest.Quantity(n, "threshold") + " missed"
		}
		return text
	case recorded.OfCapacity:
		switch {
		case r.Underway():
			return digest.Quantity(r.Probes, "probe") + " so far"
		case r.Unfinished:
			return "cut off after " + digest.Quantity(r.Probes, "probe")
		case r.Capacity > 0:
			return plot.PerSecond.Say(r.Capacity)
		}
		return "none found"
	}
	if r.Pending {
		return "not read yet"
	}
	return printable.Clean(printable.Clip(r.Trouble, 1000))
}

func share(n, of int64) string {
	if of <= 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'g', 3, 64) + " %"
}
