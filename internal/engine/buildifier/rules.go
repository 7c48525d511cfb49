package buildifier

import (
	"poly/internal/diag"
	"poly/internal/engine"
)

const codeSyntax = "syntax"

// page is where buildifier describes its warnings.
const page = "https://github.com/bazel-contrib/buildtools/blob/main/WARNINGS.md#"

// rules are the warnings of buildifier that one file is enough for. What is
// fixable is what its own fix cannot change the meaning of.
var rules = []engine.Rule{
	{
		Code: codeSyntax, Severity: diag.Error, Default: true, URL: "https://github.com/bazelbuild/starlark/blob/master/spec.md", Upstream: true,
		Doc: "The text is not Starlark.\n\nNothing can read the file. Only the first error is reported.\n\n    x = = 1\n\nMend what stands at that place or before it.",
	},
	{
		Code: "attr-applicable_licenses", Severity: diag.Info, Default: true, Upstream: true, URL: page + "attr-applicable_licenses",
		Doc: "An attribute of a rule is named `applicable_licenses`.\n\nBazel gives every rule an attribute of that name, and a second one may be refused.\n\n" +
			"    ATTRS = {\"applicable_licenses\": attr.label()}\n\nGive the attribute another name.",
	},
	{
		Code: "attr-cfg", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "attr-cfg",
		Doc: "An attribute has `cfg = \"data\"` or `cfg = \"host\"`.\n\n\"data\" does nothing, and \"host\" has been replaced.\n\n" +
			"    attr.label(cfg = \"host\")\n\nDrop \"data\"; write `cfg = \"exec\"` for \"host\".",
	},
	{
		Code: "attr-license", Severity: diag.Info, Default: true, Upstream: true, URL: page + "attr-license",
		Doc: "`attr.license()` is deprecated.\n\nHardly anything uses it, and Bazel is going to remove it.\n\n" +
			"    attr.license()\n\nLeave the attribute out.",
	},
	{
		Code: "attr-licenses", Severity: diag.Info, Default: true, Upstream: true, URL: page + "attr-licenses",
		Doc: "An attribute of a rule is named `licenses`.\n\nBazel gives every rule an attribute of that name, and a second one surprises.\n\n" +
			"    ATTRS = {\"licenses\": attr.string_list()}\n\nGive the attribute another name.",
	},
	{
		Code: "attr-non-empty", Severity: diag.Warning, Default: true, Fixable: true, Upstream: true, URL: page + "attr-non-empty",
		Doc: "An attribute has `non_empty`, which is deprecated.\n\nBazel refuses it with --incompatible_disable_deprecated_attr_params.\n\n" +
			"    attr.label_list(non_empty = True)\n\nWrite `allow_empty` with the opposite value.",
	},
	{
		Code: "attr-output-default", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "attr-output-default",
		Doc: "`attr.output()` has a default.\n\nTwo targets of the rule in one package would then write the same file.\n\n" +
			"    attr.output(default = \"out.txt\")\n\nLet a macro give the name.",
	},
	{
		Code: "attr-single-file", Severity: diag.Warning, Default: true, Fixable: true, Upstream: true, URL: page + "attr-single-file",
		Doc: "An attribute has `single_file`, which is deprecated.\n\nBazel refuses it with --incompatible_disable_deprecated_attr_params.\n\n" +
			"    attr.label(single_file = True)\n\nWrite `allow_single_file`.",
	},
	{
		Code: "build-args-kwargs", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "build-args-kwargs",
		Doc: "`*args` or `**kwargs` in a BUILD file.\n\nReaders and tools cannot see which arguments a target has.\n\n" +
			"    cc_library(name = \"a\", **COMMON)\n\nWrite the arguments out, or move the call into a macro.",
	},
	{
		Code: "confusing-name", Severity: diag.Info, Default: true, Upstream: true, URL: page + "confusing-name",
		Doc: "A variable is named `l`, `I` or `O`.\n\nThey look like digits and like each other.\n\n" +
			"    l = [1, 2]\n\nChoose a longer name.",
	},
	{
		Code: "constant-glob", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "constant-glob",
		Doc: "A pattern of a `glob` has no wildcard.\n\nSuch a file may be missing without anybody being told, and the glob costs time.\n\n" +
			"    srcs = glob([\"a.cc\"])\n\nName the file outside of the glob.",
	},
	{
		Code: "ctx-actions", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "ctx-actions",
		Doc: "A method of `ctx` that creates actions or files is deprecated.\n\nBazel refuses them with --incompatible_new_actions_api.\n\n" +
			"    ctx.new_file(\"a\")\n\nUse `ctx.actions`, here `ctx.actions.declare_file(\"a\")`.",
	},
	{
		Code: "ctx-args", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "ctx-args",
		Doc: "`args.add()` is given several values.\n\nBazel refuses that with --incompatible_disallow_old_style_args_add.\n\n" +
			"    args.add(ctx.files.srcs)\n\nUse `add_all` or `add_joined`.",
	},
	{
		Code: "depset-items", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "depset-items",
		Doc: "A `depset` has the parameter `items`.\n\nIts meaning depends on the type of the value, and Bazel is removing it.\n\n" +
			"    depset(items = deps)\n\nUse `direct` or `transitive`.",
	},
	{
		Code: "depset-iteration", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "depset-iteration",
		Doc: "A depset is iterated over or searched.\n\nIt has to be flattened for that, which may be costly; Bazel wants it to be said.\n\n" +
			"    [d.path for d in depset(x)]\n\nCall `.to_list()`, once.",
	},
	{
		Code: "depset-union", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "depset-union",
		Doc: "Depsets are joined by `+`, `|` or `union`.\n\nBazel refuses these with --incompatible_depset_union.\n\n" +
			"    all = depset(a) + b\n\nWrite `depset(transitive = [a, b])`.",
	},
	{
		Code: "dict-concatenation", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "dict-concatenation",
		Doc: "Dictionaries are joined by `+`.\n\nBazel refuses it with --incompatible_disallow_dict_plus.\n\n" +
			"    d = {\"a\": 1} + other\n\nUse `|`, `dicts.add` of Skylib, or `update`.",
	},
	{
		Code: "dict-method-named-arg", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "dict-method-named-arg",
		Doc: "`get`, `pop` or `setdefault` of a dictionary has an argument `default`.\n\nIt has no such parameter: that Bazel takes it is a mistake of Bazel.\n\n" +
			"    d.get(\"a\", default = 0)\n\nWrite `d.get(\"a\", 0)`.",
	},
	{
		Code: "duplicated-name", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "duplicated-name",
		Doc: "Two rules of a BUILD file have the same name.\n\nA label must be unique. Where macros make it legal, readers and tools find the wrong one.\n\n" +
			"    cc_library(name = \"a\")\n    cc_test(name = \"a\")\n\nRename one of them.",
	},
	{
		Code: "filetype", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "filetype",
		Doc: "`FileType` is deprecated.\n\nBazel refuses it with --incompatible_disallow_filetype.\n\n" +
			"    attr.label(allow_files = FileType([\".cc\"]))\n\nWrite the list of suffixes alone.",
	},
	{
		Code: "function-docstring", Severity: diag.Info, Default: true, Upstream: true, URL: page + "function-docstring",
		Doc: "A longer public function has no docstring.\n\nDocumentation is made of docstrings, and who calls the function has to read all of it.\n\n" +
			"    def macro(name):\n        # five statements or more\n\nWrite a docstring, or start the name with `_`.",
	},
	{
		Code: "function-docstring-args", Severity: diag.Info, Default: true, Upstream: true, URL: page + "function-docstring-args",
		Doc: "A docstring does not describe the parameters that the function has.\n\nWho reads it misses some, or looks for others in vain.\n\n" +
			"    def f(a, b):\n        \"\"\"Does it.\n\n        Args:\n          a: what\n        \"\"\"\n\nList every parameter below `Args:`.",
	},
	{
		Code: "function-docstring-header", Severity: diag.Info, Default: true, Upstream: true, URL: page + "function-docstring-header",
		Doc: "A docstring does not start with a line of its own that sums it up.\n\nLists of functions show that line.\n\n" +
			"    def f():\n        \"\"\"Does this\n        and that.\"\"\"\n\nWrite one line, then a blank one.",
	},
	{
		Code: "function-docstring-return", Severity: diag.Info, Default: true, Upstream: true, URL: page + "function-docstring-return",
		Doc: "A docstring does not say what the function returns.\n\nStarlark has no types that would say it.\n\n" +
			"    def f(a):\n        \"\"\"Does it.\"\"\"\n        return a\n\nAdd a paragraph `Returns:`.",
	},
	{
		Code: "git-repository", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "git-repository",
		Doc: "`git_repository` is used without a load.\n\nThe native rule is gone.\n\n" +
			"    git_repository(name = \"a\")\n\nLoad it from `@bazel_tools//tools/build_defs/repo:git.bzl`.",
	},
	{
		Code: "http-archive", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "http-archive",
		Doc: "`http_archive` is used without a load.\n\nThe native rule is gone.\n\n" +
			"    http_archive(name = \"a\")\n\nLoad it from `@bazel_tools//tools/build_defs/repo:http.bzl`.",
	},
	{
		Code: "integer-division", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "integer-division",
		Doc: "`/` divides integers.\n\nIn Bazel it is deprecated for them, and elsewhere it makes a float.\n\n" +
			"    half = 5 / 2\n\nWrite `//`.",
	},
	{
		Code: "keyword-positional-params", Severity: diag.Info, Default: true, Fixable: true, Upstream: true, URL: page + "keyword-positional-params",
		Doc: "A parameter of a built-in function is named that has no name worth reading.\n\nSuch names are there for old times' sake and may go.\n\n" +
			"    len(x = deps)\n\nWrite the value alone.",
	},
	{
		Code: "list-append", Severity: diag.Info, Default: true, Upstream: true, URL: page + "list-append",
		Doc: "A list of one element is added to another.\n\nA list is made for nothing.\n\n" +
			"    deps += [dep]\n\nWrite `deps.append(dep)`, unless `deps` may be a select.",
	},
	{
		Code: "load", Severity: diag.Warning, Default: true, Fixable: true, Upstream: true, URL: page + "load",
		Doc: "A loaded symbol is not used, or loaded twice.\n\nLoading costs time and hides what the file needs.\n\n" +
			"    load(\":a.bzl\", \"unused\")\n\nRemove it, or add a comment `# @unused`.",
	},
	{
		Code: "make-location", Severity: diag.Info, Default: true, Upstream: true, URL: page + "make-location",
		Doc: "`$(location)` is a make variable whose meaning depends on the attribute.\n\nIt is kept for old files: whether it is a path for the build or for a run cannot be seen.\n\n" +
			"    cmd = \"cat $(location :a)\"\n\nWrite `$(execpath :a)` or `$(rootpath :a)`.",
	},
	{
		Code: "module-docstring", Severity: diag.Info, Default: true, Upstream: true, URL: page + "module-docstring",
		Doc: "A .bzl file has no docstring.\n\nDocumentation is made of docstrings.\n\n" +
			"    def f():\n        pass\n\nStart the file with a string that says what it is for.",
	},
	{
		Code: "name-conventions", Severity: diag.Info, Default: true, Upstream: true, URL: page + "name-conventions",
		Doc: "A name is not written as names of its kind are.\n\nVariables are lower_snake_case, constants UPPER_SNAKE_CASE, providers UpperCamelCase with `Info` at the end.\n\n" +
			"    myVariable = 1\n\nRename it.",
	},
	{
		Code: "native-build", Severity: diag.Warning, Default: true, Fixable: true, Upstream: true, URL: page + "native-build",
		Doc: "`native.` in a BUILD file.\n\nIts members are global there.\n\n" +
			"    native.cc_library(name = \"a\")\n\nLeave out `native.`.",
	},
	{
		Code: "native-package", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "native-package",
		Doc: "`native.package()` in a .bzl file.\n\nIt silently changes what the BUILD file means that calls it.\n\n" +
			"    native.package(default_visibility = [\"//visibility:public\"])\n\nCall `package` in the BUILD file.",
	},
	{
		Code: "no-effect", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "no-effect",
		Doc: "The value of an expression is not used.\n\nMost often a call or an assignment was meant.\n\n" +
			"    a == 1\n\nAssign it, call it, or remove it.",
	},
	{
		Code: "output-group", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "output-group",
		Doc: "`ctx.attr.dep.output_group` is deprecated.\n\nBazel refuses it with --incompatible_no_target_output_group.\n\n" +
			"    ctx.attr.dep.output_group.bin\n\nWrite `ctx.attr.dep[OutputGroupInfo]`.",
	},
	{
		Code: "overly-nested-depset", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "overly-nested-depset",
		Doc: "A depset is nested in itself by a loop.\n\nThe chain gets as long as the loop, and reading it slow or impossible.\n\n" +
			"    for d in deps:\n        x = depset(transitive = [x, d])\n\nCollect a list and make one depset of it.",
	},
	{
		Code: "package-name", Severity: diag.Warning, Default: true, Fixable: true, Upstream: true, URL: page + "package-name",
		Doc: "`PACKAGE_NAME` is deprecated.\n\nBazel refuses it with --incompatible_package_name_is_a_function.\n\n" +
			"    a = PACKAGE_NAME\n\nCall `native.package_name()`.",
	},
	{
		Code: "package-on-top", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "package-on-top",
		Doc: "`package()` stands behind other rules.\n\nPeople and tools think that it counts for the whole file; it may become an error.\n\n" +
			"    cc_library(name = \"a\")\n    package(default_visibility = [])\n\nMove it behind the loads.",
	},
	{
		Code: "positional-args", Severity: diag.Info, Default: true, Upstream: true, URL: page + "positional-args",
		Doc: "A rule or macro is called with arguments that have no name.\n\nTheir order may change, and tools that edit files look for names.\n\n" +
			"    my_macro(\"foo\", \"bar\")\n\nName the arguments.",
	},
	{
		Code: "print", Severity: diag.Info, Default: true, Upstream: true, URL: page + "print",
		Doc: "`print()` is left in the file.\n\nIts output reaches people who cannot do anything about it.\n\n" +
			"    print(deps)\n\nRemove it, or call `fail`.",
	},
	{
		Code: "provider-params", Severity: diag.Info, Default: true, Upstream: true, URL: page + "provider-params",
		Doc: "A provider has no documentation or no list of fields.\n\nNeither its readers nor Bazel can tell a wrong field.\n\n" +
			"    FooInfo = provider()\n\nWrite `provider(doc = ..., fields = ...)`.",
	},
	{
		Code: "redefined-variable", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "redefined-variable",
		Doc: "A global variable is assigned twice.\n\n.bzl files may not do that, and readers find the wrong value.\n\n" +
			"    a = 1\n    a = 2\n\nChoose another name.",
	},
	{
		Code: "repository-name", Severity: diag.Warning, Default: true, Fixable: true, Upstream: true, URL: page + "repository-name",
		Doc: "`REPOSITORY_NAME` is deprecated.\n\nBazel refuses it with --incompatible_package_name_is_a_function.\n\n" +
			"    a = REPOSITORY_NAME\n\nCall `native.repository_name()`.",
	},
	{
		Code: "return-value", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "return-value",
		Doc: "A function returns a value on some ways only.\n\nThe others return None, most often by mistake.\n\n" +
			"    def f(a):\n        if a:\n            return 1\n\nReturn `None` by name, or `fail` where it cannot come.",
	},
	{
		Code: "rule-impl-return", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "rule-impl-return",
		Doc: "The implementation of a rule returns a struct.\n\nThat is how providers were returned long ago; Bazel is removing it.\n\n" +
			"    return struct(files = x)\n\nReturn a list of providers.",
	},
	{
		Code: "skylark-comment", Severity: diag.Info, Default: true, Fixable: true, Upstream: true, URL: page + "skylark-comment",
		Doc: "A comment speaks of Skylark.\n\nThe language is named Starlark since 2018.\n\n" +
			"    # a Skylark macro\n\nWrite Starlark.",
	},
	{
		Code: "skylark-docstring", Severity: diag.Info, Default: true, Upstream: true, URL: page + "skylark-docstring",
		Doc: "A docstring speaks of Skylark.\n\nThe language is named Starlark since 2018.\n\n" +
			"    \"\"\"Skylark rules.\"\"\"\n\nWrite Starlark.",
	},
	{
		Code: "string-iteration", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "string-iteration",
		Doc: "A string is iterated over.\n\nBazel refuses it with --incompatible_string_is_not_iterable.\n\n" +
			"    for c in \"abc\":\n        f(c)\n\nIterate over `range(len(s))` or `s.elems()`.",
	},
	{
		Code: "uninitialized", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "uninitialized",
		Doc: "A variable may have no value here.\n\nIt gets one only on some ways to this place; on the others the build fails.\n\n" +
			"    if a:\n        b = 1\n    print(b)\n\nGive it a value before.",
	},
	{
		Code: "unnamed-macro", Severity: diag.Info, Default: true, Upstream: true, URL: page + "unnamed-macro",
		Doc: "A macro has no parameter `name`.\n\nTools and people find what a BUILD file calls by its name.\n\n" +
			"    def macro(srcs):\n        native.filegroup(name = \"x\", srcs = srcs)\n\nAdd the parameter, or start the name of a helper with `_`.",
	},
	{
		Code: "unreachable", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "unreachable",
		Doc: "A statement cannot be reached.\n\nIt stands behind return, break, continue or fail.\n\n" +
			"    return 1\n    a = 2\n\nRemove it.",
	},
	{
		Code: "unsorted-dict-items", Severity: diag.Info, Upstream: true, URL: page + "unsorted-dict-items",
		Doc: "The keys of a dictionary are not in order.\n\nSorted ones are easier to find and to merge.\n\n" +
			"    {\"b\": 1, \"a\": 2}\n\nSort them; a comment `# @unsorted-dict-items` keeps them.",
	},
	{
		Code: "unused-variable", Severity: diag.Warning, Default: true, Upstream: true, URL: page + "unused-variable",
		Doc: "A variable or a function is not used in the file.\n\nIt may be what is left of something, or a name mistyped.\n\n" +
			"    def f():\n        x = 1\n\nRemove it; start its name with `_`, or add a comment `# @unused`.",
	},
	{
		Code: "native-android", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-android",
		Doc: "Rules such as `android_binary` are used without a load.\n\n" + nativeWhy + "    android_binary(name = \"a\")\n\n" + nativeAndroid,
	},
	{
		Code: "native-cc-binary", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-binary",
		Doc: "`cc_binary` is used without a load.\n\n" + nativeWhy + "    cc_binary(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-common", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-common",
		Doc: "`cc_common` is used without a load.\n\n" + nativeWhy + "    cc_common\n\n" + nativeCC,
	},
	{
		Code: "native-cc-debug-package-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-debug-package-info",
		Doc: "`DebugPackageInfo` is used without a load.\n\n" + nativeWhy + "    DebugPackageInfo\n\n" + nativeCC,
	},
	{
		Code: "native-cc-fdo-prefetch-hints", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-fdo-prefetch-hints",
		Doc: "`fdo_prefetch_hints` is used without a load.\n\n" + nativeWhy + "    fdo_prefetch_hints(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-fdo-profile", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-fdo-profile",
		Doc: "`fdo_profile` is used without a load.\n\n" + nativeWhy + "    fdo_profile(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-import", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-import",
		Doc: "`cc_import` is used without a load.\n\n" + nativeWhy + "    cc_import(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-info",
		Doc: "`CcInfo` is used without a load.\n\n" + nativeWhy + "    CcInfo\n\n" + nativeCC,
	},
	{
		Code: "native-cc-library", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-library",
		Doc: "`cc_library` is used without a load.\n\n" + nativeWhy + "    cc_library(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-memprof-profile", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-memprof-profile",
		Doc: "`memprof_profile` is used without a load.\n\n" + nativeWhy + "    memprof_profile(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-objc-import", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-objc-import",
		Doc: "`objc_import` is used without a load.\n\n" + nativeWhy + "    objc_import(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-objc-library", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-objc-library",
		Doc: "`objc_library` is used without a load.\n\n" + nativeWhy + "    objc_library(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-propeller-optimize", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-propeller-optimize",
		Doc: "`propeller_optimize` is used without a load.\n\n" + nativeWhy + "    propeller_optimize(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-proto", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-proto",
		Doc: "`cc_proto_library` is used without a load.\n\n" + nativeWhy + "    cc_proto_library(name = \"a\")\n\n" + nativeProto,
	},
	{
		Code: "native-cc-shared-library", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-shared-library",
		Doc: "`cc_shared_library` is used without a load.\n\n" + nativeWhy + "    cc_shared_library(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-shared-library-hint-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-shared-library-hint-info",
		Doc: "`CcSharedLibraryHintInfo` is used without a load.\n\n" + nativeWhy + "    CcSharedLibraryHintInfo\n\n" + nativeCC,
	},
	{
		Code: "native-cc-shared-library-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-shared-library-info",
		Doc: "`CcSharedLibraryInfo` is used without a load.\n\n" + nativeWhy + "    CcSharedLibraryInfo\n\n" + nativeCC,
	},
	{
		Code: "native-cc-test", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-test",
		Doc: "`cc_test` is used without a load.\n\n" + nativeWhy + "    cc_test(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-toolchain", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-toolchain",
		Doc: "`cc_toolchain` is used without a load.\n\n" + nativeWhy + "    cc_toolchain(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-cc-toolchain-suite", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-cc-toolchain-suite",
		Doc: "`cc_toolchain_suite` is used without a load.\n\n" + nativeWhy + "    cc_toolchain_suite(name = \"a\")\n\n" + nativeCC,
	},
	{
		Code: "native-java-binary", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-binary",
		Doc: "`java_binary` is used without a load.\n\n" + nativeWhy + "    java_binary(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-common", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-common",
		Doc: "`java_common` is used without a load.\n\n" + nativeWhy + "    java_common\n\n" + nativeJava,
	},
	{
		Code: "native-java-import", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-import",
		Doc: "`java_import` is used without a load.\n\n" + nativeWhy + "    java_import(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-info",
		Doc: "`JavaInfo` is used without a load.\n\n" + nativeWhy + "    JavaInfo\n\n" + nativeJava,
	},
	{
		Code: "native-java-library", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-library",
		Doc: "`java_library` is used without a load.\n\n" + nativeWhy + "    java_library(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-lite-proto", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-lite-proto",
		Doc: "`java_lite_proto_library` is used without a load.\n\n" + nativeWhy + "    java_lite_proto_library(name = \"a\")\n\n" + nativeProto,
	},
	{
		Code: "native-java-package-config", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-package-config",
		Doc: "`java_package_configuration` is used without a load.\n\n" + nativeWhy + "    java_package_configuration(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-plugin", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-plugin",
		Doc: "`java_plugin` is used without a load.\n\n" + nativeWhy + "    java_plugin(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-plugin-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-plugin-info",
		Doc: "`JavaPluginInfo` is used without a load.\n\n" + nativeWhy + "    JavaPluginInfo\n\n" + nativeJava,
	},
	{
		Code: "native-java-proto", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-proto",
		Doc: "`java_proto_library` is used without a load.\n\n" + nativeWhy + "    java_proto_library(name = \"a\")\n\n" + nativeProto,
	},
	{
		Code: "native-java-runtime", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-runtime",
		Doc: "`java_runtime` is used without a load.\n\n" + nativeWhy + "    java_runtime(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-test", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-test",
		Doc: "`java_test` is used without a load.\n\n" + nativeWhy + "    java_test(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-java-toolchain", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-java-toolchain",
		Doc: "`java_toolchain` is used without a load.\n\n" + nativeWhy + "    java_toolchain(name = \"a\")\n\n" + nativeJava,
	},
	{
		Code: "native-proto", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-proto",
		Doc: "`proto_library` is used without a load.\n\n" + nativeWhy + "    proto_library(name = \"a\")\n\n" + nativeProto,
	},
	{
		Code: "native-proto-common", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-proto-common",
		Doc: "`proto_common` is used without a load.\n\n" + nativeWhy + "    proto_common\n\n" + nativeProto,
	},
	{
		Code: "native-proto-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-proto-info",
		Doc: "`ProtoInfo` is used without a load.\n\n" + nativeWhy + "    ProtoInfo\n\n" + nativeProto,
	},
	{
		Code: "native-proto-lang-toolchain", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-proto-lang-toolchain",
		Doc: "`proto_lang_toolchain` is used without a load.\n\n" + nativeWhy + "    proto_lang_toolchain(name = \"a\")\n\n" + nativeProto,
	},
	{
		Code: "native-proto-lang-toolchain-info", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-proto-lang-toolchain-info",
		Doc: "`ProtoLangToolchainInfo` is used without a load.\n\n" + nativeWhy + "    ProtoLangToolchainInfo\n\n" + nativeProto,
	},
	{
		Code: "native-py", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-py",
		Doc: "Rules such as `py_binary` are used without a load.\n\n" + nativeWhy + "    py_binary(name = \"a\")\n\n" + nativePython,
	},
	{
		Code: "native-sh-binary", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-sh-binary",
		Doc: "`sh_binary` is used without a load.\n\n" + nativeWhy + "    sh_binary(name = \"a\")\n\n" + nativeShell,
	},
	{
		Code: "native-sh-library", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-sh-library",
		Doc: "`sh_library` is used without a load.\n\n" + nativeWhy + "    sh_library(name = \"a\")\n\n" + nativeShell,
	},
	{
		Code: "native-sh-test", Severity: diag.Info, Default: true, Upstream: true, URL: page + "native-sh-test",
		Doc: "`sh_test` is used without a load.\n\n" + nativeWhy + "    sh_test(name = \"a\")\n\n" + nativeShell,
	},
}

// What the rules about symbols that were native once have in common.
const (
	nativeWhy     = "Bazel moves it out of its core: without a load it comes from a fallback that newer releases drop.\n\n"
	nativeCC      = "Load it from `@rules_cc`."
	nativeJava    = "Load it from `@rules_java`."
	nativeProto   = "Load it from `@com_google_protobuf`."
	nativeShell   = "Load it from `@rules_shell`."
	nativeAndroid = "Load them from `@rules_android`."
	nativePython  = "Load them from `@rules_python`."
)
