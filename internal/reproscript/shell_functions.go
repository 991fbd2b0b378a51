package reproscript

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

// shellFunctions are the functions that scripts call, separated by blank lines.
//
//go:embed prelude.bash
var shellFunctions string

var (
	shellFunctionPattern = regexp.MustCompile(`(?m)^([a-z0-9_]+)\(\)`)
	commentPattern       = regexp.MustCompile(`(?m)^#.*`)
	wordPattern          = regexp.MustCompile(`[a-z0-9_]+`)
)

// usedFunctions returns the functions that a script calls, directly or indirectly.
func usedFunctions(script string) (used string) {
	calls := map[string]bool{}
	call := func(text string) {
		for _, name := range wordPattern.FindAllString(commentPattern.ReplaceAllString(text, ""), -1) {
			calls[name] = true
		}
	}
	call(script)
	for blocks := strings.Split(strings.TrimSpace(shellFunctions), "\n\n"); ; {
		i := slices.IndexFunc(blocks,
			func(block string) bool { return calls[shellFunctionPattern.FindStringSubmatch(block)[1]] })
		if i < 0 {
			return used
		}
		call(blocks[i])
		used += blocks[i] + "\n\n"
		blocks = slices.Delete(blocks, i, i+1)
	}
}
