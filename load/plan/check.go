package plan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/traffic"
)

const (
	maxShards     = 10_000
	maxNameLength = 512 // bytes
)

// problems finds what the formats of single keys cannot exclude.
func (p *Plan) problems() *strictyaml.Problems {
	all := &strictyaml.Problems{}
	_, err := schedule.New(p.Stages...)
	errors.As(err, &all)
	wrong := all.Add
	if p.Shards < 1 || p.Shards > maxShards {
		wrong("shards", fmt.Sprintf("a whole number from 1 to %d", maxShards), strconv.Itoa(p.Shards), "")
	}
	if p.Repeats > traffic.MaxRepeats {
		wrong("repeats", fmt.Sprintf("a share from 0%% to %g%%", traffic.MaxRepeats*100),
			fmt.Sprintf("%g%%", p.Repeats*100), "")
	}
	weights := slices.Collect(maps.Values(p.Traffic.Modes))
	if len(weights) > 0 && slices.Max(weights) == 0 {
		wrong("traffic.modes", "a weight above 0", "none", "leave the key out for the default")
	}
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
			err = t.Bind(p.stageNames())
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
