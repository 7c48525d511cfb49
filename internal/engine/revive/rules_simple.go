package revive

import (
	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// simpleRules are those about code that could be simpler.
var simpleRules = []engine.Rule{
	{
		Code: "bare-return", Severity: diag.Warning, Upstream: true, URL: rulePage + "bare-return",
		Doc: "A return without values in a function with named results.\n\n" +
			"The reader has to look up what is returned, and since when.\n\n" +
			"    func f() (n int) { n = 1; return }\n\n" +
			"Name the values.",
	},
	{
		Code: "empty-block", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "empty-block",
		Doc: "A block is empty.\n\n" +
			"It looks like a statement that was forgotten.\n\n" +
			"    if err != nil {\n    }\n\n" +
			"Remove it, or say why it is empty in a comment.",
	},
	{
		Code: "flag-parameter", Severity: diag.Warning, Upstream: true, URL: rulePage + "flag-parameter",
		Doc: "A boolean parameter chooses what a function does.\n\n" +
			"Calls say `true` and nobody sees what for.\n\n" +
			"    func save(sync bool) { if sync { } }\n\n" +
			"Make two functions.",
	},
	{
		Code: "identical-branches", Severity: diag.Warning, Upstream: true, URL: rulePage + "identical-branches",
		Doc: "Both branches of an if do the same.\n\n" +
			"The condition has no effect: one branch was meant to differ.\n\n" +
			"    if a { f() } else { f() }\n\n" +
			"Mend one branch, or drop the condition.",
	},
	{
		Code: "identical-ifelseif-branches", Severity: diag.Warning, Upstream: true, URL: rulePage + "identical-ifelseif-branches",
		Doc: "Two branches of an if-else chain do the same.\n\n" +
			"One was meant to differ, or their conditions belong together.\n\n" +
			"    if a { f() } else if b { f() }\n\n" +
			"Join the conditions.",
	},
	{
		Code: "identical-ifelseif-conditions", Severity: diag.Warning, Upstream: true, URL: rulePage + "identical-ifelseif-conditions",
		Doc: "Two conditions of an if-else chain are the same.\n\n" +
			"The second branch is never reached.\n\n" +
			"    if a { f() } else if a { g() }\n\n" +
			"Mend one of them.",
	},
	{
		Code: "identical-switch-branches", Severity: diag.Warning, Upstream: true, URL: rulePage + "identical-switch-branches",
		Doc: "Two clauses of a switch do the same.\n\n" +
			"One was meant to differ, or their cases belong together.\n\n" +
			"    case 1: f()\n    case 2: f()\n\n" +
			"Write `case 1, 2`.",
		Options: []config.Option{
			{Name: "allow_identical_default", Type: config.Bool, Verbs: config.Lint, Doc: "the default clause may repeat another one"},
		},
	},
	{
		Code: "identical-switch-conditions", Severity: diag.Warning, Upstream: true, URL: rulePage + "identical-switch-conditions",
		Doc: "Two cases of a switch are the same.\n\n" +
			"The second one is never reached.\n\n" +
			"    case a > 1:\n    case a > 1:\n\n" +
			"Mend one of them.",
	},
	{
		Code: "if-return", Severity: diag.Warning, Upstream: true, URL: rulePage + "if-return",
		Doc: "An error is tested only to be returned, or nil.\n\n" +
			"The test says what returning the error says.\n\n" +
			"    if err := f(); err != nil { return err }\n    return nil\n\n" +
			"Return the call.",
	},
	{
		Code: "multiline-if-init", Severity: diag.Warning, Upstream: true, URL: rulePage + "multiline-if-init",
		Doc: "The statement before an if's condition takes several lines.\n\n" +
			"The condition is lost behind it.\n\n" +
			"    if v := call(\n        a,\n    ); v {\n\n" +
			"Put the statement in front of the if.",
	},
	{
		Code: "optimize-operands-order", Severity: diag.Warning, Upstream: true, URL: rulePage + "optimize-operands-order",
		Doc: "A call stands before a cheaper operand of && or ||.\n\n" +
			"The right side is not evaluated if the left one decides.\n\n" +
			"    if expensive() && done {\n\n" +
			"Put the cheaper operand first, if the order does not matter.",
	},
	{
		Code: "redundant-build-tag", Severity: diag.Warning, Upstream: true, URL: rulePage + "redundant-build-tag",
		Doc: "A build tag is repeated in the old form, or is true for the module.\n\n" +
			"`// +build` is read by no Go that the module supports.\n\n" +
			"    //go:build go1.17\n    // +build go1.17\n\n" +
			"Keep the line that begins with //go:build.",
	},
	{
		Code: "redundant-test-main-exit", Severity: diag.Warning, Upstream: true, URL: rulePage + "redundant-test-main-exit",
		Doc: "TestMain exits with what m.Run returned.\n\n" +
			"Since Go 1.15 the testing package does it.\n\n" +
			"    os.Exit(m.Run())\n\n" +
			"Call `m.Run()`.",
	},
	{
		Code: "superfluous-else", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "superfluous-else",
		Doc: "An else follows a block that leaves by break, continue or goto.\n\n" +
			"The main path is indented without need.\n\n" +
			"    if a { continue } else { f() }\n\n" +
			"Drop the else and move its block out.",
		Options: []config.Option{
			{Name: "flags", Type: config.Strings, Verbs: config.Lint, Enum: []string{"preserve-scope"}, Doc: "preserve-scope: not where a variable would live longer"},
		},
	},
	{
		Code: "unnecessary-format", Severity: diag.Warning, Upstream: true, URL: rulePage + "unnecessary-format",
		Doc: "A function that formats is given nothing to format.\n\n" +
			"It costs time, and a stray % would be read as a verb.\n\n" +
			"    fmt.Sprintf(\"done\")\n\n" +
			"Use the text, or the function without f.",
	},
	{
		Code: "unnecessary-if", Severity: diag.Warning, Upstream: true, URL: rulePage + "unnecessary-if",
		Doc: "An if only chooses between true and false.\n\n" +
			"The condition is the value.\n\n" +
			"    if a > b { return true }\n    return false\n\n" +
			"Return or assign the condition.",
	},
	{
		Code: "unnecessary-stmt", Severity: diag.Warning, Upstream: true, URL: rulePage + "unnecessary-stmt",
		Doc: "A statement has no effect.\n\n" +
			"A return at the end of a function, a break at the end of a case or a switch of one case says nothing.\n\n" +
			"    func f() { g(); return }\n\n" +
			"Remove it.",
	},
	{
		Code: "use-any", Severity: diag.Warning, Upstream: true, URL: rulePage + "use-any",
		Doc: "interface{} is written where any would do.\n\n" +
			"Since Go 1.18 they are the same, and the short one reads better.\n\n" +
			"    var v interface{}\n\n" +
			"Write `any`.",
	},
	{
		Code: "use-errors-new", Severity: diag.Warning, Upstream: true, URL: rulePage + "use-errors-new",
		Doc: "fmt.Errorf is given nothing to format.\n\n" +
			"errors.New does the same for less, in modules of Go 1.25 or older.\n\n" +
			"    fmt.Errorf(\"not found\")\n\n" +
			"Use `errors.New`.",
	},
	{
		Code: "use-fmt-print", Severity: diag.Warning, Upstream: true, URL: rulePage + "use-fmt-print",
		Doc: "The built-in print or println is called.\n\n" +
			"They write to standard error, and may be removed from the language.\n\n" +
			"    println(\"done\")\n\n" +
			"Use the fmt package.",
	},
	{
		Code: "use-slices-concat", Severity: diag.Warning, Upstream: true, URL: rulePage + "use-slices-concat",
		Doc: "Slices are joined by appending to an empty one.\n\n" +
			"slices.Concat, since Go 1.22, says what is meant.\n\n" +
			"    append(append([]int{}, a...), b...)\n\n" +
			"Use `slices.Concat(a, b)`.",
	},
	{
		Code: "use-slices-sort", Severity: diag.Warning, Upstream: true, URL: rulePage + "use-slices-sort",
		Doc: "A function of the package sort is called that slices has a better one for.\n\n" +
			"Those of slices, since Go 1.21, are faster and check types.\n\n" +
			"    sort.Strings(names)\n\n" +
			"Use `slices.Sort(names)`.",
	},
	{
		Code: "use-waitgroup-go", Severity: diag.Warning, Upstream: true, URL: rulePage + "use-waitgroup-go",
		Doc: "A goroutine is counted by hand in a wait group.\n\n" +
			"wg.Go, since Go 1.25, counts and starts it in one call.\n\n" +
			"    wg.Add(1)\n    go func() { defer wg.Done(); f() }()\n\n" +
			"Use `wg.Go(f)`.",
	},
	{
		Code: "useless-break", Severity: diag.Warning, Upstream: true, URL: rulePage + "useless-break",
		Doc: "A break at the end of a case.\n\n" +
			"Cases do not fall through in Go; in a loop it looks as if it left the loop.\n\n" +
			"    case 1:\n        f()\n        break\n\n" +
			"Remove it, or name the loop that it is to leave.",
	},
	{
		Code: "useless-fallthrough", Severity: diag.Warning, Upstream: true, URL: rulePage + "useless-fallthrough",
		Doc: "A case holds a fallthrough alone.\n\n" +
			"Cases can be listed.\n\n" +
			"    case 1:\n        fallthrough\n    case 2:\n\n" +
			"Write `case 1, 2:`.",
	},
	{
		Code: "var-declaration", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "var-declaration",
		Doc: "A declaration says a type or zero value that is there anyway.\n\n" +
			"It makes the reader look for a reason. Types that other files or packages declare are not known.\n\n" +
			"    var n int = 0\n\n" +
			"Leave the part out that adds nothing.",
	},
}
