#!/bin/sh
# Runs every fuzz target for FUZZTIME (1m); FUZZONLY is a pattern of packages. What it finds is kept in testdata/fuzz of the
# package, and a test from then on. An input that is new is made smaller 20 times at most: Go's own minute for each would
# take all the time of a target.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
failed=0
fuzz() { $go test "$1" -run '^$' -fuzz "^$2\$" -fuzztime "${FUZZTIME:-1m}" -fuzzminimizetime 20x; }
for file in $(grep -rl --include='*_test.go' '^func Fuzz' cmd gateway internal load reports suites | grep "${FUZZONLY:-.}" | sort); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
		echo "== $(dirname "$file") $target"
		fuzz "./$(dirname "$file")" "$target" || fuzz "./$(dirname "$file")" "$target" || failed=1
	done
done
exit $failed
