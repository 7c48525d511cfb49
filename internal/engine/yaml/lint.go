package yaml

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/yamlevent"
)

// checkEvery is how many events are read between two looks at the context.
const checkEvery = 1 << 12

// worker checks files on one goroutine. It keeps the settings of the native
// configuration seen last.
type worker struct {
	env      engine.Env
	settings settings
	path     string // of the native configuration they are from
	text     string
}

// Lint reports the findings of one file.
func (w *worker) Lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if len(src.Inputs) > 0 || w.path != "" {
		if err := w.configure(src.Inputs); err != nil {
			return nil, err
		}
	}
	out, err := lint(ctx, src.Text, &w.settings)
	return w.settings.finish(out), err
}

// configure takes over the nearest native configuration.
func (w *worker) configure(inputs []engine.Input) error {
	in := engine.Input{}
	if len(inputs) > 0 {
		in = inputs[0]
	}
	if in.Path == w.path && string(in.Text) == w.text {
		return nil
	}
	s := defaults()
	if in.Path != "" {
		var err error
		if s, err = s.native(in); err != nil {
			return err
		}
	}
	s, err := s.with(w.env)
	if err == nil {
		w.settings, w.path, w.text = s, in.Path, string(in.Text)
	}
	return err
}

// Format returns the text: another engine formats.
func (w *worker) Format(ctx context.Context, src engine.Source) ([]byte, error) {
	return src.Text, ctx.Err()
}

// Close does nothing.
func (w *worker) Close() error { return nil }

func lint(ctx context.Context, text []byte, s *settings) ([]diag.Diagnostic, error) {
	if fileDisabled(text) {
		return nil, ctx.Err()
	}
	p := yamlevent.New(text)
	l := &linter{text: text, settings: s, directs: bytes.Contains(text, []byte(directiveMark))}
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, err := p.Next()
		if fault := (*yamlevent.Error)(nil); errors.As(err, &fault) {
			if substituted(text[fault.Start:]) {
				return nil, engine.Skip("@NAME@ template")
			}
			l.report(codeSyntax, diag.Error, fault.Start, fault.End, fault.Title, fault.Help)
			break
		}
		if e.Kind == yamlevent.StreamEnd {
			break
		}
		l.event(e)
	}
	l.tight(p)
	diag.Sort(l.out)
	if l.directs && len(l.out) > 0 {
		l.index()
		l.out = suppress(l.out, readDirectives(text, l.scalars, l.lines), l.lines)
	}
	return l.out, nil
}

// tight reports comments without a blank before them.
func (l *linter) tight(p *yamlevent.Parser) {
	for _, at := range p.Tight() {
		l.report(codeTight, diag.Warning, at, at+1, "A comment needs a blank before its `#`", "Strict readers refuse the whole file.")
		l.out[len(l.out)-1].Fix = []diag.Edit{{Start: at, End: at, Replacement: " "}}
	}
}

// substituted reports whether a text starts with a name between at signs,
// which Bazel, CMake, Meson or a configure script puts a value in the place of.
func substituted(text []byte) bool {
	n := 1
	for n < len(text) && (text[n] == '_' || '0' <= text[n] && text[n] <= '9' || 'A' <= text[n]&^0x20 && text[n]&^0x20 <= 'Z') {
		n++
	}
	return n > 1 && text[0] == '@' && n < len(text) && text[n] == '@'
}

// linter looks at the events of one file. It keeps one frame for each open
// collection and expands no alias.
type linter struct {
	*settings
	text    []byte
	directs bool // it has comments for yamllint
	scalars []span
	lines   *diag.Lines
	out     []diag.Diagnostic
	stack   []frame
	anchors map[string]bool // of this document
	version string          // of the %YAML directive

	// canon is the identity of the collections that are being read as keys.
	canon []byte
	inKey int
}

// frame is one open collection.
type frame struct {
	mapping bool
	value   bool           // the next child is a value
	seen    map[string]int // identity of a key: its offset
	last    string         // the greatest key in order
	key     bool           // it is a key itself
	head    int            // where the key starts
}

