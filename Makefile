# `ne` keeps gse from embedding 30 MB of dictionaries: sluice brings its own.
TAGS := -tags ne
LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# Programs, tests and linters share what is compiled.
export CGO_ENABLED := 0
export GOFLAGS += -trimpath

# Many tests wait more than they compute, so twice as many run as there are cores.
# `make lint` vets.
twice := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
TEST := $(TAGS) -vet=off -shuffle=on -p $(twice) -parallel $(twice)

# SQLite is C, translated: the race detector does not see its memory, which is not Go's,
# and would take most of its time to look. `make nightly` has it look.
RACE := -race -gcflags='modernc.org/...=-race=false'

# Packages that start goroutines, themselves or in their tests or in the suites that
# these run: in others the race detector can find nothing. `short` is for -short.
goroutines = '^\s*go [a-z]|\.(Go|Parallel|AfterFunc)\(|bubble\.|test"$$'
concurrent = ./shared/short $(shell grep -rlE --include='*.go' --exclude-dir=testdata $(goroutines) cmd e2e shared | xargs dirname | sort -u | sed 's|^|./|')

# TOPIC is a topic of topics/ or a path; SEEDS are URLs with spaces between them.
topic = $(firstword $(wildcard topics/$(TOPIC).yaml) $(TOPIC))
out = out/$(basename $(notdir $(topic)))
crawl = bin/sluice crawl --topic '$(topic)' --out '$(out)' $(foreach s,$(SEEDS),--seed '$s') $(if $(CONTACT),--contact '$(CONTACT)') $(ARGS)

.PHONY: build run test race nightly test-aws test-browser fuzz bench lint topics eval up down sam-build sam-local deploy clean

build: ## bin/sluice, one static file
	go build $(TAGS) -o bin/ ./cmd/sluice

topics = $(patsubst topics/%.yaml,%,$(wildcard topics/*.yaml))
known = $(if $(wildcard $(topic)),,$(error TOPIC=$(TOPIC) is neither a file nor one of: $(topics)))

run: build ## crawl the demo web, or TOPIC=… SEEDS=… CONTACT=… [ARGS=…] the real one
	$(if $(TOPIC),$(known)$(crawl),$(if $(SEEDS),$(error SEEDS need a TOPIC),bin/sluice demo --out out/demo $(ARGS)))

test: build ## everything, shuffled, offline
	go test $(TEST) ./...

race: build ## what has goroutines under the race detector, with samples of the longest tests; needs a C compiler
	@echo 'sampled here, whole in make test:' && grep -noE 'short\.(Skip|Every|Of)\(t.*' $(wildcard $(addsuffix /*.go,$(concurrent)))
	CGO_ENABLED=1 go test $(TEST) $(RACE) -short -timeout 30m $(concurrent)

nightly: ## what takes too long for every change
	.ci/nightly

test-aws: ## template, functions and adapters on emulators: needs Python 3, no AWS, no Docker
	.ci/test-aws

test-browser: ## rendering, in Chromium: SLUICE_BROWSER or Debian's, which it installs if it is missing
	.ci/test-browser

fuzz: ## every fuzz target for a number of inputs: FUZZTIME=1000x, or 20000x guided by what they reach
	.ci/fuzz $(or $(FUZZTIME),20000x guided)

bench: ## every benchmark
	go test $(TAGS) -run '^$$' -bench . -benchmem ./...

lint: ## linters, format, layering, tidiness of go.mod
	$(LINT) run
	go mod tidy -diff

topics: build ## the compiled topics of topics/, anew: TEXT='FILE…' [SAMPLES='FILE…']
	topics/build '$(TEXT)' '$(SAMPLES)'

eval: build ## the experiments of the papers on the data of SLUICE_SHARED (../shared); QUICK=1 for the first half
	.ci/eval $(if $(QUICK),quick)

up: build ## an emulator of AWS with the stack on it, and a crawl of the demo web; SEED=0 [PORT=4566 PROXY=… CONTACT=…]
	infra/local/up

down: ## end what `make up` started
	infra/local/down

sam-build: ## the functions, for `sam deploy`
	infra/aws/sam build

sam-local: ## run a function on an event by `sam local invoke`: EVENT=events/crawl-task.json; needs Docker
	infra/local/invoke '$(EVENT)'

deploy: ## build the functions and deploy them to the account that the AWS CLI is logged in to; ARGS='--parameter-overrides Contact=you@example.org'
	infra/aws/deploy $(ARGS)

clean: ## what the build and the demo left; crawls under out/ stay
	rm -rf bin out/demo .aws-sam
