# make run    test the embedded reference gateway, then load it; each ends with the path of its report
# make build-cloud  bin/gateassay-cloud, which has buckets and OTLP: a module of its own, as their SDKs are large
# make check  what one runs while writing: build, vet and the quick tests
# make lint   golangci-lint over everything
# make test   everything that must hold, with a sample of the proof, of the hostile cases and of the pages in Chromium
# make proof  the suites against every fault, every variant and every seed
# make test-pages  the pages in Chromium, all of them
# make reliability conform against spoiled answers and interrupted; writes docs/reliability.md; ONLY=pattern of cases
# make test-kubernetes the printed jobs on a cluster, with IMAGE=…
# make bench  measurements, with the alternatives side by side; BENCH=-short takes 2 minutes instead of 15
# make image  the container image, TAG (gateassay) of docker, podman or buildah, or a layout in dist/image
# make fuzz   every parser, fed with anything, FUZZTIME (1m) each
# make dist   binaries for all platforms, with checksums, bill of materials and licences, in dist/
# make dist-check builds them twice, and fails unless they are the same byte by byte

GO    ?= go
TAG   ?= gateassay
BIN   := bin/gateassay
TOOLS := $(GO) tool -modfile=tools/go.mod

.PHONY: run build build-cloud check test plain race modules proof lint test-pages browser generate screenshots bench test-kubernetes \
	reliability image fuzz dist dist-check clean

run: build
	./$(BIN) conform
	./$(BIN) load run --rate 200/s --duration 5s --yes

build:
	$(GO) build -o $(BIN) ./cmd/gateassay

build-cloud:
	$(GO) build -C cmd/gateassay-cloud -o $(CURDIR)/$(BIN)-cloud .

# What several goroutines share is tested with the race detector, which makes tests three to ten times slower.
RACE := ./load ./load/engine ./load/transport ./internal/client ./suites/spec ./reports/live ./reports/browse
# Of three that would take long under it, what races: whole runs side by side, requests at once, and many recorders.
RACY := ./suites/acceptance ./gateway/reference ./load/results
# What make check leaves to make test: packages that make whole runs, send load, or wait.
SLOW := bench bench/% cmd load load/engine load/merge load/results suites suites/acceptance suites/internal/create \
	suites/doctor suites/internal/export suites/internal/export/model suites/hostile suites/proof suites/internal/replay gateway/reference \
	reports/browse reports/compare reports/conformance reports/gate
MODULE := github.com/gateassay/gateassay

check: build
	$(GO) vet ./...
	$(GO) test -short -vet=off -timeout 5m $(filter-out $(SLOW:%=$(MODULE)/%),$(shell $(GO) list ./...))

# Two parts side by side, as many tests wait for a clock. Nobody debugs these binaries: without symbols and what debuggers
# read, compiling takes a tenth less and linking a third, and without inlining compiling takes a quarter less; what all
# programs spend their time in, the standard library, keeps it. Compilers, linkers and tests collect garbage less often,
# which takes memory and saves a tenth of the time. The modules come last: they use what plain has compiled by then.
test: export GOGC := 400
test: export GOFLAGS := $(shell $(GO) env GOFLAGS) '-gcflags=all=-dwarf=false -l' -gcflags=std=-dwarf=false -ldflags=-s
test: browser
	$(MAKE) --no-print-directory --output-sync=target -j2 plain race modules AFTER=race

# Without C, as releases are built; make check and make lint vet. Those that wait longest come first.
plain: export CGO_ENABLED := 0
plain:
	$(GO) test -short -vet=off -p 3 -timeout 14m ./suites/acceptance ./cmd ./suites/proof ./internal/reproscript \
		./suites/internal/export ./load/results ./suites/hostile \
		$(filter-out $(RACE:./%=$(MODULE)/%),$(shell $(GO) list ./...))

# What is a module of its own, or written in YAML; suites/acceptance tests docs/release-gate.
modules: export CGO_ENABLED := 0
modules: $(AFTER)
	$(GO) tool -modfile=tools/actionlint.mod actionlint # and what the action and GitLab's component do: cmd
	cd deploy/kubernetes && $(GO) test -vet=off ./...
	cd deploy/image && $(GO) test -vet=off -short ./...
	cd reports/browser && $(GO) test -vet=off -short -timeout 5m .

# Compiling takes most of the time, so nothing is inlined, and names are looked up without C, as in releases.
race: export GOFLAGS := $(shell $(GO) env GOFLAGS) '-gcflags=all=-dwarf=false -l' -ldflags=-s -tags=netgo,osusergo
race:
	$(GO) test -vet=off -short -race -timeout 12m $(RACE)
	$(GO) test -vet=off -short -race -timeout 12m -run 'Overlap|Races|Rejections|RecordedWhole' $(RACY)

