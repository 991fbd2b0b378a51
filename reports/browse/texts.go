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
)

func functions() template.FuncMap {
	return template.FuncMap{
		"moment": func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.UTC().Format("2006-01-02 15:04 UTC")
		},
		"tone": digest.Tone, "gist": gist, "base": base,
		"word": func(s string) string { return strings.ReplaceAll(printable.Clean(printable.Clip(s, 60)), "_", " ") },
	}
}

// base is what a run is called: the last part of its path.
func base(p string) string {
	if p == "." {
		return "this folder"
	}
	name := path.Base(p)
	if name == "merged" && path.Dir(p) != "." { // all merged runs are called that
		name = path.Join(path.Base(path.Dir(p)), name)
	}
	if archive.Is(name) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return printable.Clean(name)
}

// gist says in few words what a run found.
func gist(r Run) string {
	switch r.Kind {
	case recorded.OfConformance:
		rest := r.Counts
		rest.Pass, rest.Observed = 0, 0
		return strings.TrimSuffix(strconv.Itoa(r.Counts.Pass)+" passed, "+digest.InWords(digest.Tallies(rest)), ", ")
	case recorded.OfLoad:
		if r.Sent == 0 {
			return "nothing sent"
		}
		text := "p99 " + plot.Milliseconds.Say(r.Latency.Response.P99) + " at " + plot.PerSecond.Say(r.Rate.Achieved)
		if r.Missed > 0 {
			text += ", " + digest.Quantity(r.Missed, "threshold") + " missed"
		}
		if r.Shard != "" {
			text = r.Shard + ", " + text
		}
		return text
	case recorded.OfCapacity:
		switch {
		case r.Partial || r.Unfinished:
			return digest.Quantity(r.Probes, "probe") + " so far"
		case r.Capacity > 0:
			return plot.PerSecond.Say(r.Capacity)
		}
		return "none found"
	}
	return printable.Clean(printable.Clip(r.Trouble, 1000))
}
