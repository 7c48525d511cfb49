package esbuild

import (
	"poly/internal/diag"
	"poly/internal/engine"
)

// jsRules are the warnings about scripts, by their id in esbuild.
var jsRules = []engine.Rule{
	{
		Code: "assert-to-with", Severity: diag.Warning, Default: true, Upstream: true, Fixable: true,
		Doc: "An import attribute is written with `assert`.\n\n" +
			"The keyword of the standard is `with`; the older one was dropped by V8 and is an error in new engines.\n\n" +
			"    import data from './a.json' assert { type: 'json' }\n\n" +
			"Write `with`; `poly lint --fix` does.",
	},
	{
		Code: "assert-type-json", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A name is imported from JSON that has only a default export.\n\n" +
			"With `type: 'json'` a module of JSON exports its value as `default` and nothing else, so the name is undefined or an error.\n\n" +
			"    import { version } from './package.json' with { type: 'json' }\n\n" +
			"Import the default and take the property from it.",
	},
	{
		Code: "assign-to-constant", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A constant is assigned to.\n\n" +
			"The statement throws a TypeError when it runs.\n\n" +
			"    const a = 1\n    a = 2\n\n" +
			"Declare it with `let`, or use another name.",
	},
	{
		Code: "assign-to-import", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "An imported name is assigned to.\n\n" +
			"Imports are views of another module: the assignment throws a TypeError.\n\n" +
			"    import { a } from './a.js'\n    a = 1\n\n" +
			"Export a function that sets the value, and call it.",
	},
	{
		Code: "call-import-namespace", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "The namespace of `import * as` is called.\n\n" +
			"A namespace is an object and never a function: the call throws a TypeError, though some bundlers let it pass.\n\n" +
			"    import * as express from 'express'\n    express()\n\n" +
			"Import the default: `import express from 'express'`.",
	},
	{
		Code: "class-name-will-throw", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A class is used in its own definition before it exists.\n\n" +
			"The name is not initialised while the static parts and keys of its class are evaluated, so reading it throws a ReferenceError.\n\n" +
			"    class A { static [A.key] = 1 }\n\n" +
			"Use `this` in a static block, or set the property after the class.",
	},
	{
		Code: "commonjs-variable-in-esm", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "`module` or `exports` is used in an ECMAScript module.\n\n" +
			"The file is a module by its import or export statements; there the variables of CommonJS do not exist.\n\n" +
			"    export const a = 1\n    module.exports.b = 2\n\n" +
			"Export with `export`, or write the whole file in CommonJS.",
	},
	{
		Code: "confusing-typescript-cast", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A cast of TypeScript binds in another way than it looks.\n\n" +
			"The type is parsed further than the reader expects, and the operator behind it becomes part of something else.\n\n" +
			"    const a = <any>b as c < d\n\n" +
			"Put parentheses around the cast.",
	},
	{
		Code: "delete-super-property", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A property of `super` is deleted.\n\n" +
			"The expression always throws a ReferenceError.\n\n" +
			"    class A extends B { f() { delete super.x } }\n\n" +
			"Delete the property of `this`.",
	},
	{
		Code: "duplicate-case", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "Two cases of a switch have the same value.\n\n" +
			"The second one is never reached.\n\n" +
			"    switch (a) { case 1: f(); break; case 1: g() }\n\n" +
			"Remove one of them or mend its value.",
	},
	{
		Code: "duplicate-class-member", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A class has two members of the same name.\n\n" +
			"The later one replaces the earlier one, which is never used.\n\n" +
			"    class A { f() {} f() {} }\n\n" +
			"Rename or remove one of them.",
	},
	{
		Code: "duplicate-object-key", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "An object literal has the same key twice.\n\n" +
			"The later value replaces the earlier one without a word.\n\n" +
			"    const a = { b: 1, b: 2 }\n\n" +
			"Remove one of them.",
	},
	{
		Code: "equals-nan", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "Something is compared with NaN.\n\n" +
			"NaN is unequal to everything, itself too, so the result never changes.\n\n" +
			"    if (a === NaN) f()\n\n" +
			"Use `Number.isNaN(a)`.",
	},
	{
		Code: "equals-negative-zero", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "Something is compared with -0.\n\n" +
			"`===` does not tell -0 from 0, so the comparison does less than it says.\n\n" +
			"    if (a === -0) f()\n\n" +
			"Use `Object.is(a, -0)`, or compare with 0.",
	},
	{
		Code: "equals-new-object", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "Something is compared with an object that was just made.\n\n" +
			"A new object, array, function or regular expression is equal to nothing else, so the result never changes.\n\n" +
			"    if (a === []) f()\n\n" +
			"Compare what is inside: `a.length === 0`.",
	},
	{
		Code: "html-comment-in-js", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A comment of HTML in a script.\n\n" +
			"`<!--` and `-->` begin a comment in scripts and are a syntax error in modules; where they were meant as operators the rest of the line is lost.\n\n" +
			"    x = a<!--b\n\n" +
			"Use `//`, or set a blank between the operators.",
	},
	{
		Code: "impossible-typeof", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "typeof is compared with what it never returns.\n\n" +
			"It returns one of eight strings; `null` is none of them.\n\n" +
			"    if (typeof a === 'null') f()\n\n" +
			"Compare with `null` itself, or mend the name of the type.",
	},
	{
		Code: "private-name-will-throw", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A private method or accessor is used in a way that throws.\n\n" +
			"Methods and accessors without a setter cannot be written, and those without a getter cannot be read.\n\n" +
			"    class A { get #a() { return 1 } f() { this.#a = 2 } }\n\n" +
			"Add the accessor that is missing.",
	},
	{
		Code: "semicolon-after-return", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "The value of a return stands on the next line.\n\n" +
			"A semicolon is inserted behind `return`: the function returns undefined and the value is never evaluated.\n\n" +
			"    return\n      a + b\n\n" +
			"Put the value, or an opening parenthesis, on the line of the return.",
	},
	{
		Code: "suspicious-boolean-not", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "`!` in front of the left side of `in` or `instanceof`.\n\n" +
			"It negates the operand and not the test, which then asks for `true` or `false`.\n\n" +
			"    if (!a in b) f()\n\n" +
			"Write `!(a in b)`.",
	},
	{
		Code: "suspicious-logical-operator", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A logical operator whose left side decides already.\n\n" +
			"The right side is never evaluated, or always: the operator was meant to be another, or parentheses are missing.\n\n" +
			"    a = () => {} || b\n\n" +
			"Use `??`, or set parentheses.",
	},
	{
		Code: "suspicious-nullish-coalescing", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "`??` behind a value that is never null or undefined.\n\n" +
			"The right side is never evaluated. Often the operator binds in another way than meant.\n\n" +
			"    a = a === b ?? c\n\n" +
			"Set parentheses, or remove the right side.",
	},
	{
		Code: "unsupported-jsx-comment", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A comment that configures JSX in a way that is not understood.\n\n" +
			"The setting has no effect, and the elements are made by another function than the comment says.\n\n" +
			"    /** @jsxRuntime automagic */\n\n" +
			"Mend the value: `automatic` or `classic`, or a name such as `h`.",
	},
}

