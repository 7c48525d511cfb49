package markup

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

var samples = map[Dialect]string{
	HTML: "<!DOCTYPE html>\n<html><head><style>a { b: c }</style><script>f(1)</script></head>\n<body class=\"x y\">\n<p>one <b>two</b>three <!-- note --> <br>four\n</p><pre> k\n  l</pre>" +
		"<img src='a' onclick=\"g()\"><textarea> t </textarea>\n<!--[if IE]> m <![endif]--></body></html>\n",
	Vue:    "<template>\n  <Foo :a=\"b + 1\" @c=\"d()\" v-for=\"(x, y) in z\" #e=\"{ h }\">{{ i | j }} k</Foo>\n</template>\n<script lang=\"ts\">\nlet l: number\n</script>\n<i18n>\nm:\n  n\n</i18n>\n",
	Svelte: "<script>\nlet a = 1\n</script>\n{#if a}<p class={b} {...c} on:click={() => d}>{e} f</p>{:else}{@html g}{/if}\n",
	Astro:  "---\nconst a = 1\n---\n<p class={b}>{c} d</p><E f=`g` />\n",
	XML:    "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n<a d=\"e\">\n <f>g <h/> i</f>\n <!-- j -->\n <k xml:space=\"preserve\"> </k><![CDATA[l]]>\n</a>\n",
}

func TestLayoutIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		d             Dialect
		before, after string
	}{
		{"indentation", HTML, "<div><p>a\nb</p></div>", "<div>\n  <p>a b</p>\n</div>"},
		{"attributes", HTML, "<A href='b'  c=d>e</A>", "<a\n  href=\"b\"\n  c=\"d\"\n>e</a>"},
		{"void", HTML, "<p>a<br/>b", "<p>a<br>\n  b"},
		{"lists of words", HTML, "<p class=' a  b '>", "<p class=\"a b\">"},
		{"styles", HTML, "<p style='a:b;c: #FFF'>", "<p style=\"a: b; c: #fff\">"},
		{"scripts", HTML, "<script>\nf( 'a' )\n</script>", "<script>\n  f(\"a\");\n</script>"},
		{"data", HTML, `<script type="application/json">{"a":1}</script>`, "<script type=\"application/json\">\n{ \"a\": 1 }\n</script>"},
		{"style sheets", HTML, "<style>a{b:c}</style>", "<style>\n  a { b: c; }\n</style>"},
		{"doctype", HTML, "<!doctype html>", "<!DOCTYPE html>"},
		{"comments", HTML, "<!--  a\n   b -->", "<!-- a\n b -->"},
		{"expressions", Vue, `<template><p :a="b+1">{{c}}</p></template>`, `<template><p :a="b + 1">{{ c }}</p></template>`},
		{"elements without text", Vue, "<template><Foo></Foo></template>", "<template>\n  <Foo />\n</template>"},
		{"loops", Vue, `<template><p v-for="(a,b) in c"></p></template>`, `<template><p v-for="(a, b) in c"></p></template>`},
		{"conditions", Svelte, "{#if a&&b}<p>c</p>{/if}", "{#if a && b}<p>c</p>{/if}"},
		{"values", Svelte, "<p a={b+1}>{c+d}</p>", "<p a={b + 1}>{c + d}</p>"},
		{"front matter", Astro, "---\nlet a='b'\n---\n<p>c</p>", "---\nlet a = \"b\";\n---\n\n<p>c</p>"},
		{"XML", XML, "<a><b/><c>d</c></a>", "<a>\n  <b></b>\n  <c>d</c>\n</a>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(c.before), []byte(c.after), c.d); err != nil {
				t.Error(err)
			}
			if err := Same([]byte(c.after), []byte(c.before), c.d); err != nil {
				t.Errorf("the other way: %v", err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		d             Dialect
		before, after string
	}{
		{"a blank between elements in a line", HTML, "<b>a</b><i>c</i>", "<b>a</b> <i>c</i>"},
		{"a blank in an element", HTML, "<a>b</a>", "<a> b </a>"},
		{"a blank at a comment", HTML, "a<!-- b -->c", "a <!-- b --> c"},
		{"pre", HTML, "<pre>a\n b</pre>", "<pre>a\nb</pre>"},
		{"an element in pre", HTML, "<pre><b>a</b>\n</pre>", "<pre><b>a</b></pre>"},
		{"a text area", HTML, "<textarea> a</textarea>", "<textarea>a</textarea>"},
		{"a conditional comment", HTML, "<!--[if IE]>  a<![endif]-->", "<!--[if IE]> a<![endif]-->"},
		{"the order of attributes", HTML, "<p a=b c=d>", "<p c=d a=b>"},
		{"a value", HTML, "<p title='a  b'>", "<p title='a b'>"},
		{"a script", HTML, "<script>f(1)</script>", "<script>f(2)</script>"},
		{"a template", HTML, "<script type='text/x'>\n a\n  b</script>", "<script type='text/x'>\n a\n b</script>"},
		{"a reference", HTML, "a&nbsp;b", "a b"},
		{"a comment moves", HTML, "<!-- a --><p>b</p>", "<p>b</p><!-- a -->"},
		{"a loop", Vue, `<template><p v-for="({ a }, b) of c"></p></template>`, `<template><p v-for="({ a }), b of c"></p></template>`},
		{"an expression", Vue, `<template>{{ a + b }}</template>`, `<template>{{ b + a }}</template>`},
		{"another language", Vue, "<template lang='pug'>\np\n  b\n</template>", "<template lang='pug'>\np\nb\n</template>"},
		{"a custom block", Vue, "<i18n>\na:\n  b\n</i18n>", "<i18n>\n a: b\n</i18n>"},
		{"a block", Svelte, "{#if a}b{/if}", "{#if b}b{/if}"},
		{"a comment in braces", Svelte, "{#if a /* b */}c{/if}", "{#if a}c{/if}"},
		{"a spread", Svelte, "<p {...a} />", "<p {...b} />"},
		{"front matter", Astro, "---\nlet a = 1\n---\n", "---\nlet a = 2\n---\n"},
		{"mixed text", XML, "<a>b <c/></a>", "<a>\n  b <c/>\n</a>"},
		{"preserved blanks", XML, "<a xml:space='preserve'><b/></a>", "<a xml:space='preserve'>\n<b/></a>"},
		{"text of blanks", XML, "<a> </a>", "<a></a>"},
		{"CDATA", XML, "<a><![CDATA[ b ]]></a>", "<a> b </a>"},
		{"a wrapped text", XML, "<a>b c</a>", "<a>b\nc</a>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if Same([]byte(c.before), []byte(c.after), c.d) == nil {
				t.Error("accepted")
			}
			if Same([]byte(c.after), []byte(c.before), c.d) == nil {
				t.Error("accepted the other way")
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	t.Parallel()
	for text, d := range map[string]Dialect{
		"a\xff": HTML, "<p <?php a ?>>": HTML, "<p {{ a }}>": HTML, "<script>": HTML, "<!-- a": HTML, "{a": Svelte, "<a><b></a></b>": XML, "<a>": XML,
		"<p a=\"b": HTML, "---\na": Astro, "<?php a ?>": HTML,
	} {
		if _, ok := errors.AsType[*guard.CannotJudge](Same([]byte(text), []byte("<a></a>"), d)); !ok {
			t.Errorf("judged: %q", text)
		}
		if _, ok := errors.AsType[*guard.Broken](Same([]byte("<a></a>"), []byte(text), d)); !ok {
			t.Errorf("not broken: %q", text)
		}
	}
	deep := []byte(strings.Repeat("<a>{", 50000))
	for d := range samples {
		_ = Same(deep, deep[1:], d)
	}
}

// TestMutations takes a letter away, doubles it or puts another in its place:
// the guard must say so.
func TestMutations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for d, sample := range samples {
		if err := Same([]byte(sample), []byte(sample+"\n"), d); err != nil {
			t.Fatal(d, err)
		}
		for range 1500 {
			i := r.IntN(len(sample))
			if b := sample[i]; b < 'a' || b > 'z' {
				continue
			}
			got := sample[:i] + sample[i+1:]
			switch r.IntN(3) {
			case 0:
				got = sample[:i] + string(sample[i]) + sample[i:]
			case 1:
				got = sample[:i] + "_" + sample[i+1:]
			}
			if Same([]byte(sample), []byte(got), d) == nil || Same([]byte(got), []byte(sample), d) == nil {
				t.Fatalf("dialect %d, offset %d: accepted:\n%s", d, i, got)
			}
		}
	}
}

func FuzzSame(f *testing.F) {
	for d, sample := range samples {
		f.Add(sample, "<p a={b}>", byte(d))
	}
	f.Fuzz(func(t *testing.T, before, after string, d byte) {
		_ = Same([]byte(before), []byte(after), Dialect(d%5))
		_ = Same([]byte(before), []byte(before+"\n"), Dialect(d%5))
	})
}
