package curl

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// longestScript bounds the different requests that a script repeats one after the other.
const longestScript = 4

// Step is a request of a script, and what became of it.
type Step struct {
	Command Command
	Label   string // redacted
	File    bool   // for the file of an export
	Started time.Time
	Ended   time.Time
}

// round is a request of a script, with those that were equal to it.
type round struct {
	*Step
	times    int
	together bool // they were on the wire together
}

// Script is what repeats several requests in a shell: one command for one request; for a chain, the commands one after
// the other, each after a line that prints what it is, with identifiers that recur held in variables; for equal
// requests sent at once, a loop. Of those that asked for files one after the other, the last stands for all.
func Script(steps []Step) string {
	if len(steps) == 0 {
		return ""
	}
	rounds := roundsOf(steps)
	var script strings.Builder
	names := map[string]string{}
	for _, id := range recurrent(rounds) {
		names[id] = fmt.Sprintf("id%d", len(names)+1)
		fmt.Fprintf(&script, "%s=%s\n", names[id], UUID)
	}
	for i, r := range rounds {
		if i > 0 {
			script.WriteString("\n\n")
		}
		command := r.Command.with(names)
		if r.Label != "" && len(rounds) > 1 {
			// Not a comment: an interactive zsh takes none.
			fmt.Fprintf(&script, "echo %s\n", Quote(fmt.Sprintf("# %d. %s", i+1, r.Label)))
		}
		switch {
		case r.together:
			command = fmt.Sprintf("for i in $(seq %d); do\n%s &\ndone; wait", r.times, command)
		case r.times > 1:
			command = fmt.Sprintf("for i in $(seq %d); do\n%s\ndone", r.times, command)
		}
		script.WriteString(command)
	}
	return drawn(script.String())
}

// roundsOf joins equal requests.
func roundsOf(steps []Step) (rounds []round) {
	for i := range steps {
		s, last := &steps[i], &round{}
		if len(rounds) > 0 {
			last = &rounds[len(rounds)-1]
		}
		switch {
		case last.times > 0 && last.File && s.File:
			*last = round{Step: s, times: 1}
		case last.times > 0 && last.Command.Same(s.Command):
			last.times++
			last.together = last.together || s.Started.Before(last.Ended)
		default:
			rounds = append(rounds, round{Step: s, times: 1})
		}
	}
	switch {
	case len(rounds) > 0 && rounds[len(rounds)-1].together:
		rounds = rounds[len(rounds)-1:] // the last round of a race shows what all rounds do
	case len(rounds) > longestScript:
		rounds = rounds[len(rounds)-longestScript:]
	}
	return rounds
}

// recurrent lists the identifiers that are sent more than once.
func recurrent(rounds []round) (ids []string) {
	times := map[string]int{}
	for _, r := range rounds {
		for _, id := range r.Command.fresh {
			if times[id] == 0 {
				ids = append(ids, id)
			}
			times[id] += r.times
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { return times[id] < 2 })
}
