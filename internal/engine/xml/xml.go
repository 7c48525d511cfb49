// Package xml finds what is not well-formed XML, and prefixes without a
// namespace, and indents elements. It reads one file: no external DTD, no entity of another file,
// and no schema.
package xml

import (
	"context"
	"path"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/guard/markup"
	"poly/internal/lang"
)

const (
	name       = "xml"
	codeSyntax = "syntax"
	codePrefix = "undeclared-prefix"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 3,
		Langs:    []lang.ID{lang.XML},
		Verbs:    engine.Lint | engine.Format,
		UsesPath: true,
		Rules: []engine.Rule{
			{Code: codeSyntax, Severity: diag.Error, Default: true, Doc: docSyntax, URL: "https://www.w3.org/TR/xml/#sec-well-formed"},
			{Code: codePrefix, Severity: diag.Warning, Default: true, Doc: docPrefix, URL: "https://www.w3.org/TR/xml-names/#ns-decl"},
		},
		Doc: `Reports XML that is not well-formed, and prefixes without a namespace. Indents elements.

XML 1.0 (fifth edition) and 1.1 are read, with the internal subset of a DTD and the entities it declares. What an external
DTD would declare is taken for granted. Only the first error of a file is reported, as XML processors do. Files in other
encodings than UTF-8 are skipped. So are files whose name also belongs to other formats (.plist, .gml, .owl, ...) and that
do not start as XML does.

The formatter changes blanks that break lines between elements, and blanks in tags. It puts no line end where there is none: an element
with text of its own, with xml:space, with a name such as pre or programlisting, or with elements side by side on one line stays as it is inside.
Comments, CDATA and values stay as they are. Attributes on lines of their own keep their distance from the tag; one empty line of
several stays. A level is what indent_width, indent_style or .editorconfig say, else what the file has.`,
	},
	Bind: func(_ context.Context, e engine.Env) (engine.Bound, error) {
		f := &formatter{globals: e.Globals}
		same := func(before, after []byte) error { return markup.Same(before, after, markup.XML) }
		return engine.Bound{PathClass: pathClass, Same: same, Open: engine.Stateless(engine.Funcs{LintFunc: lint, FormatFunc: f.format})}, nil
	},
}

const docSyntax = "The file is not well-formed XML.\n\n" +
	"An XML processor stops at the first error and hands over nothing of the file. Common ones: a tag that is not closed, a bare `&`\n" +
	"or `<` in text, `--` in a comment, an attribute that stands twice, blank lines before the XML declaration.\n\n" +
	"    <a><b></a>\n\n" +
	"Close the tag that is named; write `&amp;` and `&lt;` for the characters."

const docPrefix = "A prefix that no xmlns attribute declares.\n\n" +
	"The file is well-formed, but processors that know namespaces refuse it or lose the name. Declarations that a DTD outside of\n" +
	"the file may hold are taken for granted.\n\n" +
	"    <svg xmlns=\"http://www.w3.org/2000/svg\"><use xlink:href=\"#a\"/></svg>\n\n" +
	"Declare the prefix at the element or above it: `xmlns:xlink=\"http://www.w3.org/1999/xlink\"`."

// shared are extensions that other formats than XML use too.
const shared = " plist gml owl rdf launch ui ncl props gst gpx osm project cproject ivy jelly natvis urdf rels zcml mod xmp "

// pathClass is "shared" for names that do not promise XML.
func pathClass(p string) string {
	if ext := strings.TrimPrefix(path.Ext(p), "."); ext != "" && strings.Contains(shared, " "+strings.ToLower(ext)+" ") {
		return "shared"
	}
	return ""
}

func lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if reason := notJudged(src); reason != "" {
		return nil, engine.Skip(reason)
	}
	r := &reader{src: src.Text}
	r.run()
	var out []diag.Diagnostic
	for _, p := range r.prefixes {
		out = append(out, diag.Diagnostic{
			Engine: name, Code: codePrefix, Severity: diag.Warning, Title: "Prefix " + p.name + " has no namespace",
			Span: &diag.Span{Start: p.start, End: p.start + len(p.name)},
		})
	}
	if f := r.fault; f != nil {
		out = append(out, diag.Diagnostic{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: f.title, Description: f.help,
			Span: &diag.Span{Start: f.start, End: f.end},
		})
	}
	return out, nil
}
