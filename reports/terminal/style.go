// Package terminal writes for terminals and logs: colours, wrapped lines, displays that are
// redrawn, figures.
package terminal

import (
	"fmt"
	"strings"
	"time"
)

// Colour reports whether to write colours: never with NO_COLOR, always with CLICOLOR_FORCE, not on
// a dumb terminal, else on a terminal. getenv is os.Getenv.
func Colour(isTerminal bool, getenv func(string) string) bool {
	switch force := getenv("CLICOLOR_FORCE"); {
	case getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return Interactive(isTerminal, getenv)
}

// Interactive reports whether a line can be rewritten: on a terminal that is not dumb.
func Interactive(isTerminal bool, getenv func(string) string) bool {
	return isTerminal && getenv("TERM") != "dumb"
}

// Colours by what they mean.
const (
	Plain  = ""
	Strong = "1"
	Faint  = "2"
	Bad    = "1;31"
	Unsure = "33"
	Good   = "32"
	Key    = "36"
)

// paint wraps a text in a colour. The text holds no control characters: printable.Clean took them
// out.
func paint(on bool, colour, s string) string {
	if !on || colour == Plain || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// Inert keeps a line of somebody else's text from being taken for a command by a CI system that
// reads the log: the marks that begin a command are replaced by ones that look alike and are as
// wide.
func Inert(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		line = strings.Replace(line, "::", "∷", 1)
	}
	return strings.ReplaceAll(line, "##[", "##⁅")
}

// Clock writes how long something took, or has to go: 1:05, 2:00:07.
func Clock(d time.Duration) string {
	s := int(max(0, d).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