proof:
	$(GO) test -timeout 30m -v -run TestTheWholeMatrix ./suites/proof
	$(GO) test -timeout 10m ./suites/internal/export/model

# The tests of the pages are a module of their own, so that nobody who imports this one inherits what they need; axe-core
# comes from npm. xmllint holds JUnit XML against its schema.
test-pages: browser
	cd reports/browser && $(GO) test -timeout 14m ./...

# Only what is missing is installed: a Node.js from elsewhere brings its own npm, beside which Debian's cannot be.
browser:
	@missing=; for p in chromium:chromium npm:npm xmllint:libxml2-utils jq:jq; do \
	  command -v $${p%:*} >/dev/null || missing="$$missing $${p#*:}"; done; \
	test -z "$$missing" && exit; \
	[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "make test needs these packages, please install them:$$missing"; exit 1; }; \
	apt-get update && apt-get install -y --no-install-recommends $$missing
	@cd reports/browser && { test -e node_modules/axe-core || npm ci --ignore-scripts --no-audit --no-fund; }
	@cd tools && { test -e node_modules/gitlab-ci-local || npm ci --ignore-scripts --no-audit --no-fund; }

lint: # go vet among others, see .golangci.yml
	$(TOOLS) golangci-lint run --allow-parallel-runners ./...

# Pages that are made from the code; a test fails when one is stale. The proof of plain faults takes a quarter of an hour.
generate: build
	./$(BIN) rules --format markdown > docs/rules.md
	$(GO) generate ./internal/settings ./load/plan ./docs
	./$(BIN) kubernetes load --plan deploy/kubernetes/plan.yaml -d deploy/kubernetes/staging.yaml --shards 4 --image registry.example/gateassay:latest --results pvc:gateassay-results > deploy/kubernetes/run.yaml
	./$(BIN) kubernetes conform -d deploy/kubernetes/staging.yaml --image registry.example/gateassay:latest --results pvc:gateassay-results > deploy/kubernetes/conform.yaml
	./$(BIN) kubernetes conform -d deploy/kubernetes/staging.yaml --image registry.example/gateassay:latest --results pvc:gateassay-results --schedule @daily > deploy/kubernetes/daily.yaml
	$(GO) test -timeout 60m -v -run TestTheWholeMatrix ./suites/proof -update # docs/proof.md, what is frozen, and the fault dictionary

# A picture of each kind of page, by day, by night and on a phone, in dist/pictures.
screenshots: browser
	mkdir -p dist/pictures && cd reports/browser && $(GO) test -run TestPictures -pictures $(CURDIR)/dist/pictures .

bench:
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 30m ./bench $(BENCH)

# The rendered job on the current context of kubectl: IMAGE is one of gateassay that the cluster can pull. Others of its
# variables, and what it checks: deploy/kubernetes/cluster_test.go. No part of make test.
test-kubernetes: build
	cd deploy/kubernetes && GATEASSAY=$(CURDIR)/$(BIN) $(GO) test -tags cluster -run 'Pod|Run' -count 1 -timeout 40m -v .

# Each case is a process of its own. Then all shapes of secrets, what the doctor promises, and the buckets of each provider.
reliability:
	RELIABILITY=$(CURDIR)/docs/reliability.md RELIABILITY_ONLY='$(ONLY)' \
		$(GO) test -count 1 ./suites/hostile -run TestReliability -parallel 2 -timeout 3h -v
	$(GO) test -count 1 ./cmd -run 'Written' -timeout 20m
	$(GO) test -count 1 ./suites/acceptance -run 'Promise'
	cd cmd/gateassay-cloud && $(GO) test ./... && GOOS=windows $(GO) build -o /dev/null .

# By docker, podman or buildah, whichever works; without one of them as an OCI layout in dist/image, which skopeo and crane push.
image:
	@set -e; version=$$(git describe --tags --always --dirty); revision=$$(git rev-parse HEAD); \
	args="--build-arg VERSION=$$version --build-arg REVISION=$$revision -f deploy/Dockerfile -t $(TAG) ."; \
	for builder in docker podman buildah; do \
	  if $$builder info >/dev/null 2>&1; then $$builder build $$args; exit; fi; \
	done; \
	rm -rf dist/image && mkdir -p dist && cd deploy/image && \
	$(GO) run . -out $(CURDIR)/dist/image -version $$version -revision $$revision && echo dist/image

fuzz:
	GO=$(GO) tools/fuzz.sh

# Static, without the paths of this machine: the same commit and the same Go give the same bytes.
dist:
	tools/dist.sh dist

dist-check:
	tools/dist-check.sh $(PLATFORM)

clean:
	rm -rf bin dist reports/runs