func (l *linter) event(e yamlevent.Event) {
	switch e.Kind {
	case yamlevent.DocumentStart:
		l.anchors, l.version = map[string]bool{}, e.Version
	case yamlevent.MappingStart, yamlevent.SequenceStart:
		l.anchor(e)
		f := frame{mapping: e.Kind == yamlevent.MappingStart, key: l.atKey(), head: e.Start}
		if f.key {
			l.inKey++
		}
		l.note(e.Tag, map[bool]string{true: "{", false: "["}[f.mapping])
		l.stack = append(l.stack, f)
	case yamlevent.MappingEnd, yamlevent.SequenceEnd:
		f := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		l.note("", "}")
		if !f.key {
			l.child("", e)
			return
		}
		// A key inside a key is not compared: at any depth that would take
		// time in the square of it.
		id := fmt.Sprint("at ", f.head)
		if l.inKey--; l.inKey == 0 {
			id = string(l.canon)
			l.canon = l.canon[:0]
		}
		e.Start, e.End = f.head, max(e.End, f.head)
		l.child(id, e)
	case yamlevent.Scalar, yamlevent.Alias:
		l.leaf(e)
	}
}

// leaf looks at a scalar or an alias.
func (l *linter) leaf(e yamlevent.Event) {
	if l.directs && e.Kind == yamlevent.Scalar && e.End > e.Start {
		s := span{e.Start, e.End}
		if i := bytes.IndexByte(l.text[s.start:s.end], '\n'); i >= 0 && (e.Style == yamlevent.Lit || e.Style == yamlevent.Fold) {
			s.start += i // a comment may stand behind the header
		}
		l.scalars = append(l.scalars, s)
	}
	id := ""
	switch key := l.atKey(); e.Kind {
	case yamlevent.Alias:
		if !l.anchors[e.Anchor] {
			l.report(codeAlias, diag.Error, e.Start, e.End, fmt.Sprintf("Alias `*%s` has no anchor before it", short(e.Anchor)),
				"An anchor `&name` must come first, in the same document; quote text that starts with `*`.")
		}
		id = "*" + e.Anchor
	default:
		l.anchor(e)
		id = identity(e)
		l.traps(e, key)
		if key && l.order {
			l.ordered(e)
		}
	}
	l.note("", id)
	l.child(id, e)
}

func (l *linter) anchor(e yamlevent.Event) {
	if e.Anchor != "" {
		l.anchors[e.Anchor] = true
	}
}

// note adds to the identity of the collection that is being read as a key.
func (l *linter) note(tag, id string) {
	if l.inKey > 0 {
		l.canon = append(append(append(l.canon, tag...), id...), 0)
	}
}

// atKey tells that the next node is a key of a mapping.
func (l *linter) atKey() bool {
	n := len(l.stack)
	return n > 0 && l.stack[n-1].mapping && !l.stack[n-1].value
}

// child ends a child of the innermost collection; id is its identity as a key.
func (l *linter) child(id string, e yamlevent.Event) {
	if len(l.stack) == 0 || !l.stack[len(l.stack)-1].mapping {
		return
	}
	f := &l.stack[len(l.stack)-1]
	f.value = !f.value
	if !f.value {
		return
	}
	first, twice := f.seen[id]
	if !twice {
		if f.seen == nil {
			f.seen = map[string]int{}
		}
		f.seen[id] = e.Start
		return
	}
	if !l.merge && id == mergeKey {
		return
	}
	l.index()
	line, _ := l.lines.Position(first)
	severity := diag.Error
	if id == mergeKey { // libyaml's readers and js-yaml merge them all, Go's refuse the file
		severity = diag.Warning
	}
	l.report(codeDuplicate, severity, e.Start, e.End, fmt.Sprintf("Duplicate key %s, first on line %d", quote(l.text[e.Start:e.End]), line),
		"Keys of a mapping are unique; readers refuse the file or keep one of the two values.")
}

// ordered compares a key with those before it in its mapping. One that is out
// of order is not compared with later ones, as in yamllint.
func (l *linter) ordered(e yamlevent.Event) {
	f := &l.stack[len(l.stack)-1]
	if e.Head != e.Start || slices.ContainsFunc(l.ignored, func(re *regexp.Regexp) bool { return re.MatchString(e.Value) }) {
		return
	}
	if e.Value >= f.last {
		f.last = e.Value
		return
	}
	l.report(codeOrder, diag.Warning, e.Start, e.End, fmt.Sprintf("Key %s should stand before `%s`", quote(l.text[e.Start:e.End]), short(f.last)),
		"Keys of this mapping are to be sorted by their code points.")
}

// index makes the lines of the text.
func (l *linter) index() {
	if l.lines == nil {
		l.lines = diag.NewLines(l.text)
	}
}

func (l *linter) report(code string, sev diag.Severity, start, end int, title, help string) {
	l.out = append(l.out, diag.Diagnostic{
		Engine: name, Code: code, Severity: sev, Title: strings.ToValidUTF8(title, "\uFFFD"), Description: help, Span: &diag.Span{Start: start, End: end},
	})
}
