package dotenv

import (
	"poly/internal/diag"
	"poly/internal/engine"
)

// rules are dotenv-linter's checks. All but unordered-key are on, as there.
var rules = []engine.Rule{
	{
		Code: codeDuplicate, Severity: diag.Warning, Default: true, URL: upstreamChecks + "duplicated_key",
		Doc: "A key is set twice.\n\n" +
			"Which of the values counts depends on the program that reads the file, and the other one is edited in vain.\n\n" +
			"    PORT=80\n    PORT=8080\n\n" +
			"Keep one of the lines.",
	},
	{
		Code: codeEnding, Severity: diag.Hint, Default: true, Fixable: true, URL: upstreamChecks + "ending_blank_line",
		Doc: "The last line has no line end.\n\n" +
			"`cat .env more.env` and `echo A=1 >> .env` then join two lines to one.\n\n" +
			"    PORT=80 (end of the file)\n\n" +
			"End the file with a line end.",
	},
	{
		Code: codeExtra, Severity: diag.Hint, Default: true, Fixable: true, URL: upstreamChecks + "extra_blank_line",
		Doc: "Several blank lines follow each other.\n\n" +
			"One is enough to part groups of keys; more only make the file longer.\n\n" +
			"    A=1\n\n    (blank)\n    (blank)\n    B=2\n\n" +
			"Keep one of them.",
	},
	{
		Code: codeDelimiter, Severity: diag.Warning, Default: true, URL: upstreamChecks + "incorrect_delimiter",
		Doc: "A key has a character that is no letter, digit or underscore.\n\n" +
			"A shell cannot set such a variable, so sourcing the file fails, and most readers drop the line.\n\n" +
			"    DB-HOST=localhost\n\n" +
			"Part words of a key with underscores: `DB_HOST`.",
	},
	{
		Code: codeNoValue, Severity: diag.Warning, Default: true, URL: upstreamChecks + "key_without_value",
		Doc: "A line names a key and has no equal sign.\n\n" +
			"Some readers take the value from their own environment, some set an empty one and most ignore the line.\n\n" +
			"    API_HOST\n\n" +
			"Write `API_HOST=`, or make the line a comment.",
	},
	{
		Code: codeLeading, Severity: diag.Warning, Default: true, Fixable: true, URL: upstreamChecks + "leading_character",
		Doc: "A line starts with something that cannot start a key.\n\n" +
			"A key starts with a letter or an underscore; readers ignore the line or take the character as a part of the key.\n\n" +
			"     PORT=80\n    -HOST=localhost\n\n" +
			"Start the line with the key.",
	},
	{
		Code: codeLower, Severity: diag.Info, Default: true, URL: upstreamChecks + "lowercase_key",
		Doc: "A key has small letters.\n\n" +
			"Variables of the environment are written in capitals by convention, and their names are told apart by case.\n\n" +
			"    debug=1\n\n" +
			"Write the key in capitals, here and where it is read.",
	},
	{
		Code: codeQuotes, Severity: diag.Info, Default: true, URL: upstreamChecks + "quote_character",
		Doc: "A value has quotes that it does not need.\n\n" +
			"Readers that know no quotes, such as docker's `--env-file`, make them a part of the value.\n\n" +
			"    NAME=\"web\"\n\n" +
			"Write `NAME=web`. Quotes are right around blanks and the characters `$`, `#`, `&` and `=`.",
	},
	{
		Code: codeSpace, Severity: diag.Warning, Default: true, Fixable: true, URL: upstreamChecks + "space_character",
		Doc: "There is a blank beside the equal sign.\n\n" +
			"A shell takes the key for a command, and strict readers make the blank a part of the key or of the value.\n\n" +
			"    PORT = 80\n\n" +
			"Write `PORT=80`.",
	},
	{
		Code: codeSubst, Severity: diag.Warning, Default: true, URL: upstreamChecks + "substitution_key",
		Doc: "A reference to another key is malformed.\n\n" +
			"A brace is missing, or what is in the braces is no name: the value is then used as it stands.\n\n" +
			"    URL=${HOST:80\n\n" +
			"Write `${HOST}` or `$HOST`; inside single quotes, or behind a backslash, a dollar sign is just that.",
	},
	{
		Code: codeTrailing, Severity: diag.Info, Default: true, Fixable: true, URL: upstreamChecks + "trailing_whitespace",
		Doc: "A line ends with blanks.\n\n" +
			"Some readers keep them as a part of the value, where nobody sees them.\n\n" +
			"    PORT=80 (blank)\n\n" +
			"Delete them, or put the value in quotes if they belong to it. The fix is offered for lines without a value.",
	},
	{
		Code: codeUnordered, Severity: diag.Hint, URL: upstreamChecks + "unordered_key",
		Doc: "A key stands behind one that follows it in the alphabet.\n\n" +
			"Keys in order are easier to find, and a duplicate of one is seen at once. Off by default: related keys are often grouped by hand.\n\n" +
			"    PORT=80\n    HOST=localhost\n\n" +
			"Sort the keys of a group; a blank line starts another group.",
	},
	{
		Code: codeUnquoted, Severity: diag.Info, Default: true, URL: upstreamChecks + "value_without_quotes",
		Doc: "A value with blanks is not in quotes.\n\n" +
			"A shell that sources the file runs the second word as a command.\n\n" +
			"    NAME=my web server\n\n" +
			"Write `NAME=\"my web server\"`.",
	},
}
