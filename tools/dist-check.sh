#!/usr/bin/env bash
# Builds the release of the current commit twice, the second time from a clone elsewhere and without a build cache, and
# fails unless all files are the same. Arguments such as linux/amd64 limit it to some platforms.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
for copy in one another; do
	git clone -q --no-hardlinks "$root" "$temp/$copy"
	git -C "$temp/$copy" checkout -q --detach "$(git -C "$root" rev-parse HEAD)"
done
(cd "$temp/one" && tools/dist.sh "$temp/first" "$@")
(cd "$temp/another" && GOCACHE="$temp/cache" tools/dist.sh "$temp/second" "$@")
diff "$temp/first/SHA256SUMS" "$temp/second/SHA256SUMS"
(cd "$temp/second" && sha256sum -c --quiet SHA256SUMS)
grep -q "Permission is hereby granted" "$temp/first/LICENSES.txt" # the texts are in there, not only their names
echo "the same, byte by byte:"
cat "$temp/first/SHA256SUMS"
