package xml

import (
	encoding "encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"poly/internal/engine"
)

// wellFormed by the name of what each shows.
var wellFormed = map[string]string{
	"plain":               "<a/>",
	"mark":                "\xef\xbb\xbf<?xml version=\"1.0\"?>\r\n<a></a>\r\n",
	"blank lines":         "\n\n<a/>\n\n",
	"declaration":         "<?xml version='1.0' encoding=\"utf-8\" standalone='no' ?><a/>",
	"misc":                "<!-- a --><?b c?><a/><!-- d --><?e?>",
	"attributes":          "<a b='\"' c=\"'\" d = \"1\n2\" e=\"&lt;&#10;&#xA0;>\"/>",
	"names":               "<à.b-c_d·1><日本/></à.b-c_d·1 >",
	"text":                "<a>] ]] > ]&gt; &amp;&quot;&apos; é 😀</a>",
	"cdata":               "<a><![CDATA[<b> & ]] ]>]]></a>",
	"instruction":         "<a><?php echo '?' ?><?xml-stylesheet href='x'?></a>",
	"doctype":             "<!DOCTYPE html><html/>",
	"entity in attribute": "<!DOCTYPE svg [<!ENTITY ns 'http://x'>]><svg xmlns='&ns;'/>",
	"entity with tags":    "<!DOCTYPE a [<!ENTITY b '<c>d</c>&#38;amp;'><!ENTITY e '&b;&b;'>]><a>&b;&e;</a>",
	"external subset":     "<!DOCTYPE a SYSTEM 'a.dtd'><a b='&c;'>&nbsp;</a>",
	"public":              "<!DOCTYPE a PUBLIC '-//A' \"a.dtd\" [ ]><a>&nbsp;</a>",
	"parameter entity":    "<!DOCTYPE a [<!ENTITY % b SYSTEM 'c'> %b; ]><a>&nbsp;</a>",
	"subset":              "<!DOCTYPE a [<!ELEMENT a (b|c)*><!ATTLIST a b CDATA '>' c (d|e) #REQUIRED><!NOTATION n PUBLIC 'x'>\n<!-- ]> --><?p ]>?><!ENTITY g SYSTEM 'g.gif' NDATA n>]><a/>",
	"version 1.1":         "<?xml version='1.1'?><a>&#1;</a>",
	"xml prefix":          "<a xml:lang='en' xmlns:b='c'><b:d b:e=''/></a>",
	"prefix by a DTD":     "<!DOCTYPE a [<!ATTLIST a xmlns:b CDATA #FIXED 'c'>]><a b:c='d'/>",
	"billion laughs":      "<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;'>]><a>&d;&d;</a>",
	"deep":                strings.Repeat("<a>", 50000) + strings.Repeat("</a>", 50000),
	"first declaration":   "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY b '<'>]><a>&b;</a>",
	"unused bad entity":   "<!DOCTYPE a [<!ENTITY b '<'>]><a/>",
}

