package shell

import "poly/internal/diag"

var codes2060 = [...]info{
	{
		code: "SC2060", severity: diag.Warning,
		doc: "A set of `tr` that is a pattern.\n\n" +
			"If a file matches it, its name comes in its place.\n\n    tr [a-z] [A-Z]\n\n" +
			"Quote it.",
	},
	{
		code: "SC2061", severity: diag.Warning,
		doc: "A pattern of `find` that is not quoted.\n\n" +
			"The shell puts matching names of this folder in its place.\n\n    find . -name *.c\n\n" +
			"Write `find . -name '*.c'`.",
	},
	{
		code: "SC2062", severity: diag.Warning,
		doc: "A pattern of `grep` that is not quoted.\n\n" +
			"The shell puts matching names of this folder in its place.\n\n    grep a* file\n\n" +
			"Quote it.",
	},
	{
		code: "SC2064", severity: diag.Warning,
		doc: "A trap in double quotes that expands something.\n\n" +
			"It is expanded when the trap is set, not when it runs.\n\n    trap \"rm $tmp\" EXIT\n\n" +
			"Use single quotes, unless the value of now is meant.",
	},
	{
		code: "SC2066", severity: diag.Error,
		doc: "A loop over one quoted word.\n\n" +
			"The quotes make one word of it, so the loop runs once.\n\n    for x in \"$(cat list)\"; do\n\n" +
			"Drop the quotes, or read lines with `while read`.",
	},
	{
		code: "SC2068", severity: diag.Error,
		doc: "A list without quotes.\n\n" +
			"Its elements are split at blanks and matched against file names, as if it were no list.\n\n    f $@\n\n" +
			"Write `\"$@\"` or `\"${array[@]}\"`.",
	},
	{
		code: "SC2069", severity: diag.Warning,
		doc: "`2>&1` before the redirection of the output.\n\n" +
			"Errors go where the output went before: to the terminal.\n\n    cmd 2>&1 >log\n\n" +
			"Write `cmd >log 2>&1`.",
	},
	{
		code: "SC2070", severity: diag.Error,
		doc: "`[ -n $x ]` without quotes.\n\n" +
			"If the value is empty there is no second argument, and `-n` itself is not empty: the test is true.\n\n    [ -n $x ]\n\n" +
			"Write `[ -n \"$x\" ]`.",
	},
	{
		code: "SC2076", severity: diag.Warning,
		doc: "A quoted regular expression.\n\n" +
			"In quotes it is plain text.\n\n    [[ $x =~ \"^a.*\" ]]\n\n" +
			"Drop the quotes, or put it into a variable.",
	},
	{
		code: "SC2086", severity: diag.Info,
		doc: "An expansion that is not quoted.\n\n" +
			"Its value is split at blanks, and each piece is matched against file names; an empty one is no argument at all.\n\n    rm $file\n\n" +
			"Write `rm \"$file\"`; where several arguments are meant, use an array.",
	},
	{
		code: "SC2115", severity: diag.Warning,
		doc: "`rm -r` of a path that is a folder of the system if a variable is empty.\n\n" +
			"A slip in its name is enough to delete everything.\n\n    rm -rf \"$dir/\"*\n\n" +
			"Write `\"${dir:?}/\"*`, which stops the script.",
	},
	{
		code: "SC2116", severity: diag.Hint,
		doc: "`$(echo x)`, which is `x`.\n\n" +
			"A process is started for nothing.\n\n    f \"$(echo \"$x\")\"\n\n" +
			"Write `f \"$x\"`.",
	},
	{
		code: "SC2124", severity: diag.Warning,
		doc: "A list that is assigned as text.\n\n" +
			"Its elements are joined with blanks, and cannot be told apart any more.\n\n    args=\"$@\"\n\n" +
			"Write `args=(\"$@\")`, or `args=\"$*\"` if one text is meant.",
	},
	{
		code: "SC2126", severity: diag.Hint,
		doc: "`grep | wc -l`.\n\n" +
			"`grep` can count.\n\n    grep x file | wc -l\n\n" +
			"Write `grep -c x file`.",
	},
	{
		code: "SC2128", severity: diag.Warning,
		doc: "An array without an index.\n\n" +
			"It is the first element only.\n\n    files=(a b); rm \"$files\"\n\n" +
			"Write `\"${files[@]}\"`.",
	},
	{
		code: "SC2129", severity: diag.Hint,
		doc: "Three or more commands in a row that append to one file.\n\n" +
			"The file is opened each time, and its name can differ by mistake.\n\n    a >>f; b >>f; c >>f\n\n" +
			"Write `{ a; b; c; } >>f`.",
	},
	{
		code: "SC2140", severity: diag.Warning,
		doc: "A word between two double quotes that close and open.\n\n" +
			"It stands outside of the quotes, which was hardly meant.\n\n    echo \"say \"hello\" now\"\n\n" +
			"Escape the inner quotes, or drop them.",
	},
	{
		code: "SC2143", severity: diag.Hint,
		doc: "`[ -n \"$(... | grep x)\" ]`.\n\n" +
			"All output is collected to see if there is any.\n\n    [ -n \"$(ps | grep x)\" ]\n\n" +
			"Write `ps | grep -q x`.",
	},
	{
		code: "SC2145", severity: diag.Error,
		doc: "Text that is joined to a list.\n\n" +
			"It goes to the first or the last element alone.\n\n    die \"wrong: $@\"\n\n" +
			"Write `\"wrong: $*\"` for one text, or make the list a word of its own.",
	},
	{
		code: "SC2148", severity: diag.Warning,
		doc: "No shebang.\n\n" +
			"Which shell runs it depends on who starts it, and what is right depends on the shell.\n\n    echo hello\n\n" +
			"Write `#!/bin/sh` or `#!/usr/bin/env bash` first; in a file that others read, `# shellcheck shell=sh`.",
	},
	{
		code: "SC2154", severity: diag.Warning,
		doc: "A variable that is read and never set.\n\n" +
			"It may be misspelt. Names without small letters are let alone, since the environment may have them.\n\n    nam=x; echo \"$name\"\n\n" +
			"Set it; or give a default, `${name:-}`, if others set it.",
	},
	{
		code: "SC2155", severity: diag.Warning,
		doc: "A command in the value of `local`, `export`, `declare` or `readonly`.\n\n" +
			"Its exit status is lost: that of the declaration, which works, takes its place.\n\n    local x=$(cmd)\n\n" +
			"Write `local x; x=$(cmd)`.",
	},
	{
		code: "SC2162", severity: diag.Info,
		doc: "`read` without `-r`.\n\n" +
			"Backslashes are taken away, and join lines.\n\n    read line\n\n" +
			"Write `read -r line`.",
	},
	{
		code: "SC2164", severity: diag.Warning,
		doc: "`cd` without a look at whether it worked.\n\n" +
			"If it did not, all that follows runs in the wrong folder.\n\n    cd build; rm -rf *\n\n" +
			"Write `cd build || exit`, or put `set -e` first.",
	},
	{
		code: "SC2166", severity: diag.Warning,
		doc: "`-a` or `-o` in `[ ]`.\n\n" +
			"POSIX calls them obsolete: what they do with odd values is not defined.\n\n    [ a = b -a c = d ]\n\n" +
			"Write `[ a = b ] && [ c = d ]`.",
	},
	{
		code: "SC2174", severity: diag.Warning,
		doc: "`mkdir -p -m`.\n\n" +
			"The mode is that of the deepest folder; those above it get the usual one.\n\n    mkdir -p -m 700 a/b/c\n\n" +
			"Make the folders one by one, or set the umask.",
	},
	{
		code: "SC2181", severity: diag.Hint,
		doc: "`$?` that is compared with 0 on its own.\n\n" +
			"A command put in between breaks it, and `if` can ask the command itself.\n\n    make; if [ $? -ne 0 ]; then\n\n" +
			"Write `if ! make; then`.",
	},
	{
		code: "SC2185", severity: diag.Info,
		doc: "`find` without a folder.\n\n" +
			"Only some take the current one.\n\n    find -name '*.c'\n\n" +
			"Write `find . -name '*.c'`.",
	},
	{
		code: "SC2188", severity: diag.Warning,
		doc: "A redirection without a command.\n\n" +
			"Some shells wait for input there, others make the file empty.\n\n    >file\n\n" +
			"Write `: >file`, or move it to the command it belongs to.",
	},
	{
		code: "SC2196", severity: diag.Info, fixable: true,
		doc: "`egrep`.\n\n" +
			"It is not standard, and warns in newer versions.\n\n    egrep 'a|b' file\n\n" +
			"Write `grep -E`.",
	},
	{
		code: "SC2197", severity: diag.Info, fixable: true,
		doc: "`fgrep`.\n\n" +
			"It is not standard, and warns in newer versions.\n\n    fgrep a.b file\n\n" +
			"Write `grep -F`.",
	},
	{
		code: "SC2206", severity: diag.Warning,
		doc: "An expansion without quotes in an array.\n\n" +
			"It is split at blanks, and each piece is matched against file names.\n\n    a=($x)\n\n" +
			"Quote it; or split it with `read -ra a <<<\"$x\"`.",
	},
	{
		code: "SC2207", severity: diag.Warning,
		doc: "A command substitution without quotes in an array.\n\n" +
			"Its output is split at blanks, and each piece is matched against file names.\n\n    a=($(cmd))\n\n" +
			"Write `mapfile -t a < <(cmd)`.",
	},
	{
		code: "SC2219", severity: diag.Hint,
		doc: "A call of `let`.\n\n" +
			"Its arguments are split and matched against file names before they are arithmetic.\n\n    let n=n+1\n\n" +
			"Write `((n = n + 1))`.",
	},
	{
		code: "SC2223", severity: diag.Info,
		doc: "`: ${x:=y}` without quotes.\n\n" +
			"The value is split and matched against file names for nothing, which may take long.\n\n    : ${dir:=/tmp}\n\n" +
			"Write `: \"${dir:=/tmp}\"`.",
	},
	{
		code: "SC2231", severity: diag.Info,
		doc: "An expansion without quotes beside a pattern of a loop.\n\n" +
			"It is split at blanks.\n\n    for f in $dir/*.txt; do\n\n" +
			"Write `for f in \"$dir\"/*.txt; do`.",
	},
	{
		code: "SC2239", severity: diag.Warning,
		doc: "A shebang without an absolute path.\n\n" +
			"The system looks for the interpreter from the folder one happens to be in.\n\n    #!bin/sh\n\n" +
			"Write `#!/bin/sh`, or `#!/usr/bin/env bash`.",
	},
	{
		code: "SC2254", severity: diag.Warning,
		doc: "An expansion without quotes in a pattern of `case`.\n\n" +
			"`*` in its value matches anything.\n\n    case $x in $y) echo same ;; esac\n\n" +
			"Write `\"$y\")`.",
	},
	{
		code: "SC2268", severity: diag.Hint,
		doc: "An `x` before both sides of a comparison.\n\n" +
			"Shells of this century need it no more.\n\n    [ \"x$a\" = \"xb\" ]\n\n" +
			"Write `[ \"$a\" = \"b\" ]`.",
	},
	{
		code: "SC2269", severity: diag.Info,
		doc: "A variable that is set to itself.\n\n" +
			"Nothing happens, so something else was meant.\n\n    path=$path\n\n" +
			"Delete it, or write `export path`.",
	},
	{
		code: "SC2294", severity: diag.Warning,
		doc: "`eval` of a list.\n\n" +
			"The elements are joined and split anew.\n\n    eval \"$@\"\n\n" +
			"Write `\"$@\"`, which runs the list as a command.",
	},
	{
		code: "SC2295", severity: diag.Info,
		doc: "An expansion without quotes in the pattern of `${x#...}`.\n\n" +
			"Quotes around the whole do not reach it: `*` in its value matches anything.\n\n    echo \"${path#$dir}\"\n\n" +
			"Write `\"${path#\"$dir\"}\"`.",
	},
	{
		code: "SC2329", severity: diag.Info,
		doc: "A function that nothing calls before the script ends, or before another takes its name.\n\n" +
			"It may be left over; or a trap or an `eval` calls it.\n\n    f() { echo a; }; exit 0\n\n" +
			"Call it or delete it.",
	},
}
