#!/bin/sh
# Builds the release of the current commit twice, the second time from a clone elsewhere and without a build cache, and
# fails unless all files are the same. An argument such as linux/amd64 limits it to one platform.
set -eu
root=$(git rev-parse --show-toplevel)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
for copy in one another; do
	git -c advice.detachedHead=false clone -q --no-hardlinks "$root" "$temp/$copy"
	git -C "$temp/$copy" checkout -q "$(git -C "$root" rev-parse HEAD)"
done
(cd "$temp/one/tools" && go run ./dist -out "$temp/first" ${1:+-only "$1"})
(cd "$temp/another/tools" && GOCACHE="$temp/cache" go run ./dist -out "$temp/second" ${1:+-only "$1"})
diff "$temp/first/SHA256SUMS" "$temp/second/SHA256SUMS"
(cd "$temp/second" && sha256sum -c --quiet SHA256SUMS)
grep -q "Permission is hereby granted" "$temp/first/LICENSES.txt" # the texts are in there, not only their names
echo "the same, byte by byte:"
cat "$temp/first/SHA256SUMS"
