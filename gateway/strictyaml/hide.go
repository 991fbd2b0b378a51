package strictyaml

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// plainName is the part of a key that looks like one: in {token:SECRET} the missing space makes all of it a key.
	plainName = regexp.MustCompile(`^[\w.-]{0,40}`)
	// referring is a line that has no value, or one that consists of references, and so gives no secret away.
	referring = regexp.MustCompile(`^[\s-]*[\w.-]+:\s*$|^[\s-]*([\w.-]+:\s*)?["']?(file:[\w./-]+|(\$\{\w+\})+)["']?\s*$`)
)

// hideSecrets hides the lines that name a secret, whatever YAML makes of them.
func (r *Reader) hideSecrets() {
	for i, line := range r.lines {
		if r.format.Secret != nil && r.format.Secret.MatchString(line) {
			r.hide(i + 1)
		}
	}
}

// hide keeps a line, and all that are indented below it, from being shown.
func (r *Reader) hide(number int) {
	if _, done := r.hidden[number]; done || r.format.Secret == nil || number < 1 || number > len(r.lines) {
		return
	}
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	first := r.lines[number-1]
	for i := number - 1; i < len(r.lines); i++ {
		line := r.lines[i]
		if i >= number && strings.TrimSpace(line) != "" && indent(line) <= indent(first) {
			return
		}
		if _, done := r.hidden[i+1]; !done {
			r.hidden[i+1] = !referring.MatchString(line)
		}
	}
}

// conceal leaves out of problems what repeats a secret, also where it was cut short. Short ones are left alone: hiding
// them would take ordinary words with it, and their own lines are hidden anyway.
func (r *Reader) conceal() {
	const shortest, head, most = 8, 32, 100
	slices.Sort(r.secrets)
	r.secrets = slices.Compact(r.secrets)
	for _, secret := range r.secrets[:min(len(r.secrets), most)] {
		if len(secret) < shortest || referring.MatchString(secret) {
			continue
		}
		begins := secret[:min(len(secret), head)]
		for i := range r.problems {
			p := &r.problems[i]
			for _, part := range []*string{&p.Key, &p.Message, &p.Hint} {
				if before, after, found := strings.Cut(*part, begins); found && len(begins) < len(secret) {
					*part = before + "[hidden]"
				} else if found {
					*part = before + "[hidden]" + strings.ReplaceAll(after, begins, "[hidden]")
				}
			}
			if strings.Contains(p.SourceLine, begins) {
				p.SourceLine = ""
			}
		}
	}
}
