package hooks

import (
	"strings"
)

// marker is in every shim, of older versions of poly too.
const marker = "poly-hook-shim:"

// before ends the name of a hook that was there before poly's.
const before = ".before-poly"

// guardFile lies in the common git directory of a repository that installed
// hooks into a directory that other repositories use, too.
const guardFile = "poly-hooks"

// runOld runs the hook that was there before. A script goes by the name it had:
// those of husky and of other managers find by $0 what to do.
const runOld = `before() {
	first=
	IFS= read -r first <"$old" 2>/dev/null || :
	case $first in
	'#!/bin/sh' | '#!/usr/bin/sh' | '#!/usr/bin/env sh') sh -c '. "$0` + before + `"' "$0" "$@" ;;
	'#!/bin/bash' | '#!/usr/bin/bash' | '#!/usr/bin/env bash') bash -c '. "$0` + before + `"' "$0" "$@" ;;
	*) "$old" "$@" ;;
	esac
}
`

// shim returns the text of a hook. poly is the absolute path of the binary
// that wrote it, "" if it is not known; shared says that the hook lies in a
// directory of more repositories than this one.
func shim(s Stage, poly string, shared bool) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	b.WriteString("# " + marker + "v2 " + s.Name + "\n")
	b.WriteString("# Written by \"poly hooks install\"; \"poly hooks uninstall\" removes it.\n")
	b.WriteString("old=$0" + before + "\n" + runOld)
	if s.Stdin {
		// Both readers get all of git's standard input.
		b.WriteString(`input=$(mktemp "${TMPDIR:-/tmp}/poly-hook.XXXXXX") || exit 1
cat >"$input"
exec 3<"$input" 4<"$input"
rm -f "$input"
if [ -x "$old" ]; then before "$@" <&3 || exit $?; fi
exec <&4 3<&- 4<&-
`)
	} else {
		b.WriteString("if [ -x \"$old\" ]; then before \"$@\" || exit $?; fi\n")
	}
	if shared {
		b.WriteString(`common=$(git rev-parse --git-common-dir 2>/dev/null) || exit 0
[ -e "$common/` + guardFile + `" ] || exit 0
`)
	}
	b.WriteString("if [ \"$POLY_HOOKS\" = 0 ]; then exit 0; fi\n")
	b.WriteString("recorded=" + quote(poly) + "\n")
	b.WriteString(`for poly in "$recorded" "$(command -v poly)" "${CARGO_HOME:-$HOME/.cargo}/bin/poly" "$HOME/.local/bin/poly" \
	"$HOME/go/bin/poly" "$HOME/bin/poly" /usr/local/bin/poly /opt/homebrew/bin/poly /home/linuxbrew/.linuxbrew/bin/poly; do
	if [ -f "$poly" ] && [ -x "$poly" ] && [ -s "$poly" ]; then
		exec "$poly" hooks hook-impl --hook-type=` + s.Name + ` -- "$@"
	fi
done
`)
	b.WriteString("echo >&2 \"poly: the " + s.Name + " hook cannot run: poly is neither at $recorded nor on PATH nor where it is usually installed\"\n")
	b.WriteString("echo >&2 \"poly: hint: install poly and run 'poly hooks install', or remove the hook: rm '$0'\"\n")
	b.WriteString("exit 1\n")
	return b.String()
}

// isShim reports whether a hook's text is one that poly wrote.
func isShim(text []byte) bool {
	head := string(text[:min(len(text), 400)])
	return strings.HasPrefix(head, "#!") && strings.Contains(head, marker)
}

// recorded returns the path of poly that a shim has, "" if none.
func recorded(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "recorded="); ok {
			return strings.ReplaceAll(strings.Trim(v, "'"), `'\''`, "'")
		}
	}
	return ""
}

// quote makes one word of sh of any text.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
