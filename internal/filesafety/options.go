package filesafety

import (
	"fmt"

	"poly/internal/diag"
	"poly/internal/engine"
)

// EngineName is the engine field of the diagnostics.
const EngineName = "file_safety"

// Options are the switches of [hooks.builtin] file_safety.
type Options struct {
	MergeConflict               bool
	AddedLargeFiles             bool
	PrivateKey                  bool
	CaseConflict                bool
	ExecutablesHaveShebangs     bool
	ShebangScriptsAreExecutable bool
	BrokenLinks                 bool
	SubmoduleMoves              bool
	MaxAddedKB                  int64 // KiB
}

// Default is everything, and 500 KiB.
func Default() Options {
	return Options{true, true, true, true, true, true, true, true, 500}
}

// FromTable reads the table of the builtin as plain values; keys that are not
// about checks (enabled, stages, files, exclude) are left to the caller. nil is
// the default.
func FromTable(table map[string]any) (Options, error) {
	o := Default()
	for key, to := range map[string]*bool{
		"merge_conflict": &o.MergeConflict, "added_large_files": &o.AddedLargeFiles, "private_key": &o.PrivateKey, "case_conflict": &o.CaseConflict,
		"executables_have_shebangs": &o.ExecutablesHaveShebangs, "shebang_scripts_are_executable": &o.ShebangScriptsAreExecutable,
		"broken_links": &o.BrokenLinks, "submodule_moves": &o.SubmoduleMoves,
	} {
		switch v := table[key].(type) {
		case nil:
		case bool:
			*to = v
		default:
			return o, fmt.Errorf("file_safety: %s must be true or false", key)
		}
	}
	switch v := table["max_added_file_kb"].(type) {
	case nil:
	case int64:
		o.MaxAddedKB = v
	default:
		return o, fmt.Errorf("file_safety: max_added_file_kb must be a number")
	}
	return o, nil
}

// Codes of the diagnostics.
const (
	codeConflict   = "merge-conflict"
	codeLarge      = "added-large-file"
	codeLFS        = "lfs-content"
	codeKey        = "private-key"
	codeSecret     = "secret"
	codeCase       = "case-conflict"
	codeNoShebang  = "executable-without-shebang"
	codeNotExec    = "shebang-not-executable"
	codeBrokenLink = "broken-link"
	codeMoved      = "submodule-moved"
	codeEmbedded   = "embedded-repository"
)

func severityOf(code string) diag.Severity {
	for i := range rules {
		if rules[i].Code == code {
			return rules[i].Severity
		}
	}
	return diag.Error
}

// Spec describes the codes as those of an engine, for poly explain.
func Spec() *engine.Spec {
	return &engine.Spec{
		Name: EngineName, Verbs: engine.Lint, Rules: rules,
		Doc: "Judges what is about to be committed by what no repository wants: the builtin file_safety of [hooks].\n\n" +
			"It reads the index, not the worktree. What HEAD has already, and what came as it is from the other side of a merge, is not " +
			"reported. `files` and `exclude` limit it, and each check has a switch.",
	}
}

const sw = "\n\nIts switch in `[hooks.builtin.file_safety]` is `"

var rules = []engine.Rule{
	{Code: codeConflict, Severity: diag.Error, Default: true, Doc: "Merge markers are staged.\n\nReported are whole conflicts: the line with `<` seven times, the one with `=`, the one with `>`, in this order. While a merge or rebase goes on, the first or the last alone is enough. " +
		"Code blocks of documents show examples, and the attribute conflict-marker-size counts." + sw + "merge_conflict`."},
	{Code: codeLarge, Severity: diag.Error, Default: true, Doc: "A new file is larger than `max_added_file_kb`, 500 KiB if it is not set.\n\nHistory keeps it for ever. A file that was moved is not new; lock files, and paths with the attribute filter=lfs, are left alone." + sw + "added_large_files`."},
	{Code: codeLFS, Severity: diag.Warning, Default: true, Doc: "A large file is meant for Git LFS, but its content itself is staged.\n\nThe attribute filter=lfs is set, and no filter ran: is git-lfs installed? `git lfs install`, then `git add --renormalize .`." + sw + "added_large_files`."},
	{Code: codeKey, Severity: diag.Error, Default: true, Doc: "A private key is staged.\n\nWhoever can read the repository can use it. Revoke it, and keep the new one out of the repository. Keys in tests and examples are not reported. " +
		"The detector is that of the engine secrets, with the options of `[lint.secrets]`." + sw + "private_key`."},
	{Code: codeSecret, Severity: diag.Error, Default: true, Doc: "A credential is staged: a token, a password in a URL, a secret in an assignment.\n\nA comment `poly:allow-secret` in its line allows it. `poly explain secrets` tells what is known, and what the options of `[lint.secrets]` do." + sw + "private_key`."},
	{Code: codeCase, Severity: diag.Error, Default: true, Doc: "Two names differ in case alone.\n\nOn the file systems of macOS and Windows one of them hides the other. Directories count: `Docs/a.md` beside `docs/b.md`." + sw + "case_conflict`."},
	{Code: codeNoShebang, Severity: diag.Error, Default: true, Doc: "A text file is executable and does not begin with a shebang.\n\n`git update-index --chmod=-x FILE` takes the bit away. Programs, scripts of Windows and desktop entries are left alone." + sw + "executables_have_shebangs`."},
	{Code: codeNotExec, Severity: diag.Error, Default: true, Doc: "A script begins with a shebang and is not executable.\n\n`git update-index --chmod=+x FILE` sets the bit, also on Windows. Templates, documents, TypeScript and what lies in folders of fixtures are left alone." + sw + "shebang_scripts_are_executable`."},
	{Code: codeBrokenLink, Severity: diag.Error, Default: true, Doc: "A symbolic link leads to nothing that is committed.\n\nLinks that leave the repository, or lead into a submodule, are not judged. A link that breaks because its target is removed is reported too." + sw + "broken_links`."},
	{Code: codeMoved, Severity: diag.Warning, Default: true, Doc: "A submodule is moved to another commit, added or removed.\n\nIt is named because `git commit -a` does so unasked." + sw + "submodule_moves`."},
	{Code: codeEmbedded, Severity: diag.Error, Default: true, Doc: "A repository inside of this one is staged, and .gitmodules does not name it.\n\nNobody who clones gets its files. `git submodule add URL PATH` makes it a submodule, `git rm --cached PATH` leaves it out." + sw + "submodule_moves`."},
}
