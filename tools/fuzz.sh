#!/bin/sh
# Runs every fuzz target for FUZZTIME (1m). What it finds is kept in testdata/fuzz of the package, and a test from then on.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
failed=0
for file in $(grep -rl --include='*_test.go' '^func Fuzz' cmd gateway load reports suites | sort); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
		echo "== $(dirname "$file") $target"
		$go test "./$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-1m}" || failed=1
	done
done
exit $failed
