# The two commands of the README: `make` builds poly and lints this repository; `make check` runs all that CI runs.
.PHONY: all engines build extra pack-biome proof-biome test race lint fmt generate golden fuzz bench costs proof cover check clean
TOOL = go tool -modfile=internal/gen/tools/go.mod

all:
	go run ./internal/gen/pack -optional
	go run ./internal/gen/grammars -optional
	$(MAKE) --no-print-directory build
	bin/poly warm
	bin/poly lint .

# What is built in and no Go module: Wasm engines, fetched by npm, and grammars of tree-sitter, fetched by cargo.
engines:
	go run ./internal/gen/pack
	go run ./internal/gen/grammars

build:
	go build -trimpath -ldflags "-X poly/internal/version.buildID=$$(git describe --always --dirty 2>/dev/null)" -o bin/poly ./cmd/poly

# bin/poly with the engines whose libraries make every start slower.
extra: engines
	go build -trimpath -tags extra -ldflags "-X poly/internal/version.buildID=$$(git describe --always --dirty 2>/dev/null)" -o bin/poly ./cmd/poly

# bin/poly with biome as well, whose module is large and slow to compile.
pack-biome: engines
	go run ./internal/gen/pack -pack biome
	go build -trimpath -tags biome -ldflags "-X poly/internal/version.buildID=$$(git describe --always --dirty 2>/dev/null)" -o bin/poly ./cmd/poly

test: engines
	go test ./...

race: engines
	go test -race ./runner ./runner/... ./internal/proc ./store ./internal/gitstate/... ./internal/worktree

lint:
	$(TOOL) golangci-lint run ./...

fmt: build
	bin/poly fmt --fix .

generate:
	go generate ./...

golden:
	go test ./... -update

fuzz:
	go run ./internal/gen/fuzz -time 5m

bench: build
	go run ./internal/gen/bench -poly bin/poly

# What each engine adds to start and size, for the page of engines.
costs:
	go run -tags extra ./internal/gen/costs && go generate ./internal/docs

proof: build
	go build -trimpath -tags extra -o bin/poly-extra ./cmd/poly
	bad=0; go run ./internal/gen/proof -poly bin/poly || bad=1; go run -tags extra ./internal/gen/proof -poly bin/poly-extra -parts extras || bad=1; exit $$bad

# The part of the proof that needs the optional pack.
proof-biome: pack-biome
	go run -tags biome ./internal/gen/proof -poly bin/poly -parts biome

cover:
	go test -coverprofile=bin/cover.out ./... && go tool cover -func=bin/cover.out | tail -1

check:
	go run ./internal/gen/check

clean:
	rm -rf bin