// cssRules are those about style sheets.
var cssRules = []engine.Rule{
	{
		Code: "css-syntax-error", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "The style sheet does not parse here.\n\n" +
			"Browsers drop the declaration or rule, and sometimes all that follows up to the next brace.\n\n" +
			"    .a { color: red;\n    .b { color: blue }\n\n" +
			"Close what is open, or mend the declaration.",
	},
	{
		Code: "invalid-@charset", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "@charset is not the first thing in the file.\n\n" +
			"Browsers look for it in the first bytes only; anywhere else it is ignored.\n\n" +
			"    a { }\n    @charset \"utf-8\";\n\n" +
			"Move it to the very start, or remove it.",
	},
	{
		Code: "invalid-@import", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "An @import behind other rules.\n\n" +
			"It is only valid before all rules but @charset and @layer; browsers ignore it here, so the sheet is not loaded.\n\n" +
			"    a { }\n    @import \"b.css\";\n\n" +
			"Move it to the top.",
	},
	{
		Code: "invalid-@layer", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A layer has a name that CSS keeps for itself.\n\n" +
			"The rule is invalid and its styles are not used.\n\n" +
			"    @layer initial { a { } }\n\n" +
			"Choose another name.",
	},
	{
		Code: "invalid-calc", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "An operator of calc() lacks blanks.\n\n" +
			"Without blanks around it `+` and `-` belong to the number, and the whole declaration is invalid.\n\n" +
			"    width: calc(100% -10px)\n\n" +
			"Set a blank on both sides of the operator.",
	},
	{
		Code: "js-comment-in-css", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A comment that begins with `//`.\n\n" +
			"CSS has none: the text becomes part of the next rule or declaration, which is dropped with it.\n\n" +
			"    // remark\n    a { }\n\n" +
			"Use `/* ... */`.",
	},
	{
		Code: "undefined-composes-from", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A class composed from another file may come in any order.\n\n" +
			"The order of the two rules is undefined when both set the same property.\n\n" +
			"    composes: a from \"./b.css\"\n\n" +
			"Set the property in one of them only.",
	},
	{
		Code: "unsupported-@charset", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "@charset names another encoding than UTF-8.\n\n" +
			"The file is read as UTF-8 here and by most tools, so characters may be wrong.\n\n" +
			"    @charset \"iso-8859-1\";\n\n" +
			"Save the file as UTF-8 and say so.",
	},
	{
		Code: "unsupported-@namespace", Severity: diag.Warning, Default: false, Upstream: true,
		Doc: "A @namespace rule.\n\n" +
			"Bundlers cannot keep its scope when they join files. It is plain CSS otherwise, so the rule is off by default.\n\n" +
			"    @namespace svg url(http://www.w3.org/2000/svg);\n\n" +
			"Keep the sheet out of the bundle, or select by class.",
	},
	{
		Code: "unsupported-css-property", Severity: diag.Warning, Default: true, Upstream: true,
		Doc: "A property that looks like a misspelt one.\n\n" +
			"Browsers ignore what they do not know. Only names that are close to a known property are reported.\n\n" +
			"    .a { colr: red }\n\n" +
			"Mend the spelling, or prefix your own with `--`.",
	},
}
