package shell

import "poly/internal/diag"

// info is what is known of a rule before it is looked for.
type info struct {
	code     string
	severity diag.Severity
	fixable  bool
	doc      string
}

// severity is that of a code of the tables.
func severity(code string) diag.Severity {
	for _, t := range tables() {
		for i := range t {
			if t[i].code == code {
				return t[i].severity
			}
		}
	}
	return diag.Warning
}

func tables() [3][]info { return [3][]info{codes2000[:], codes2060[:], codes3000[:]} }

// codes2000, codes2060 and codes3000 hold the rules in the order of
// their numbers.
var codes2000 = [...]info{
	{
		code: "SC1090", severity: diag.Warning,
		doc: "A `.` or `source` of a file whose name is known only when the script runs.\n\n" +
			"What the file sets and declares is not known here, and neither is whether it exists.\n\n    . \"$config\"\n\n" +
			"Name a file that stands for it, by the comment `# shellcheck source=lib/config.sh` before the command, or `source=/dev/null`.",
	},
	{
		code: "SC1091", severity: diag.Info,
		doc: "A `.` or `source` of a file that is not read along.\n\n" +
			"Each file is judged alone, so what this one sets is not known here. Tell what is used from it by naming variables, or leave it.\n\n    . ./lib.sh\n\n" +
			"Write `# shellcheck source=/dev/null` before the command to say that this is fine.",
	},
	{
		code: "SC2001", severity: diag.Hint,
		doc: "`echo \"$x\" | sed s/a/b/`, which the shell can do by itself.\n\n" +
			"Two processes are started for one replacement.\n\n    y=$(echo \"$x\" | sed 's/a/b/g')\n\n" +
			"Write `${x//a/b}`, if the pattern needs no regular expression.",
	},
	{
		code: "SC2003", severity: diag.Hint,
		doc: "A call of `expr`.\n\n" +
			"The shell has arithmetic and patterns of its own, which start no process and need no escapes.\n\n    n=$(expr $n + 1)\n\n" +
			"Write `$((n + 1))`, `${x#prefix}` or `[[ x < y ]]`.",
	},
	{
		code: "SC2004", severity: diag.Hint,
		doc: "A `$` before a variable in arithmetic.\n\n" +
			"Names are variables there anyway, and without the `$` a value such as `1+2` is taken as one operand.\n\n    n=$(($n + 1))\n\n" +
			"Write `$((n + 1))`.",
	},
	{
		code: "SC2005", severity: diag.Hint,
		doc: "`echo $(command)`, where the command prints by itself.\n\n" +
			"The output is collected, split and printed anew.\n\n    echo \"$(date)\"\n\n" +
			"Write `date`.",
	},
	{
		code: "SC2006", severity: diag.Hint, fixable: true,
		doc: "Back quotes around a command.\n\n" +
			"Inside of them backslashes and quotes have rules of their own, and they do not nest.\n\n    now=`date`\n\n" +
			"Write `now=$(date)`.",
	},
	{
		code: "SC2009", severity: diag.Info,
		doc: "`ps | grep` for a process.\n\n" +
			"The search finds itself, and parts of other command lines.\n\n    ps aux | grep sshd\n\n" +
			"Use `pgrep`.",
	},
	{
		code: "SC2010", severity: diag.Warning,
		doc: "`ls | grep` for names.\n\n" +
			"Names with line breaks and other odd characters come out changed.\n\n    ls | grep '\\.txt$'\n\n" +
			"Use a glob, or a loop with a condition.",
	},
	{
		code: "SC2011", severity: diag.Warning,
		doc: "`ls | xargs`.\n\n" +
			"Names with blanks or quotes are split.\n\n    ls | xargs rm\n\n" +
			"Use `find ... -print0 | xargs -0 ...` or `find ... -exec`.",
	},
	{
		code: "SC2012", severity: diag.Info,
		doc: "The output of `ls` as input of a program.\n\n" +
			"It is made for people: odd characters come out changed, and its columns differ between systems.\n\n    ls -l | wc -l\n\n" +
			"Use `find`, `stat` or a glob.",
	},
	{
		code: "SC2013", severity: diag.Info,
		doc: "A loop over the words of a file that looks like one over its lines.\n\n" +
			"The output is split at blanks too, and each word is matched against file names.\n\n    for line in $(cat file); do\n\n" +
			"Write `while IFS= read -r line; do ... done <file`.",
	},
	{
		code: "SC2015", severity: diag.Info,
		doc: "`a && b || c`, which is not if, then and else.\n\n" +
			"`c` also runs if `a` works and `b` does not.\n\n    test -f x && rm x || touch x\n\n" +
			"Write `if test -f x; then rm x; else touch x; fi`.",
	},
	{
		code: "SC2016", severity: diag.Info,
		doc: "An expansion in single quotes.\n\n" +
			"The text is taken as it stands: nothing is put in the place of `$x`.\n\n    echo 'Hello $USER'\n\n" +
			"Use double quotes; or, if it is meant for another program, leave it.",
	},
	{
		code: "SC2018", severity: diag.Info,
		doc: "`a-z` as a set of `tr`.\n\n" +
			"It lacks letters with accents.\n\n    tr a-z A-Z\n\n" +
			"Write `'[:lower:]'`, unless only these letters are meant.",
	},
	{
		code: "SC2019", severity: diag.Info,
		doc: "`A-Z` as a set of `tr`.\n\n" +
			"It lacks letters with accents.\n\n    tr A-Z a-z\n\n" +
			"Write `'[:upper:]'`, unless only these letters are meant.",
	},
	{
		code: "SC2021", severity: diag.Info,
		doc: "Brackets around a set of `tr`.\n\n" +
			"`tr` takes them for two more characters.\n\n    tr '[abc]' x\n\n" +
			"Write `tr 'abc' x`.",
	},
	{
		code: "SC2026", severity: diag.Info,
		doc: "A word right behind a single quote that closes.\n\n" +
			"It stands outside of the quotes, which was hardly meant.\n\n    alias x='echo 'hello' world'\n\n" +
			"Use double quotes outside, or close, escape and open: `'\\''`.",
	},
	{
		code: "SC2027", severity: diag.Warning,
		doc: "An expansion between two double quotes that close and open.\n\n" +
			"The inner quotes end the outer ones, so the expansion is not quoted at all.\n\n    echo \"name \"$x\" here\"\n\n" +
			"Drop the inner quotes, or escape them.",
	},
	{
		code: "SC2028", severity: diag.Info,
		doc: "A backslash escape for `echo`.\n\n" +
			"Some shells print `\\n` as it is, others a new line.\n\n    echo \"a\\nb\"\n\n" +
			"Write `printf 'a\\nb\\n'`.",
	},
	{
		code: "SC2034", severity: diag.Warning,
		doc: "A variable that is set and never read.\n\n" +
			"It may be a slip of the pen, or left over. A script that reads this one is not looked at.\n\n    nam=x; echo \"$name\"\n\n" +
			"Use it, delete it, or export it; a name that starts with `_` is let alone.",
	},
	{
		code: "SC2035", severity: diag.Info,
		doc: "A pattern that may give names with a dash in front.\n\n" +
			"A file that is called `-rf` becomes an option.\n\n    rm *\n\n" +
			"Write `rm ./*` or `rm -- *`.",
	},
	{
		code: "SC2038", severity: diag.Warning,
		doc: "`find | xargs` without `-print0` and `-0`.\n\n" +
			"Names with blanks, quotes or line breaks are split.\n\n    find . -name '*.o' | xargs rm\n\n" +
			"Write `find . -name '*.o' -print0 | xargs -0 rm` or use `-exec`.",
	},
	{
		code: "SC2044", severity: diag.Warning,
		doc: "A loop over what `find` prints.\n\n" +
			"Names with blanks are split, and the loop starts only after all of them are found.\n\n    for f in $(find . -name '*.c'); do\n\n" +
			"Use `find -exec`, or `while read` behind `find`.",
	},
	{
		code: "SC2045", severity: diag.Error,
		doc: "A loop over what `ls` prints.\n\n" +
			"Names with blanks are split, odd characters come out changed.\n\n    for f in $(ls *.c); do\n\n" +
			"Write `for f in *.c; do`.",
	},
	{
		code: "SC2046", severity: diag.Warning,
		doc: "A command substitution that is not quoted.\n\n" +
			"Its output is split at blanks, and each piece is matched against file names.\n\n    rm $(cat list)\n\n" +
			"Quote it; or read it with `mapfile` or `read -a` where pieces are meant.",
	},
	{
		code: "SC2048", severity: diag.Warning,
		doc: "`$*` or `${array[*]}` without quotes.\n\n" +
			"The elements are joined and then split again.\n\n    f $*\n\n" +
			"Write `\"$@\"` or `\"${array[@]}\"`.",
	},
	{
		code: "SC2053", severity: diag.Warning,
		doc: "A right side of `=` in `[[ ]]` that is not quoted.\n\n" +
			"What it expands to is a pattern, so `*` in it matches anything.\n\n    [[ $x == $y ]]\n\n" +
			"Write `[[ $x == \"$y\" ]]`.",
	},
	{
		code: "SC2059", severity: diag.Info,
		doc: "A variable in the format of `printf`.\n\n" +
			"`%` and `\\` in its value mean something.\n\n    printf \"Hello $name\\n\"\n\n" +
			"Write `printf 'Hello %s\\n' \"$name\"`.",
	},
}

