package php

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

const sample = "<p>t</p>\n<?php\nnamespace A;\n// c\n#[B(1)]\nfinal class D extends E {\n  use F;\n  public static ?int $g = 1, $h = 'i';\n" +
	"  /** doc */\n  function j(int $k, ...$l): string { return (int) $k . \"m $n\\n\" . <<<EOT\n    o\n      p\n    EOT . q($r['s'] ?? [1 => 2])->t::U; }\n}\n" +
	"foreach ($v as $w => $x): if (!$y && $z || 3 ** -4 <=> 0x5) { echo match(true) { default => fn($a) => $a }; } endforeach ?>\n<b>u</b>\n<?= $c ?>\n"

func TestLayoutIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"blanks", "f( $a,$b );", "f($a, $b);"},
		{"quotes", `f("a", "b\"c");`, `f('a', 'b"c');`},
		{"keywords", "IF (TRUE) { Return NULL; }", "if (true) { return null; }"},
		{"commas", "f($a, [1, 2]);", "f($a, [1, 2,],);"},
		{"new", "$a = new B; exit;", "$a = new B(); exit();"},
		{"imports", "use B;\nuse A\\{C, D};\nuse function e;", "use function e;\nuse A\\C;\nuse A\\D;\nuse B;"},
		{"modifiers", "class A { static public $b; }", "class A { public static $b; }"},
		{"precedence", "$a = ($b . $c) . $d; if (($a && $b) || $c) {}", "$a = $b . $c . $d; if ($a && $b || $c) {}"},
		{"one operand", "$a = (f($b)) ?: 'c'; return ($d);", "$a = f($b) ?: 'c'; return $d;"},
		{"an assignment in a condition", "if (! $a = f()) {}", "if (!($a = f())) {}"},
		{"an arrow", "f(fn ($a) => $a && $b);", "f(fn($a) => ($a && $b));"},
		{"types", "function f(A|null $a) {}", "function f(?A $a) {}"},
		{"comments", "# a\nf(); /* b\n c */", "// a\nf();\n/* b\n   c */"},
		{"the last tag", "if ($a) { }\n?>\n", "if ($a) { }\n"},
		{"the last tag behind a statement", "f();\n?>", "f();\n"},
		{"code in a here-document", "$a = <<<B\n {$f(\n  ($t == 'x')\n  ? 1 : \"}\"\n )} $t[0] {$o->p['k']}\nB;", "$a = <<<B\n {$f($t == 'x' ? 1 : '}')} $t[0] {$o->p[\"k\"]}\nB;"},
		{"here-document", "$a = <<<B\n  c\n   d\n  B;", "$a = <<<B\n    c\n     d\n    B;"},
		{"casts", "$a = (INT) $b;", "$a = (int) $b;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte("<?php\n"+c.before), []byte("<?php\n\n"+c.after)); err != nil {
				t.Error(err)
			}
			if err := Same([]byte("<?php\n"+c.after), []byte("<?php "+c.before)); err != nil {
				t.Errorf("the other way: %v", err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"precedence", "$a = ($b + $c) * $d;", "$a = $b + $c * $d;"},
		{"the kind of a tag", "f(); ?>a<?php g();", "f(); ?>a<? g();"},
		{"precedence of a minus", "$a = $b - ($c - $d);", "$a = $b - $c - $d;"},
		{"concatenation", "$a = 'b' . ($c + 1);", "$a = ('b' . $c) + 1;"},
		{"a power", "$a = ($b ** $c) ** $d;", "$a = $b ** $c ** $d;"},
		{"a unary minus and a power", "$a = (-$b) ** 2;", "$a = -$b ** 2;"},
		{"not", "if (!($a == $b)) {}", "if (!$a == $b) {}"},
		{"not and instanceof", "if ((!$a) instanceof B) {}", "if (!$a instanceof B) {}"},
		{"a ternary", "$a = ($b ? $c : $d) ? $e : $f;", "$a = $b ? $c : ($d ? $e : $f);"},
		{"an assignment", "if (($a = f()) && $b) {}", "if ($a = f() && $b) {}"},
		{"and", "$a = ($b and $c);", "$a = $b and $c;"},
		{"an arrow before an and", "f(fn() => ($a and $b));", "f(fn() => $a and $b);"},
		{"print", "print ($a and $b);", "print $a and $b;"},
		{"a negative left of an or", "($a = $b) or f();", "$a = ($b or f());"},
		{"a call of a value", "($a->b)();", "$a->b();"},
		{"a member of a new object", "(new A)->b();", "new A->b();"},
		{"a cast", "$a = (int) ($b / $c);", "$a = (int) $b / $c;"},
		{"an arrow that ends", "f((fn() => $a)());", "f(fn() => $a());"},
		{"coalescing", "$a = ($b ?? $c) . $d;", "$a = $b ?? $c . $d;"},
		{"a string with a variable", `f("a $b");`, `f('a $b');`},
		{"a string with an escape", `f("a\n");`, `f('a\n');`},
		{"code in a here-document", "$a = <<<B\n{$f(1)}\nB;", "$a = <<<B\n{$f(2)}\nB;"},
		{"text beside code in a here-document", "$a = <<<B\n{$f(1)} \nB;", "$a = <<<B\n{$f(1)}\nB;"},
		{"no code in a here-document", "$a = <<<B\n\\{$f (1)}\nB;", "$a = <<<B\n\\{$f(1)}\nB;"},
		{"no code in a now-document", "$a = <<<'B'\n{$f (1)}\nB;", "$a = <<<'B'\n{$f(1)}\nB;"},
		{"a here-document", "$a = <<<B\n  c\n B;", "$a = <<<B\n c\n B;"},
		{"a now-document", "$a = <<<'B'\nc\nB;", "$a = <<<B\nc\nB;"},
		{"text outside", "?>\n a\n<?php ", "?>\na\n<?php "},
		{"a comment goes", "f(); // a", "f();"},
		{"a comment moves", "// a\nf();\ng();", "f();\n// a\ng();"},
		{"a comment becomes documentation", "/* a */ f();", "/** a */ f();"},
		{"an attribute becomes a comment", "#[A]\nfunction f() {}", "# [A]\nfunction f() {}"},
		{"a name", "namespace A; use B\\C;", "namespace A; use B\\D;"},
		{"an import of a function", "use function a\\b;", "use a\\b;"},
		{"case of a name", "f();", "F();"},
		{"an empty element", "[, $a] = $b;", "[$a] = $b;"},
		{"a block", "if ($a) { f(); } g();", "if ($a) { f(); g(); }"},
		{"a reference", "f(&$a);", "f($a);"},
		{"a nullable type", "function f(A|B|null $a) {}", "function f(?A $a) {}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var no *guard.CannotJudge
			if err := Same([]byte("<?php "+c.before), []byte("<?php "+c.after)); err == nil || errors.As(err, &no) {
				t.Errorf("Same = %v", err)
			}
			if Same([]byte("<?php "+c.after), []byte("<?php "+c.before)) == nil {
				t.Error("accepted the other way")
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"f(", "f)", "'a", "\"a", "/* a", "<<<A\nb", "\x01", strings.Repeat("(", 100000), "(]"} {
		if _, ok := errors.AsType[*guard.CannotJudge](Same([]byte("<?php "+text), []byte("<?php f();"))); !ok {
			t.Errorf("judged: %.40q", text)
		}
		if _, ok := errors.AsType[*guard.Broken](Same([]byte("<?php f();"), []byte("<?php "+text))); !ok {
			t.Errorf("not broken: %.40q", text)
		}
	}
}

// TestMutations takes a character away, doubles it or puts another in its place:
// the guard must say so.
func TestMutations(t *testing.T) {
	t.Parallel()
	if err := Same([]byte(sample), []byte(strings.Replace(sample, "{", "{\n", 1))); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(13, 14))
	for range 4000 {
		i := r.IntN(len(sample))
		if strings.IndexByte(" \n;,<?>*/", sample[i]) >= 0 {
			continue
		}
		got := sample[:i] + sample[i+1:]
		switch r.IntN(3) {
		case 0:
			got = sample[:i] + string(sample[i]) + sample[i:]
		case 1:
			got = sample[:i] + "_" + sample[i+1:]
		}
		if Same([]byte(sample), []byte(got)) == nil || Same([]byte(got), []byte(sample)) == nil {
			t.Fatalf("offset %d: accepted:\n%s", i, got)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add(sample, "<?php f();")
	f.Add("<?php use A\\{B};", "<?php use")
	f.Fuzz(func(t *testing.T, before, after string) {
		_ = Same([]byte(before), []byte(after))
		_ = Same([]byte("<?php "+before), []byte("<?php "+after))
	})
}
