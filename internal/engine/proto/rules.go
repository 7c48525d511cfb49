package proto

import (
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
)

// The codes of what compilers refuse.
const (
	codeSyntax       = "syntax"
	codeNumber       = "field-number"
	codeReservedName = "reserved-name"
	codeInvalid      = "invalid"
	codeDuplicate    = "duplicate-name"
	codeJSONName     = "json-name"
)

// The codes of buf.
const (
	codeDirectoryPackage = "DIRECTORY_SAME_PACKAGE"
	codePackage          = "PACKAGE_DEFINED"
	codePackageDirectory = "PACKAGE_DIRECTORY_MATCH"
	codePackageName      = "PACKAGE_LOWER_SNAKE_CASE"
	codeVersionSuffix    = "PACKAGE_VERSION_SUFFIX"
	codeFirstZero        = "ENUM_FIRST_VALUE_ZERO"
	codeAlias            = "ENUM_NO_ALLOW_ALIAS"
	codeEnumName         = "ENUM_PASCAL_CASE"
	codeValueName        = "ENUM_VALUE_UPPER_SNAKE_CASE"
	codeValuePrefix      = "ENUM_VALUE_PREFIX"
	codeZeroSuffix       = "ENUM_ZERO_VALUE_SUFFIX"
	codeFieldName        = "FIELD_LOWER_SNAKE_CASE"
	codeRequired         = "FIELD_NOT_REQUIRED"
	codeImportPublic     = "IMPORT_NO_PUBLIC"
	codeImportUsed       = "IMPORT_USED"
	codeMessageName      = "MESSAGE_PASCAL_CASE"
	codeOneofName        = "ONEOF_LOWER_SNAKE_CASE"
	codeRPCName          = "RPC_PASCAL_CASE"
	codeServiceName      = "SERVICE_PASCAL_CASE"
	codeServiceSuffix    = "SERVICE_SUFFIX"
	codeSyntaxSpecified  = "SYNTAX_SPECIFIED"
	codeFileName         = "FILE_LOWER_SNAKE_CASE"
	codeUnique           = "RPC_REQUEST_RESPONSE_UNIQUE"
	codeRequestName      = "RPC_REQUEST_STANDARD_NAME"
	codeResponseName     = "RPC_RESPONSE_STANDARD_NAME"
)

// sameRules are those about options that all files of a package share.
var sameRules = [...]struct{ code, option string }{
	{"PACKAGE_SAME_CSHARP_NAMESPACE", "csharp_namespace"},
	{"PACKAGE_SAME_GO_PACKAGE", "go_package"},
	{"PACKAGE_SAME_JAVA_MULTIPLE_FILES", "java_multiple_files"},
	{"PACKAGE_SAME_JAVA_PACKAGE", "java_package"},
	{"PACKAGE_SAME_PHP_NAMESPACE", "php_namespace"},
	{"PACKAGE_SAME_RUBY_PACKAGE", "ruby_package"},
	{"PACKAGE_SAME_SWIFT_PREFIX", "swift_prefix"},
}

// compiler tells that a code is about what compilers refuse.
func compiler(code string) bool { return code == strings.ToLower(code) }

const bufRules = "https://buf.build/docs/lint/rules/"

// rules lists what the engine reports.
func rules() []engine.Rule {
	var out []engine.Rule
	for _, r := range texts {
		rule := engine.Rule{
			Code: r.code, Severity: r.severity, Default: true, Upstream: r.upstream,
			Doc: r.sum + "\n\n" + r.why + "\n\n    " + strings.ReplaceAll(r.example, "\n", "\n    ") + "\n\n" + r.instead,
		}
		rule.URL = "https://protobuf.dev/programming-guides/proto3/"
		if !compiler(r.code) {
			rule.URL = bufRules
		}
		out = append(out, rule)
	}
	for _, r := range sameRules {
		out = append(out, engine.Rule{
			Code: r.code, Severity: diag.Warning, Default: true, URL: bufRules,
			Doc: "Files of one package disagree about the option `" + r.option + "`.\n\n" +
				"The code made of a package would be torn over several places. Files of the same directory are compared; one without\n" +
				"the option differs from one that has it.\n\n" +
				"    // a.proto\n    option " + r.option + " = \"one\";\n    // b.proto\n    option " + r.option + " = \"two\";\n\n" +
				"Give all files of the package the same value.",
		})
	}
	return out
}

// ruleOf finds what is reported under a code.
func ruleOf(code string) (r struct {
	Severity diag.Severity
	URL      string
},
) {
	r.Severity, r.URL = diag.Warning, bufRules
	for i := range texts {
		if texts[i].code == code {
			r.Severity = texts[i].severity
		}
	}
	if compiler(code) {
		r.URL = ""
	}
	return r
}

// text is a rule and its documentation.
type text struct {
	code                       string
	severity                   diag.Severity
	upstream                   bool
	sum, why, example, instead string
}
