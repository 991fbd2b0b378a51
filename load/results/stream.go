package results

import "io"

// Saturated is the share of all CPUs above which the generator is taken to be short of them.
const Saturated = saturated

// Series writes what series.csv holds, from the interval records alone: for a run that did not live to write it.
func Series(dir string, w io.Writer) error { return writeSeries(dir, w) }

// Log writes what histograms.hlog holds, from the interval records alone.
func Log(dir string, w io.Writer, info Info) error { return writeLog(dir, w, info) }
