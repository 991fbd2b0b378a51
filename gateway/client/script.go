package client

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

var version4 = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

// longestScript bounds the different requests that a script repeats one after the other.
const longestScript = 4

// identifiers lists the fresh identifiers that a request carries in its headers.
func (k *call) identifiers() []string {
	var values []string
	for name, sent := range k.header {
		for _, f := range k.req.Fresh {
			if strings.EqualFold(f, name) && len(sent) == 1 && version4.MatchString(sent[0]) && !slices.Contains(values, sent[0]) {
				values = append(values, sent[0])
			}
		}
	}
	return values
}

// replacedBy connects a request that got no answer to the one that took its place.
func (x *Exchange) replacedBy(next *Exchange) bool {
	return x.Status == 0 && x.Label == next.Label && !next.StartedAt.Before(x.ended())
}

func (x *Exchange) ended() time.Time { return x.StartedAt.Add(x.Service) }

// command is the curl command with identifiers drawn anew, or taken from a shell variable where names has one.
func (r *Recorded) command(names map[string]string) string {
	text := r.template
	for _, id := range r.fresh {
		draw := "$(uuidgen)"
		if name := names[id]; name != "" {
			draw = "$" + name
		}
		text = strings.ReplaceAll(text, id, draw)
	}
	return text
}

// WithFirst puts before some exchanges those among others that were the same request, identifiers included, sent earlier:
// without them, a repeat would be a first request.
func (c *Client) WithFirst(seqs, among []int) []int {
	same := map[string]bool{}
	for _, seq := range seqs {
		if x := c.Exchange(seq); x != nil && len(x.Recorded.fresh) > 0 {
			same[x.Recorded.template] = true
		}
	}
	var first []int
	for _, seq := range among {
		if x := c.Exchange(seq); x != nil && same[x.Recorded.template] && !slices.Contains(seqs, seq) && seq < seqs[0] {
			first = append(first, seq)
		}
	}
	return append(first, seqs...)
}

// Script is what repeats several exchanges in a shell: one command for one request; for a chain, the commands one after
// the other, each after a line that prints what it is, with identifiers that recur held in variables; for equal requests
// sent at once, a loop. An export whose file was got is followed by what gets its file; other polling is left out where
// anything else was sent. Passed over is what is not kept any more, and what got no answer and was sent again.
func (c *Client) Script(seqs []int) string {
	type step struct {
		x        *Exchange
		times    int
		together bool // they were on the wire together
	}
	var steps []step
	var files []*Exchange
	var last *Exchange
	for _, seq := range seqs {
		x := c.Exchange(seq)
		if x == nil {
			continue
		}
		last = x
		switch {
		case x.Operation == File:
			files = append(files, x)
		case len(steps) > 0 && steps[len(steps)-1].x.replacedBy(x):
			steps[len(steps)-1] = step{x: x, times: 1}
		case len(steps) > 0 && steps[len(steps)-1].x.Recorded.template == x.Recorded.template:
			s := &steps[len(steps)-1]
			s.times++
			s.together = s.together || x.StartedAt.Before(s.x.ended())
		default:
			steps = append(steps, step{x: x, times: 1})
		}
	}
	switch {
	case len(steps) == 0 && last == nil:
		return ""
	case len(steps) == 0:
		return last.Recorded.Curl
	case steps[len(steps)-1].together:
		steps = steps[len(steps)-1:] // the last round of a race shows what all rounds do
	case len(steps) > longestScript:
		steps = steps[len(steps)-longestScript:]
	}
	used := map[string]int{}
	var order []string
	for _, s := range steps {
		for _, id := range s.x.Recorded.fresh {
			if used[id] == 0 {
				order = append(order, id)
			}
			used[id] += s.times
		}
	}
	var script strings.Builder
	names := map[string]string{}
	for _, id := range order {
		if used[id] > 1 {
			names[id] = fmt.Sprintf("id%d", len(names)+1)
			fmt.Fprintf(&script, "%s=$(uuidgen)\n", names[id])
		}
	}
	for i, s := range steps {
		if i > 0 {
			script.WriteString("\n\n")
		}
		command := s.x.Recorded.command(names)
		fetch := fetched(s.x, files)
		if s.x.Label != "" && (len(steps) > 1 || fetch != nil) {
			// Not a comment: an interactive zsh takes none.
			fmt.Fprintf(&script, "echo %s\n", single(fmt.Sprintf("# %d. %s", i+1, c.redactor.Text(s.x.Label))))
		}
		switch {
		case fetch != nil && s.times == 1:
			command = fetch.script(command)
		case s.together:
			command = fmt.Sprintf("for i in $(seq %d); do\n%s &\ndone; wait", s.times, command)
		case s.times > 1:
			command = fmt.Sprintf("for i in $(seq %d); do\n%s\ndone", s.times, command)
		}
		script.WriteString(command)
	}
	return script.String()
}
