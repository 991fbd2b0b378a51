package schedule

import "strings"

// A Problem is a mistake in a plan, in the words of the plan.
type Problem struct {
	Key             string // such as "stages[0].ramp" or "traffic.wallets.other"
	Expected, Found string
	Hint            string // what to do next; may be empty
}

// Message describes the problem without key and hint.
func (p *Problem) Message() string { return "expected " + p.Expected + ", found " + p.Found }

// Problems lists all problems of a part of a plan.
type Problems []*Problem

// Add adds a problem.
func (p *Problems) Add(key, expected, found, hint string) {
	*p = append(*p, &Problem{Key: key, Expected: expected, Found: found, Hint: hint})
}

// Err returns the problems as an error, or nil if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

func (p Problems) Error() string {
	var lines []string
	for _, problem := range p {
		line := problem.Key + ": " + problem.Message()
		if problem.Hint != "" {
			line += "; " + problem.Hint
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
