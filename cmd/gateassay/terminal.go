package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/doctor"
)

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// coloured reports whether what is printed there may have colours.
func coloured(w any) bool { return terminal.Colour(isTerminal(w), os.Getenv) }

// columns is the width of a terminal, 0 elsewhere.
func columns(w any) int {
	if !isTerminal(w) {
		return 0
	}
	return width(w)()
}

// width returns the columns of a terminal, 100 elsewhere.
func width(w any) func() int {
	return func() int {
		if f, ok := w.(*os.File); ok {
			if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
				return columns
			}
		}
		return 100
	}
}

// height is how many rows a terminal has; 0: it is none.
func height(w any) int {
	if f, ok := w.(*os.File); ok {
		if _, rows, err := term.GetSize(int(f.Fd())); err == nil {
			return rows
		}
	}
	return 0
}

// display makes what shows a run while it goes.
func display[T any](w io.Writer, quiet bool,
	show func(w io.Writer, isTerminal bool, width func() int, options ...terminal.Option) T,
) T {
	options := []terminal.Option{terminal.Coloured(coloured(w))}
	if quiet {
		options = append(options, terminal.Quiet())
	}
	return show(w, terminal.Interactive(isTerminal(w), os.Getenv), width(w), options...)
}

// obstructed prints why nothing was sent, and the folder that says so.
func obstructed(w io.Writer, obstacle *doctor.Obstacle, folder string) error {
	_, err := fmt.Fprintf(w, "%s%s\n", obstacle.Lines(), printable.Clean(folder))
	return err
}

// complain prints errors that leave a verdict as it is; nil is none.
func complain(w io.Writer, errs ...error) {
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(w, "gateassay: "+printable.CleanLines(err.Error()))
		}
	}
}
