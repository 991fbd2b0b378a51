package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/reports/view"
)

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// coloured reports whether what is printed there may have colours.
func coloured(w any) bool { return terminal.Colour(isTerminal(w), os.Getenv) }

// styleOf is how a report is written to w.
func styleOf(w any) view.Style {
	return view.Style{Colour: coloured(w), Columns: width(w)()}
}

// columns is the width of a terminal, 0 elsewhere.
func columns(w any) int {
	if !isTerminal(w) {
		return 0
	}
	return width(w)()
}

// width returns the columns of a terminal; elsewhere those that COLUMNS names, or 100.
func width(w any) func() int {
	return func() int {
		if f, ok := w.(*os.File); ok {
			if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
				return columns
			}
		}
		if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 && columns <= 1000 {
			return columns
		}
		return 100
	}
}

// screen is where a command shows how far it is.
func screen(w io.Writer, quiet bool) terminal.Screen {
	return terminal.Screen{
		Writer: w, Redraws: terminal.Interactive(isTerminal(w), os.Getenv), Columns: width(w), Colour: coloured(w), Quiet: quiet,
	}
}

// complain prints errors that leave a verdict as it is; nil is none.
func complain(w io.Writer, errs ...error) {
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(w, "gateassay: "+printable.CleanLines(err.Error()))
		}
	}
}

// printAs prints a result in the form that --format names: table, json (the value itself) or markdown.
func printAs(w io.Writer, format string, value any, table, markdown func() string) error {
	switch format {
	case "json":
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(value)
	case "markdown":
		table = markdown
	}
	_, err := io.WriteString(w, table())
	return err
}
