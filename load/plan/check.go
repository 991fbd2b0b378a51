package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/traffic"
)

const (
	maxShards      = 10_000
	maxConnections = 1_000_000 // connections and requests in flight
	maxNameLength  = 512       // bytes of a name
)

func (p *Plan) problems() schedule.Problems {
	var all schedule.Problems
	_, err := schedule.New(p.Stages...)
	errors.As(err, &all)
	all = append(all, traffic.CheckModes(p.Traffic.Modes)...)
	wrong := all.Add
	within := func(key string, value, least, most int) {
		if value < least || value > most {
			wrong(key, fmt.Sprintf("a whole number from %d to %d", least, most), strconv.Itoa(value), "")
		}
	}
	share := func(key string, value, most float64) {
		if math.IsNaN(value) || value < 0 || value > most {
			wrong(key, fmt.Sprintf("a share from 0%% to %g%%", most*100), fmt.Sprintf("%g%%", value*100), "")
		}
	}
	one := func(key, value string, of ...string) {
		if !slices.Contains(of, value) {
			wrong(key, "one of "+strings.Join(of, ", "), strconv.Quote(value), "")
		}
	}
	within("shards", p.Shards, 1, maxShards)
	within("connections", p.Connections, 0, maxConnections)
	within("max_in_flight", p.MaxInFlight, 0, maxConnections)
	share("repeats", p.Repeats, traffic.MaxRepeats)
	share("track_files", p.TrackFiles, 1)
	one("engine", p.Engine, EngineVegeta, EngineDirect)
	one("http", p.HTTP, "auto", "1.1", "2")
	if p.HTTP == "2" && p.Engine == EngineDirect {
		wrong("engine", "vegeta, which speaks HTTP/2", `"direct"`, "leave engine out, or set http: 1.1")
	}
	if p.Timeout <= 0 || p.Timeout > schedule.MaxDuration {
		wrong("timeout", "a duration greater than 0 and at most 366 days", p.Timeout.String(), "")
	}
	if len(p.Name) > maxNameLength {
		wrong("name", fmt.Sprintf("at most %d bytes", maxNameLength), strconv.Itoa(len(p.Name)), "")
	}
	for i, expr := range p.SLO {
		if expr == NoThresholds {
			if len(p.SLO) > 1 {
				wrong(fmt.Sprintf("slo[%d]", i), "none alone, or thresholds", "both",
					"leave none out; errors<=100% lifts the default threshold on errors")
			}
			continue
		}
		t, err := threshold.Parse(expr)
		if err == nil {
			err = t.Bind(p.StageNames())
		}
		if err != nil {
			wrong(fmt.Sprintf("slo[%d]", i), "a threshold such as p99<300ms",
				printable.Quote(expr), err.Error())
		}
	}
	for i, expr := range p.AbortOn {
		if _, err := threshold.ParseAbortRule(expr); err != nil {
			wrong(fmt.Sprintf("abort_on[%d]", i), "a rule such as errors>20% for 10s",
				printable.Quote(expr), err.Error())
		}
	}
	return all
}
