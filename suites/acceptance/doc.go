// Package acceptance holds the tests of whole runs: what a run finds, leaves behind and survives.
// They stand apart from the suites because a process has one tree of specs, and go test and ginkgo
// on the suites need it for themselves.
package acceptance
