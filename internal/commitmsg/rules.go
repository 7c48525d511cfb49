package commitmsg

import "poly/internal/diag"

// Codes of the diagnostics.
const (
	codeEmpty         = "empty-message"
	codeTitleLength   = "title-max-length"
	codeTitleFormat   = "title-format"
	codeTypeEmpty     = "type-empty"
	codeTypeCase      = "type-case"
	codeTypeUnknown   = "type-enum"
	codeScope         = "scope-enum"
	codeSubjectEmpty  = "subject-empty"
	codeSubjectCase   = "subject-case"
	codeFullStop      = "subject-full-stop"
	codeBodyLength    = "body-max-line-length"
	codeFooterLength  = "footer-max-line-length"
	codeBodyBlank     = "body-leading-blank"
	codeFooterBlank   = "footer-leading-blank"
	codeBodyMissing   = "body-empty"
	codeSingleLine    = "single-line"
	codeBreakingCase  = "breaking-change-case"
	codeBreakingEmpty = "breaking-change-empty"
	codePattern       = "message-pattern"
	codeExcluded      = "excluded"
	codePrefix        = "title-prefix"
	codeSuffix        = "title-suffix"
	codeEmoji         = "no-emojis"
	codeASCII         = "ascii-only"
	codeAITrailer     = "ai-trailer"
	codeAINotice      = "ai-notice"
	codeCleanup       = "cleanup"
)

// Rule describes a code.
type Rule struct {
	Code     string
	Severity diag.Severity
	Fixable  bool   // by poly commit --write
	Doc      string // Markdown: a line that sums it up, then paragraphs
}

func severityOf(code string) diag.Severity {
	for i := range rules {
		if rules[i].Code == code {
			return rules[i].Severity
		}
	}
	return diag.Error
}

// Rules lists the codes in the order of the documentation. The caller must not
// change it.
func Rules() []Rule { return rules }

var rules = []Rule{
	{codeEmpty, diag.Error, false, "The message is empty.\n\nComments, and what stands below git's scissors, are no part of it."},
	{codeTypeEmpty, diag.Error, false, "The title has no type.\n\nA conventional title reads `type(scope)!: subject`:\n\n    feat(parser): read byte order marks\n\nThe scope and the `!` of a breaking change may be missing. A pattern of `[commit.rules] message` replaces this form."},
	{codeTitleFormat, diag.Error, true, "The colon behind the type is not followed by a space."},
	{codeTypeCase, diag.Error, true, "The type is not in small letters."},
	{codeTypeUnknown, diag.Error, false, "The type is not one of those that are allowed.\n\nThey are build, chore, ci, docs, feat, fix, perf, refactor, revert, style and test, or those of `[commit.rules] types`."},
	{codeScope, diag.Error, false, "The scope is empty, or not in `[commit.rules] scopes`.\n\nWithout that list any scope is allowed."},
	{codeSubjectEmpty, diag.Error, false, "Nothing follows the type."},
	{codeSubjectCase, diag.Error, false, "The subject begins like a heading: in upper, pascal, sentence or start case.\n\n    feat: add a parser      good\n    feat: Add a parser      sentence case\n    feat: Add A Parser      start case\n\nSubjects with letters outside of ASCII are not judged."},
	{codeFullStop, diag.Error, true, "The subject ends with a full stop. An ellipsis may stay."},
	{codeTitleLength, diag.Error, false, "The title is longer than `[commit.rules] title_max_length`, 100 characters if it is not set."},
	{codeBodyBlank, diag.Warning, true, "No blank line separates the title from the body, so git takes both for the title."},
	{codeBodyLength, diag.Error, false, "A line of the body is longer than `[commit.rules] body_max_length`, 100 characters if it is not set.\n\nLines with a URL, code that is fenced or indented by four, quotations, tables, and words too long to be wrapped are left alone."},
	{codeBodyMissing, diag.Error, false, "The message has no body, and the preset conventional-body or `require_body` wants one. Trailers are no body."},
	{codeSingleLine, diag.Error, false, "The message has more than one line, and the preset simple or `single_line` wants one."},
	{codeFooterBlank, diag.Warning, true, "No blank line separates the footers from what is above, so tools do not see them."},
	{codeFooterLength, diag.Error, false, "A line of the footers is longer than `[commit.rules] body_max_length`.\n\nNames of persons, URLs and words too long to be wrapped are left alone."},
	{codeBreakingCase, diag.Error, true, "The note of a breaking change is not in capitals, so that release tools overlook it.\n\n    BREAKING CHANGE: the flag --old is gone"},
	{codeBreakingEmpty, diag.Error, false, "The note of a breaking change does not say what breaks."},
	{codePattern, diag.Error, false, "The message does not match the pattern of `[commit.rules] message`.\n\nIt is enough if the title does. The preset simple wants a title that starts with a letter."},
	{codeExcluded, diag.Error, false, "The message matches one of `[commit.rules] excludes`."},
	{codePrefix, diag.Error, true, "The title does not begin with `title_prefix` and its separator."},
	{codeSuffix, diag.Error, true, "The title does not end with `title_suffix` and its separator."},
	{codeEmoji, diag.Error, false, "The message has an emoji, and `no_emojis` is set."},
	{codeASCII, diag.Error, false, "The message has a character outside of ASCII, and `ascii_only` is set."},
	{codeAITrailer, diag.Error, true, "A trailer names a program as author: Claude, ChatGPT, Copilot and others.\n\nPeople of the same name are left alone: a bare first name counts only with an address of the program's maker, or none. `[commit.rules] ai_trailers = \"allow\"` switches it off."},
	{codeAINotice, diag.Error, true, "A line says nothing but which program wrote the message.\n\n`[commit.rules] ai_trailers = \"allow\"` switches it off."},
	{codeCleanup, diag.Info, true, "One of `[commit.rules] cleanup` applies: `poly commit --write` makes the replacement."},
}
