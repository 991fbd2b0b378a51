// Package terminal writes for terminals and logs: colours, wrapped lines, displays that are
// redrawn, figures.
package terminal

import (
	"fmt"
	"strings"
	"time"
)

// UseColour reports whether to write colours: never with NO_COLOR, always with CLICOLOR_FORCE, not
// on a dumb terminal, else on a terminal. getenv is os.Getenv.
func UseColour(isTerminal bool, getenv func(string) string) bool {
	switch force := getenv("CLICOLOR_FORCE"); {
	case getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return IsInteractive(isTerminal, getenv)
}

// IsInteractive reports whether a line can be rewritten: on a terminal that is not dumb.
func IsInteractive(isTerminal bool, getenv func(string) string) bool {
	return isTerminal && getenv("TERM") != "dumb"
}

// Colours by what they mean.
const (
	ColourNone   = ""
	ColourBold   = "1"
	ColourFaint  = "2"
	ColourBad    = "1;31"
	ColourUnsure = "33"
	ColourGood   = "32"
	ColourKey    = "36"
)

// applyColour wraps a text in a colour. The text holds no control characters: printable.Clean took
// them out.
func applyColour(on bool, colour, s string) string {
	if !on || colour == ColourNone || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// EscapeCICommands keeps a line of somebody else's text from being taken for a command by a CI
// system that reads the log: the marks that begin a command are replaced by ones that look alike
// and are as wide.
func EscapeCICommands(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		line = strings.Replace(line, "::", "∷", 1)
	}
	return strings.ReplaceAll(line, "##[", "##⁅")
}

// FormatDuration writes how long something took, or has to go: 1:05, 2:00:07.
func FormatDuration(d time.Duration) string {
	s := int(max(0, d).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
