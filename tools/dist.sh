#!/usr/bin/env bash
# dist.sh FOLDER [OS/ARCH...]: builds what a release consists of: for each platform a static binary and its bill of materials
# (CycloneDX), the licences of everything that is linked, and SHA256SUMS. The same commit and the same Go give the same bytes.
set -euo pipefail
out=$1
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
rm -rf "$out"
mkdir -p "$out"
unset GOAMD64 GOARM64 GOEXPERIMENT GOFIPS140
export CGO_ENABLED=0 GOWORK=off GOFLAGS=
# The bill of materials holds the hash of its tool. The other tool asks its own binary where the standard library is.
GOBIN=$temp go install -trimpath github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
GOBIN=$temp go install github.com/google/go-licenses@v1.6.0
export GOFLAGS=-trimpath
for platform; do
	export GOOS=${platform%/*} GOARCH=${platform#*/}
	name=$out/gateassay_${GOOS}_$GOARCH
	file=$name
	[ "$GOOS" != windows ] || file=$name.exe
	go build -buildvcs=true -ldflags='-s -w -buildid=' -o "$file" ./cmd/gateassay
	"$temp/cyclonedx-gomod" app -json -licenses -assert-licenses -std -noserial -notimestamp -main cmd/gateassay -output "$name.cdx.json" .
	"$temp/go-licenses" save ./cmd/gateassay --save_path "$temp/of/$platform" 2>"$temp/warnings" || {
		cat "$temp/warnings" >&2
		exit 1
	}
	cp -R "$temp/of/$platform/." "$temp/licences"
done
mkdir "$temp/licences/go"
cp "$(go env GOROOT)/LICENSE" "$temp/licences/go/"
(cd "$temp/licences" && find . -type f | LC_ALL=C sort | while read -r file; do
	printf '%s\n\n' "=== ${file#./}"
	cat "$file"
	printf '\n\n'
done) >"$out/LICENSES.txt"
(cd "$out" && sha256sum -- * >"$temp/sums" && mv "$temp/sums" SHA256SUMS)
