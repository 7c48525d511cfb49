// Package arch is the map of the house. It holds no code, only this page and
// the tests that keep it true: floors, homes, sizes, names and the top level.
//
// poly lints and formats every language of a repository. One core does it: a
// runner keyed on git tree state, with per-blob results cached in SQLite.
//
// # Rooms
//
//	cmd/poly               the command line: one file a command, wiring, exit codes
//	hooks                  git hooks: install, stages over staged content, fixes back to index and worktree
//	runner                 Request -> Plan -> Report: keys, lookups, workers, fixes
//	runner/job             the one model and executor of jobs: of hooks and of the whole-project phase
//	runner/project         the whole-project phase: the tools that judge a repository as a whole
//	runner/task            work that outlives its request: ids, state, cancellation
//	mcp                    what agents may ask for: one file a tool
//	mcp/tool               tools out of functions: arguments, schemas, results, error codes
//	mcp/serve              the Model Context Protocol over pipes, tasks, the watch of the executable
//	mcp/page               reports cut to what a client takes
//	store                  SQLite: cache.db, which may vanish, and history.db, which is kept
//	internal/arch          this map and its tests
//	internal/diag          Diagnostic, Edit, FileReport, Report; lines, columns, applying edits
//	internal/lang          language ids, detection by name and shebang, templates, generated files
//	internal/usererr       message, hint and code, for people and agents
//	internal/glob          the one gitignore-style matcher
//	internal/version       build identity, part of every cache key
//	internal/atomicfile    temp + rename, in one place
//	internal/blake3        digests of short texts
//	internal/filelock      cross-process locks
//	internal/proc          child processes: nothing of them outlives poly
//	internal/toolout       reads what other tools print for machines: cargo, SARIF, go vet
//	internal/toon          the TOON encoder
//	internal/jsonrpc       JSON-RPC over pipes: one client, a goroutine a request
//	internal/mdtree        Markdown as a tree that knows where each part stands
//	internal/editorconfig  what .editorconfig says about a path
//	internal/yamlevent     events of YAML documents, as judge of what a formatter did
//	internal/guard         judges of what a formatter did, one folder a language, by other code than any formatter
//	internal/shellfile     shell scripts: dialects, and parsing within limits
//	internal/syntax        texts as flat trees, by tree-sitter; the grammars
//	internal/syntax/fetched    the grammars that no Go module has, as internal/gen/grammars lays them down
//	internal/docs          pages shown by poly docs
//	internal/gitstate      trees: worktree, index, commit, directory, overlay; only it and its rooms know git
//	internal/gitstate/entry    path, mode, id and form of one entry of a tree
//	internal/gitstate/sum      fast digests for sums over many names
//	internal/gitstate/repo     finding a repository; refs, objects, index, settings; the only one that starts git
//	internal/gitstate/attr     gitattributes, and the conversions that follow from them
//	internal/gitstate/ignore   which paths git ignores, and why
//	internal/gitstate/disk     lstat, reading below a directory, and what of it an index vouches for
//	internal/gitstate/recall   the bytes in which a scan remembers what it saw
//	internal/gitstate/index    the mapped index reader
//	internal/gitstate/gitconf  git's configuration files
//	internal/commitmsg     judges commit messages, and tidies them up
//	internal/worktree      every write to a worktree: lock, preimage, journal, recovery
//	internal/snapshot      a directory that holds exactly the files of a tree, kept between runs
//	internal/wasm          compiles Wasm modules once a user, keeps instances for the next call
//	internal/wasm/pack     the modules that are built in, as internal/gen/pack lays them down
//	internal/wasm/dprint   speaks to dprint plugins
//	internal/wasm/bindgen  speaks to modules made by wasm-bindgen, without JavaScript
//	internal/wasm/asm      small modules, for tests
//	internal/wasm/wasmtest the modules, for tests
//	internal/config        poly.toml: find, cascade, extend, validate; origins
//	internal/report        documents: pretty, json, toon; diffs, schemas, progress
//	internal/discover      which files of a tree are in scope, and why the others are not
//	internal/engine        Spec, Bound, Worker; the vocabulary of rule selection
//	internal/rules         ast-grep rules: sets of them, projects, the built-in pack, runs
//	internal/rules/match   the language of rules over trees: patterns, relations, fixes
//	internal/rules/rustre  regular expressions and globs as Rust's crates read them
//	internal/wasmfmt       formatters of wasm-bindgen modules with one function for it
//	internal/engine/all    the generated list of engines
//	internal/engine/enginetest  laws every engine obeys
//	internal/filesafety    judges what is staged by what no repository wants: markers, secrets, sizes, names, bits
//	internal/migrate       makes hooks of other tools into poly's
//	internal/gen           generators
//	internal/testutil      git repositories and helpers for tests
//
// One folder under internal/engine is one engine, one under internal/guard the
// judge of one language.
//
// # Floors
//
// Imports go down only; packages of one floor do not import each other. The
// table is [floors] in arch_test.go.
//
// # Paths of data
//
//   - poly lint, warm: index and lstat -> state id -> one memo row -> report. No
//     file is read, no engine opened, no git process started.
//   - Memo miss: one batched query for all keys; only missing and non-clean rows
//     come back. Misses are grouped by plan and worked on by Jobs workers, read
//     through Tree.Read; one collector sorts; one transaction at the end.
//   - Fixes: the runner computes new bytes, internal/worktree alone writes them.
//   - Config, rules and native tool configs are read through the tree being judged.
//   - Documents: the runner returns a diag.Report; internal/report renders it.
package arch
