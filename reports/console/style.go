// Package console shows a run on a terminal or in a log: its progress while it goes, its report when it ends.
package console

import (
	"slices"
	"strings"
)

// Colour reports whether to write colours: never with NO_COLOR, always with CLICOLOR_FORCE, not on a dumb terminal, else
// on a terminal. getenv is os.Getenv.
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

// Links reports whether a terminal is known to open links; others would show their escapes.
func Links(isTerminal bool, getenv func(string) string) bool {
	if !Interactive(isTerminal, getenv) || getenv("NO_COLOR") != "" {
		return false
	}
	for _, name := range []string{"VTE_VERSION", "WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID"} {
		if getenv(name) != "" {
			return true
		}
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"}, getenv("TERM_PROGRAM")) ||
		slices.Contains([]string{"xterm-kitty", "alacritty", "foot", "xterm-ghostty"}, getenv("TERM"))
}

// Style says how a report is written.
type Style struct {
	Colour     bool
	Width      int    // columns; 0: 100
	Verbose    bool   // nothing is shortened, passed rules are listed
	Deployment string // path of the deployment file for the rerun commands; empty: as the run recorded it
	Folder     string // of the run; its path is the last line
	Links      bool   // the terminal opens links
	Exit       *int   // exit code of the command that made the run; nil: not said
}

// Colours in the words of what they mean.
const (
	plain  = ""
	strong = "1"
	faint  = "2"
	bad    = "1;31"
	unsure = "33"
	good   = "32"
	key    = "36"
)

// paint wraps a text in a colour. The text holds no control characters: digest.Clean took them out.
func paint(on bool, colour, s string) string {
	if !on || colour == plain || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}
