#!/bin/sh
# Mutation testing of the code that judges: each mutant is one operator changed, and some test of its package has to
# fail. Slow: a quarter of an hour on two cores. What lives, and why it may, is in docs/mutation.md.
#
#   tools/mutation/run.sh [package...]     default: all of the packages below
#
# Results are written to ${OUT:-bin/mutation}, a log and a JSON file for each package.
set -eu
cd "$(dirname "$0")/../.."

out=${OUT:-bin/mutation}
mkdir -p "$out"
[ $# -gt 0 ] || set -- suites/matchers suites/target suites/control suites/spec suites/record gateway/statement gateway/rules

REAL_GO=$(command -v "${GO:-go}")
gremlins=$("$REAL_GO" tool -n -modfile=tools/mutation/go.mod gremlins)
export REAL_GO GOFLAGS="-count=1 -vet=off" PATH="$PWD/tools/mutation/shim:$PATH"

failed=0
for package; do
	name=$(printf '%s' "$package" | tr / _)
	# Of suites/record, what judges; reading and writing runs is tested by damaging them.
	set --
	[ "$package" != suites/record ] || set -- -E '(assemble|journal|load|rebuild|run)\.go$' -E recordtest/
	echo "== $package"
	if "$gremlins" unleash --invert-logical --timeout-coefficient 20 --workers "${WORKERS:-2}" "$@" \
		-o "$out/$name.json" "./$package" >"$out/$name.log" 2>&1; then
		grep -E ' (LIVED|TIMED OUT|NOT COVERED|SKIPPED) ' "$out/$name.log" || true
		grep -E '^(Killed|Timed out)' "$out/$name.log"
	else
		tail -n 20 "$out/$name.log"
		failed=1
	fi
done
exit $failed