var codes3000 = [...]info{
	{
		code: "SC3001", severity: diag.Warning,
		doc: "A process substitution in a script for `sh`.\n\n" +
			"POSIX has none; dash stops at it.\n\n    diff <(a) <(b)\n\n" +
			"Use a temporary file, or bash.",
	},
	{
		code: "SC3003", severity: diag.Warning,
		doc: "`$'...'` in a script for `sh`.\n\n" +
			"dash takes the `$` for itself.\n\n    IFS=$'\\n'\n\n" +
			"Use `printf`, or bash.",
	},
	{
		code: "SC3005", severity: diag.Warning,
		doc: "`for ((...))` in a script for `sh`.\n\n" +
			"POSIX has none; dash stops at it.\n\n    for ((i = 0; i < 3; i++)); do\n\n" +
			"Use `while`, or bash.",
	},
	{
		code: "SC3006", severity: diag.Warning,
		doc: "`((...))` in a script for `sh`.\n\n" +
			"dash takes it for two subshells.\n\n    ((n++))\n\n" +
			"Write `n=$((n + 1))`.",
	},
	{
		code: "SC3010", severity: diag.Warning,
		doc: "`[[ ]]` in a script for `sh`.\n\n" +
			"dash looks for a program of that name.\n\n    [[ -n $x ]]\n\n" +
			"Write `[ -n \"$x\" ]`.",
	},
	{
		code: "SC3011", severity: diag.Warning,
		doc: "`<<<` in a script for `sh`.\n\n" +
			"dash stops at it.\n\n    cat <<<\"$x\"\n\n" +
			"Use a pipe from `printf`, or a here-document.",
	},
	{
		code: "SC3014", severity: diag.Warning, fixable: true,
		doc: "`==` in a script for `sh`.\n\n" +
			"The `[` of dash does not know it.\n\n    [ \"$x\" == y ]\n\n" +
			"Write `=`.",
	},
	{
		code: "SC3020", severity: diag.Warning,
		doc: "`&>` in a script for `sh`.\n\n" +
			"dash starts the command in the background, and empties the file.\n\n    cmd &>log\n\n" +
			"Write `cmd >log 2>&1`.",
	},
	{
		code: "SC3024", severity: diag.Warning,
		doc: "`+=` in a script for `sh`.\n\n" +
			"dash looks for a program of that name.\n\n    x+=y\n\n" +
			"Write `x=${x}y`.",
	},
	{
		code: "SC3028", severity: diag.Warning,
		doc: "A variable that only bash sets, in a script for `sh`.\n\n" +
			"It is empty in others.\n\n    sleep $RANDOM\n\n" +
			"Find the value by a command, or use bash.",
	},
	{
		code: "SC3030", severity: diag.Warning,
		doc: "An array in a script for `sh`.\n\n" +
			"dash stops at it.\n\n    a=(1 2)\n\n" +
			"Use `set --`, or bash.",
	},
	{
		code: "SC3037", severity: diag.Warning,
		doc: "An option of `echo` in a script for `sh`.\n\n" +
			"Some shells print it.\n\n    echo -n x\n\n" +
			"Use `printf`.",
	},
	{
		code: "SC3040", severity: diag.Warning,
		doc: "An option of `set` that only bash has, in a script for `sh`.\n\n" +
			"Others stop at it.\n\n    set -o pipefail\n\n" +
			"Leave it, or use bash.",
	},
	{
		code: "SC3043", severity: diag.Warning,
		doc: "`local` in a script for `sh`.\n\n" +
			"POSIX has none, though most shells do.\n\n    f() { local x; }\n\n" +
			"Use a subshell, names of their own, or another shebang.",
	},
	{
		code: "SC3044", severity: diag.Warning,
		doc: "A command that only bash has, in a script for `sh`.\n\n" +
			"Others look for a program of that name.\n\n    pushd dir\n\n" +
			"Use what POSIX has, or bash.",
	},
	{
		code: "SC3046", severity: diag.Warning, fixable: true,
		doc: "`source` in a script for `sh`.\n\n" +
			"dash looks for a program of that name.\n\n    source ./lib.sh\n\n" +
			"Write `. ./lib.sh`.",
	},
	{
		code: "SC3047", severity: diag.Warning,
		doc: "A trap that only bash has, in a script for `sh`.\n\n" +
			"Others stop at it.\n\n    trap 'echo failed' ERR\n\n" +
			"Use EXIT, or bash.",
	},
	{
		code: "SC3054", severity: diag.Warning,
		doc: "An element of an array in a script for `sh`.\n\n" +
			"dash stops at it.\n\n    echo \"${a[0]}\"\n\n" +
			"Use `set --`, or bash.",
	},
	{
		code: "SC3057", severity: diag.Warning,
		doc: "`${x:1:2}` in a script for `sh`.\n\n" +
			"dash stops at it.\n\n    echo \"${x:1}\"\n\n" +
			"Use `${x#?}` or `cut`, or bash.",
	},
	{
		code: "SC3060", severity: diag.Warning,
		doc: "`${x/a/b}` in a script for `sh`.\n\n" +
			"dash stops at it.\n\n    echo \"${x/a/b}\"\n\n" +
			"Use `sed`, or bash.",
	},
}