// illFormed, with a piece of what is said.
var illFormed = map[string][2]string{
	"empty":                {"", "No element"},
	"comment alone":        {"<!-- a -->\n", "No element"},
	"text first":           {"a<b/>", "Text before"},
	"text last":            {"<a/>b", "Text after"},
	"two roots":            {"<a/><b/>", "More than one root"},
	"crossed tags":         {"<a>\n<b></a></b>", "</a> does not close <b> of line 2"},
	"unclosed":             {"<a><b></b>", "<a> is never closed"},
	"closes nothing":       {"</a>", "End tag without"},
	"cdata first":          {"<![CDATA[a]]>", "Declaration"},
	"bracket alone":        {"<", "end of file"},
	"late declaration":     {"\n<?xml version='1.0'?><a/>", "not at the start"},
	"second declaration":   {"<?xml version='1.0'?><?xml version='1.0'?><a/>", "not at the start"},
	"declaration bare":     {"<?xml encoding='utf-8'?><a/>", "Unexpected encoding"},
	"declaration order":    {"<?xml version='1.0' standalone='yes' encoding='utf-8'?><a/>", "Unexpected encoding"},
	"version":              {"<?xml version='one'?><a/>", "Bad version"},
	"encoding":             {"<?xml version='1.0' encoding='a b'?><a/>", "Bad encoding"},
	"standalone value":     {"<?xml version='1.0' standalone='maybe'?><a/>", "Bad standalone"},
	"attribute twice":      {"<a b='1' b='2'/>", "b stands twice"},
	"attribute bare":       {"<a b/>", "expected '='"},
	"value bare":           {"<a b=1/>", "expected a quotation mark"},
	"value unclosed":       {"<a b='1/>", "never closed"},
	"value with a tag":     {"<a b='<'/>", "'<' in the value"},
	"no blank between":     {"<a b='1'c='2'/>", "expected '>'"},
	"ampersand":            {"<a>b & c</a>", "does not begin a reference"},
	"ampersand in a value": {"<a b='?c=1&d=2'/>", "does not begin a reference"},
	"less than":            {"<a>1 < 2</a>", "expected a tag"},
	"entity":               {"<a>&nbsp;</a>", "nbsp is not declared"},
	"standalone":           {"<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'b'><a>&c;</a>", "c is not declared"},
	"entity of itself":     {"<!DOCTYPE a [<!ENTITY b '&c;'><!ENTITY c '&b;'>]><a>&b;</a>", "contains itself"},
	"entity half":          {"<!DOCTYPE a [<!ENTITY b '<c>'>]><a>&b;</a>", "Entity b is not well-formed"},
	"entity closes":        {"<!DOCTYPE a [<!ENTITY b '</e><e>'>]><a>&b;</a>", "Entity b is not well-formed"},
	"entity tag in value":  {"<!DOCTYPE a [<!ENTITY b '<c/>'><!ENTITY d '&b;'>]><a b='&d;'/>", "stands in the value"},
	"external in value":    {"<!DOCTYPE a [<!ENTITY b SYSTEM 'c'>]><a b='&b;'/>", "of another file"},
	"reference":            {"<a>&#xG;</a>", "not closed"},
	"reference to nothing": {"<a>&#0;</a>", "no character"},
	"surrogate":            {"<a>&#xD800;</a>", "no character"},
	"comment":              {"<a><!-- b -- c --></a>", "'--' in a comment"},
	"comment end":          {"<a><!-- b ---></a>", "'--' in a comment"},
	"comment unclosed":     {"<a><!-- b </a>", "never closed"},
	"cdata unclosed":       {"<a><![CDATA[ b </a>", "never closed"},
	"cdata end":            {"<a>]]></a>", "']]>' in text"},
	"control":              {"<a>\x01</a>", "U+0001 is not allowed"},
	"noncharacter":         {"<a>\uffff</a>", "U+FFFF is not allowed"},
	"doctype late":         {"<a/><!DOCTYPE a>", "does not belong here"},
	"doctype lower":        {"<!doctype html><html/>", "does not belong here"},
	"doctype unclosed":     {"<!DOCTYPE a [<!ENTITY b 'c'>", "never closed"},
	"name":                 {"<1a/>", "expected a tag"},
	"end tag":              {"<a></a b>", "expected '>'"},
	"end of file in a tag": {"<a><b c='d'", "Unexpected end of file"},
}

func TestWellFormed(t *testing.T) {
	t.Parallel()
	for name, text := range wellFormed {
		if d, err := lint(t.Context(), engine.Source{Path: "a.xml", Text: []byte(text)}); err != nil || len(d) > 0 {
			t.Errorf("%s: %v %v: %.100q", name, d, err, text)
		}
	}
}

func TestIllFormed(t *testing.T) {
	t.Parallel()
	for name, c := range illFormed {
		d, err := lint(t.Context(), engine.Source{Path: "a.xml", Text: []byte(c[0])})
		if err != nil || len(d) != 1 || d[0].Code != codeSyntax || !strings.Contains(d[0].Title, c[1]) {
			t.Errorf("%s: %v %v in %q, want %q", name, d, err, c[0], c[1])
		}
	}
}

// TestAgainstStandardLibrary: what encoding/xml, which is laxer, refuses is
// refused here.
func TestAgainstStandardLibrary(t *testing.T) {
	t.Parallel()
	for name, text := range wellFormed {
		for n := range min(len(text), 300) {
			d := encoding.NewDecoder(strings.NewReader(text[:n]))
			d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
			var err error
			for err == nil {
				_, err = d.Token()
			}
			if _, ok := errors.AsType[*encoding.SyntaxError](err); !ok {
				continue
			}
			r := &reader{src: []byte(text[:n])}
			r.run()
			if r.fault == nil && !strings.Contains(text, "ENTITY") && !strings.Contains(text, "DOCTYPE") && !strings.Contains(text, "1.1") {
				t.Errorf("%s: %q is accepted; encoding/xml: %v", name, text[:n], err)
			}
		}
	}
}

func TestSkipped(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"a.plist":   "{ key = value; }",
		"a.owl":     "Prefix(:=<http://example.com/>)",
		"wide.xml":  "\xff\xfe<\x00a\x00/\x00>\x00",
		"latin.xml": "<a>\xe9</a>",
	} {
		_, err := lint(t.Context(), engine.Source{Path: path, Text: []byte(text)})
		if _, ok := engine.SkipReason(err); !ok {
			t.Errorf("%s: %v, want a skip", path, err)
		}
	}
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<a:b/>":                                 "a",
		"<a xlink:href='b' xlink:role='c'/>":     "xlink",
		"<a><b xmlns:c='d'><c:e/></b><c:f/></a>": "c",
		"<a xmlns:b='c' b:d='e'/>":               "",
		"<a b:d='e' xmlns:b='c'/>":               "",
		"<a xmlns='c' d:e='f'/>":                 "d",
		"<!DOCTYPE a SYSTEM 'b'><a c:d='e'/>":    "",
	} {
		d, err := lint(t.Context(), engine.Source{Path: "a.xml", Text: []byte(text)})
		got := ""
		for _, x := range d {
			got += text[x.Span.Start:x.Span.End]
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, want %q (%v)", text, got, want, err)
		}
	}
}
