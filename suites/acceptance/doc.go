// Package acceptance tests whole runs: what a run finds, writes and survives. It is separate from
// the suites because a process has one tree of Ginkgo specs, and go test and ginkgo need that of
// the suites.
package acceptance
