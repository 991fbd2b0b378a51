#!/bin/sh
# Sends one plan from several processes of this machine, and makes one run of what they recorded:
#
#   deploy/local/shards.sh DEPLOYMENT SHARDS FOLDER [flags of gateassay load run]
#   deploy/local/shards.sh staging.yaml 4 results --plan plan.yaml
#
# Ends as the whole run: 0 passed, 1 failed, 3 no verdict. GATEASSAY names the binary, RUN_ID the run.
set -u
if [ $# -lt 3 ]; then
	echo "usage: $0 DEPLOYMENT SHARDS FOLDER [flags of gateassay load run]" >&2
	exit 2
fi
deployment=$1 shards=$2 folder=$3
shift 3
gateassay=${GATEASSAY:-gateassay}
run=${RUN_ID:-$(date -u +%Y%m%dT%H%M%SZ)-$$}
folder=$folder/$run
mkdir -p "$folder" || exit 2

pids=
trap 'kill $pids 2>/dev/null' INT TERM
shard=$shards
while [ "$shard" -gt 0 ]; do
	shard=$((shard - 1))
	"$gateassay" load run -d "$deployment" --yes --quiet --shard "$shard/$shards" --run-id "$run" --out "$folder" "$@" \
		>"$folder/$shard.log" 2>&1 &
	pids="$! $pids"
done
# A shard that fails does not stop the others: what all of them recorded decides, and shard 0 merges it.
for pid in $pids; do
	wait "$pid"
	code=$?
	if [ "$shard" -eq 0 ]; then
		first=$code
	elif [ "$code" -ne 0 ]; then
		why=$(grep -m 1 '^gateassay: ' "$folder/$shard.log" || tail -n 2 "$folder/$shard.log" | head -n 1)
		echo "shard $shard ended with exit code $code: $why (all of it: $folder/$shard.log)" >&2
	fi
	shard=$((shard + 1))
done
cat "$folder/0.log"
exit "$first"
