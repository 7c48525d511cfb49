package revive

import (
	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
)

// bugRules are those about likely bugs; the last two are about the comments that switch rules off.
var bugRules = []engine.Rule{
	{
		Code: "atomic", Severity: diag.Warning, Upstream: true, URL: rulePage + "atomic",
		Doc: "The result of an atomic operation is assigned to its own variable.\n\n" +
			"The assignment is not atomic, and undoes what the call was for.\n\n" +
			"    x = atomic.AddInt64(&x, 1)\n\n" +
			"Call it without an assignment.",
	},
	{
		Code: "banned-characters", Severity: diag.Warning, Upstream: true, URL: rulePage + "banned-characters",
		Doc: "A name has a character that is not to be used.\n\n" +
			"Some letters look like others.\n\n" +
			"    var Ω int\n\n" +
			"Use another name.",
		Options: []config.Option{
			{Name: "characters", Type: config.Strings, Verbs: config.Lint, Doc: "the characters"},
		},
	},
	{
		Code: "call-to-gc", Severity: diag.Warning, Upstream: true, URL: rulePage + "call-to-gc",
		Doc: "The garbage collector is run by hand.\n\n" +
			"It knows better when, except in benchmarks.\n\n" +
			"    runtime.GC()\n\n" +
			"Remove the call.",
	},
	{
		Code: "constant-logical-expr", Severity: diag.Warning, Upstream: true, URL: rulePage + "constant-logical-expr",
		Doc: "A logical expression has the same value always.\n\n" +
			"Both sides are the same: one was meant to differ.\n\n" +
			"    if a == a {\n\n" +
			"Mend one side.",
	},
	{
		Code: "context-keys-type", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "context-keys-type",
		Doc: "A key of context.WithValue has a basic type.\n\n" +
			"Packages that choose the same string or number overwrite each other's values.\n\n" +
			"    context.WithValue(ctx, \"user\", u)\n\n" +
			"Declare a type for the key.",
	},
	{
		Code: "datarace", Severity: diag.Warning, Upstream: true, URL: rulePage + "datarace",
		Doc: "A goroutine uses a named result or a loop variable of the function around it.\n\n" +
			"It may run when the variable has another value.\n\n" +
			"    func f() (n int) { go func() { n++ }(); return }\n\n" +
			"Hand the value over as an argument.",
	},
	{
		Code: "deep-exit", Severity: diag.Warning, Upstream: true, URL: rulePage + "deep-exit",
		Doc: "The program is ended outside of main and init.\n\n" +
			"Deferred calls do not run, and nobody can test or reuse the function.\n\n" +
			"    func load() { os.Exit(1) }\n\n" +
			"Return an error, and exit in main.",
	},
	{
		Code: "defer", Severity: diag.Warning, Upstream: true, URL: rulePage + "defer",
		Doc: "A defer does something else than it looks like.\n\n" +
			"In a loop calls pile up until the function ends; the result of a deferred function is lost; recover works only inside of one.\n\n" +
			"    for _, f := range files { defer f.Close() }\n\n" +
			"Move the body of the loop to a function.",
		Options: []config.Option{
			{Name: "checks", Type: config.Strings, Verbs: config.Lint, Enum: []string{"call-chain", "loop", "method-call", "recover", "immediate-recover", "return"}, Doc: "what to look for; everything by default"},
		},
	},
	{
		Code: "forbidden-call-in-wg-go", Severity: diag.Warning, Upstream: true, URL: rulePage + "forbidden-call-in-wg-go",
		Doc: "A function given to wg.Go panics or calls wg.Done.\n\n" +
			"wg.Go counts by itself, and must not be left by a panic.\n\n" +
			"    wg.Go(func() { defer wg.Done() })\n\n" +
			"Remove the call.",
	},
	{
		Code: "marshal-receiver", Severity: diag.Warning, Upstream: true, URL: rulePage + "marshal-receiver",
		Doc: "A method such as MarshalJSON has a receiver of the wrong kind.\n\n" +
			"Encoders find it only on values of the type they are given.\n\n" +
			"    func (t *T) MarshalJSON() ([]byte, error)\n\n" +
			"Marshal with a value receiver, unmarshal with a pointer.",
	},
	{
		Code: "modifies-parameter", Severity: diag.Warning, Upstream: true, URL: rulePage + "modifies-parameter",
		Doc: "A parameter is assigned to.\n\n" +
			"What was handed over is lost for the rest of the function.\n\n" +
			"    func f(n int) { n = 1 }\n\n" +
			"Use a new variable.",
	},
	{
		Code: "modifies-value-receiver", Severity: diag.Warning, Upstream: true, URL: rulePage + "modifies-value-receiver",
		Doc: "A method changes its receiver, which is a copy.\n\n" +
			"The change is lost when the method returns. Only types of the same file are looked at.\n\n" +
			"    func (t T) Set(n int) { t.n = n }\n\n" +
			"Use a pointer receiver.",
	},
	{
		Code: "range-val-in-closure", Severity: diag.Warning, Upstream: true, URL: rulePage + "range-val-in-closure",
		Doc: "A closure in a loop uses the loop's variable.\n\n" +
			"Before Go 1.22 all iterations share it, so the closure sees the last value.\n\n" +
			"    for _, v := range list { go func() { f(v) }() }\n\n" +
			"Hand it over as an argument.",
	},
	{
		Code: "redefines-builtin-id", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "redefines-builtin-id",
		Doc: "A name of the language is declared anew.\n\n" +
			"Behind it the built-in cannot be used, and a reader takes one for the other.\n\n" +
			"    len := 3\n\n" +
			"Choose another name.",
	},
	{
		Code: "string-of-int", Severity: diag.Warning, Upstream: true, URL: rulePage + "string-of-int",
		Doc: "A number is converted to a string as if it were a character.\n\n" +
			"string(65) is \"A\". Types of other files are not known.\n\n" +
			"    s := string(n)\n\n" +
			"Use `strconv.Itoa`, or `string(rune(n))`.",
	},
	{
		Code: "time-date", Severity: diag.Warning, Upstream: true, URL: rulePage + "time-date",
		Doc: "time.Date is called with numbers in an odd form or out of range.\n\n" +
			"An octal or too large number makes another date than it looks.\n\n" +
			"    time.Date(2023, 13, 040, 0, 0, 0, 0, time.UTC)\n\n" +
			"Write plain decimal numbers in range.",
	},
	{
		Code: "unchecked-type-assertion", Severity: diag.Warning, Upstream: true, URL: rulePage + "unchecked-type-assertion",
		Doc: "A type assertion does not look at its second result.\n\n" +
			"It panics if the type is another.\n\n" +
			"    s := v.(string)\n\n" +
			"Write `s, ok := v.(string)`.",
		Options: []config.Option{
			{Name: "accept_ignored_assertion_result", Type: config.Bool, Verbs: config.Lint, Doc: "allow `s, _ := v.(string)`"},
		},
	},
	{
		Code: "unconditional-recursion", Severity: diag.Warning, Upstream: true, URL: rulePage + "unconditional-recursion",
		Doc: "A function always calls itself.\n\n" +
			"It ends when the stack does.\n\n" +
			"    func f() { f() }\n\n" +
			"Add the case in which it stops.",
	},
	{
		Code: "unreachable-code", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "unreachable-code",
		Doc: "A statement can never be reached.\n\n" +
			"It stands behind a return, panic or exit.\n\n" +
			"    return n\n    log.Println(n)\n\n" +
			"Remove it, or move it up.",
	},
	{
		Code: "unsecure-url-scheme", Severity: diag.Warning, Upstream: true, URL: rulePage + "unsecure-url-scheme",
		Doc: "A URL with http or ws.\n\n" +
			"What is sent is neither secret nor protected from change.\n\n" +
			"    http.Get(\"http://example.com\")\n\n" +
			"Use https or wss.",
	},
	{
		Code: "unused-parameter", Severity: diag.Warning, Default: true, Upstream: true, URL: rulePage + "unused-parameter",
		Doc: "A parameter is never used.\n\n" +
			"A change was not finished, or callers hand over something for nothing.\n\n" +
			"    func f(a, b int) int { return a }\n\n" +
			"Remove it, or call it _ where the signature is given.",
		Options: []config.Option{
			{Name: "allow_regex", Type: config.String, Verbs: config.Lint, Doc: "names that may be unused; ^_$ by default"},
		},
	},
	{
		Code: "unused-receiver", Severity: diag.Warning, Upstream: true, URL: rulePage + "unused-receiver",
		Doc: "A receiver is never used.\n\n" +
			"The method could be a function.\n\n" +
			"    func (t T) Name() string { return \"t\" }\n\n" +
			"Leave the name of the receiver out.",
		Options: []config.Option{
			{Name: "allow_regex", Type: config.String, Verbs: config.Lint, Doc: "names that may be unused; ^_$ by default"},
		},
	},
	{
		Code: "waitgroup-by-value", Severity: diag.Warning, Upstream: true, URL: rulePage + "waitgroup-by-value",
		Doc: "A sync.WaitGroup is handed over by value.\n\n" +
			"The function waits for a copy, which never ends or ends at once.\n\n" +
			"    func f(wg sync.WaitGroup) {}\n\n" +
			"Hand over a pointer.",
	},
	{
		Code: "specify-disable-reason", Severity: diag.Warning, Upstream: true, URL: rulePage + "specify-disable-reason",
		Doc: "A comment that switches a rule off gives no reason.\n\n" +
			"The next reader cannot tell whether it still holds. The comment then has no effect.\n\n" +
			"    //revive:disable:exported\n\n" +
			"Write the reason behind it: `//revive:disable:exported ported code`.",
	},
	{
		Code: "specify-disable-rule", Severity: diag.Warning, Upstream: true, URL: rulePage + "specify-disable-rule",
		Doc: "A comment that switches rules off does not name them.\n\n" +
			"It hides what nobody has looked at yet. The comment then has no effect.\n\n" +
			"    //revive:disable\n\n" +
			"Name the rules: `//revive:disable:exported`.",
	},
}
