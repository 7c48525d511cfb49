package ruff

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"poly/internal/engine"
)

// keys are the names of ruff's settings, as its command config lists them. The
// module itself lets pass whatever it does not know.
const keys = " analyze builtins cache-dir exclude extend extend-exclude extend-include extension fix fix-only force-exclude " +
	"format.docstring-code-format format.docstring-code-line-length format.exclude format.indent-style format.line-ending " +
	"format.nested-string-quote-style format.preview format.quote-style format.skip-magic-trailing-comma include indent-width " +
	"line-length lint.allowed-confusables lint.dummy-variable-rgx lint.exclude lint.explicit-preview-rules " +
	"lint.extend-fixable lint.extend-ignore lint.extend-per-file-ignores lint.extend-safe-fixes lint.extend-select " +
	"lint.extend-unsafe-fixes lint.external lint.fixable lint.flake8-annotations.allow-star-arg-any " +
	"lint.flake8-annotations.ignore-fully-untyped lint.flake8-annotations.mypy-init-return " +
	"lint.flake8-annotations.suppress-dummy-args lint.flake8-annotations.suppress-none-returning " +
	"lint.flake8-bandit.allowed-markup-calls lint.flake8-bandit.check-typed-exception lint.flake8-bandit.extend-markup-names " +
	"lint.flake8-bandit.hardcoded-tmp-directory lint.flake8-bandit.hardcoded-tmp-directory-extend " +
	"lint.flake8-boolean-trap.extend-allowed-calls lint.flake8-bugbear.extend-immutable-calls " +
	"lint.flake8-builtins.allowed-modules lint.flake8-builtins.builtins-allowed-modules " +
	"lint.flake8-builtins.builtins-ignorelist lint.flake8-builtins.builtins-strict-checking lint.flake8-builtins.ignorelist " +
	"lint.flake8-builtins.strict-checking lint.flake8-comprehensions.allow-dict-calls-with-keyword-arguments " +
	"lint.flake8-copyright.author lint.flake8-copyright.min-file-size lint.flake8-copyright.notice-rgx " +
	"lint.flake8-errmsg.max-string-length lint.flake8-gettext.extend-function-names lint.flake8-gettext.function-names " +
	"lint.flake8-implicit-str-concat.allow-multiline lint.flake8-import-conventions.aliases " +
	"lint.flake8-import-conventions.banned-aliases lint.flake8-import-conventions.banned-from " +
	"lint.flake8-import-conventions.extend-aliases lint.flake8-pytest-style.fixture-parentheses " +
	"lint.flake8-pytest-style.mark-parentheses lint.flake8-pytest-style.parametrize-names-type " +
	"lint.flake8-pytest-style.parametrize-values-row-type lint.flake8-pytest-style.parametrize-values-type " +
	"lint.flake8-pytest-style.raises-extend-require-match-for lint.flake8-pytest-style.raises-require-match-for " +
	"lint.flake8-pytest-style.warns-extend-require-match-for lint.flake8-pytest-style.warns-require-match-for " +
	"lint.flake8-quotes.avoid-escape lint.flake8-quotes.docstring-quotes lint.flake8-quotes.inline-quotes " +
	"lint.flake8-quotes.multiline-quotes lint.flake8-self.extend-ignore-names lint.flake8-self.ignore-names " +
	"lint.flake8-tidy-imports.ban-lazy lint.flake8-tidy-imports.ban-relative-imports lint.flake8-tidy-imports.banned-api " +
	"lint.flake8-tidy-imports.banned-module-level-imports lint.flake8-tidy-imports.extend-banned-api " +
	"lint.flake8-tidy-imports.require-lazy lint.flake8-type-checking.exempt-modules " +
	"lint.flake8-type-checking.quote-annotations lint.flake8-type-checking.runtime-evaluated-base-classes " +
	"lint.flake8-type-checking.runtime-evaluated-decorators lint.flake8-type-checking.strict " +
	"lint.flake8-unused-arguments.ignore-variadic-names lint.future-annotations lint.ignore lint.ignore-init-module-imports " +
	"lint.isort.case-sensitive lint.isort.classes lint.isort.combine-as-imports lint.isort.constants " +
	"lint.isort.default-section lint.isort.detect-same-package lint.isort.extra-standard-library lint.isort.force-single-line " +
	"lint.isort.force-sort-within-sections lint.isort.force-to-top lint.isort.force-wrap-aliases lint.isort.forced-separate " +
	"lint.isort.from-first lint.isort.import-heading lint.isort.known-first-party lint.isort.known-local-folder " +
	"lint.isort.known-third-party lint.isort.length-sort lint.isort.length-sort-straight lint.isort.lines-after-imports " +
	"lint.isort.lines-between-types lint.isort.no-lines-before lint.isort.no-sections lint.isort.order-by-type " +
	"lint.isort.relative-imports-order lint.isort.required-imports lint.isort.section-order lint.isort.sections " +
	"lint.isort.single-line-exclusions lint.isort.split-on-trailing-comma lint.isort.variables lint.logger-objects " +
	"lint.mccabe.max-complexity lint.pep8-naming.classmethod-decorators lint.pep8-naming.extend-ignore-names " +
	"lint.pep8-naming.ignore-names lint.pep8-naming.staticmethod-decorators lint.per-file-ignores lint.preview " +
	"lint.pycodestyle.ignore-overlong-task-comments lint.pycodestyle.max-doc-length lint.pycodestyle.max-line-length " +
	"lint.pydoclint.ignore-one-line-docstrings lint.pydocstyle.convention lint.pydocstyle.ignore-decorators " +
	"lint.pydocstyle.ignore-var-parameters lint.pydocstyle.property-decorators lint.pyflakes.allowed-unused-imports " +
	"lint.pyflakes.extend-generics lint.pylint.allow-dunder-method-names lint.pylint.allow-magic-value-types " +
	"lint.pylint.allow-magic-values lint.pylint.extend-allow-magic-values lint.pylint.max-args lint.pylint.max-bool-expr " +
	"lint.pylint.max-branches lint.pylint.max-locals lint.pylint.max-nested-blocks lint.pylint.max-positional-args " +
	"lint.pylint.max-public-methods lint.pylint.max-returns lint.pylint.max-statements lint.pylint.max-statements-in-try " +
	"lint.pyupgrade.keep-runtime-typing lint.ruff.allowed-markup-calls lint.ruff.extend-markup-names " +
	"lint.ruff.parenthesize-tuple-in-subscript lint.ruff.strictly-empty-init-modules lint.select lint.task-tags " +
	"lint.typing-extensions lint.typing-modules lint.unfixable namespace-packages output-format output-prefer-rule-codes " +
	"per-file-target-version preview required-version respect-gitignore show-fixes src target-version unsafe-fixes "

// known reports whether a setting, or a table of settings, has a name. What
// belongs under lint may stand above it, as it did in old versions.
func known(name string) (key, table bool) {
	for _, n := range [...]string{name, "lint." + name} {
		key = key || strings.Contains(keys, " "+n+" ")
		table = table || strings.Contains(keys, " "+n+".")
	}
	return key, table
}

// checkKeys returns an error for a setting ruff would refuse.
func checkKeys(file string, text []byte, table object, prefix string) error {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		isKey, isTable := known(prefix + key)
		below, ok := table[key].(object)
		switch {
		case isKey:
		case !isTable || !ok:
			return engine.Broken(file, lineOf(text, key), "unknown key %s", prefix+key)
		default:
			if err := checkKeys(file, text, below, prefix+key+"."); err != nil {
				return err
			}
		}
	}
	return nil
}

// lineOf returns the line that sets a key, or 0.
func lineOf(text []byte, key string) int {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimLeft(bytes.TrimSpace(line), `["'`)
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok && len(rest) > 0 && bytes.IndexByte([]byte(` =."']`), rest[0]) >= 0 {
			return n
		}
	}
	return 0
}
