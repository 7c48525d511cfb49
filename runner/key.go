package runner

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"

	"poly/internal/blake3"

	"poly/internal/config"
	"poly/internal/editorconfig"
	"poly/internal/engine"
	"poly/internal/lang"
)

// format is raised when the meaning of keys or cached values changes.
const format = "2"

// digest hashes parts with their lengths, so that no two lists share a hash.
func digest(parts ...[]byte) [32]byte {
	n := 0
	for _, p := range parts {
		n += len(p) + 4
	}
	b := make([]byte, 0, n)
	for _, p := range parts {
		b = binary.BigEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
	}
	return blake3.Sum256(b)
}

// engineKey names every input of an engine's results but the blob, the
// conversion class and the files of the tree the engine reads: format, build,
// verb, engine, wrapped version, revision, modules, language, options, globals and the
// selected rules.
func (r *run) engineKey(e *engine.Engine, l lang.ID, t *config.EngineConfig, g engine.Globals, bound []byte) [32]byte {
	opts := t.Digest()
	return digest(
		[]byte("poly result "+format), []byte(r.build), []byte(r.req.Verb.String()),
		[]byte(e.Name), []byte(e.Wrapped), []byte(strconv.Itoa(e.Revision)), e.AppendModules(nil, l), []byte(l),
		opts[:], globals(g), bound,
	)
}

func globals(g engine.Globals) []byte {
	b := binary.AppendVarint(nil, int64(g.LineLength))
	b = binary.AppendVarint(b, int64(g.IndentWidth))
	for _, v := range [...]bool{g.CRLF, g.LF, g.FinalNewline, g.TrimTrailingWhitespace, g.Tabs} {
		b = strconv.AppendBool(b, v)
	}
	return append(b, byte(g.Configured), byte(g.Editorconfig))
}

// layout is what .editorconfig says about the files of a plan that formats.
type layout struct {
	editorconfig.Properties
	// dir is where the nearest file lies, texts what all of them say: code of
	// other languages inside of a file has properties of its own. Both are set
	// only where an engine formats such code.
	dir, texts string
}

// globalsOf returns the layout settings of an engine with the table t.
func globalsOf(p *plan, t *config.EngineConfig) engine.Globals {
	d := p.eff.Defaults
	info, _ := lang.Lookup(p.lang)
	g := engine.Globals{
		LineLength: d.LineLength, CRLF: d.CRLF, FinalNewline: d.FinalNewline, TrimTrailingWhitespace: d.TrimTrailingWhitespace,
		IndentWidth: cmp.Or(t.IndentWidth, info.Indent, 4), Tabs: info.Tabs, Configured: d.Given,
	}
	if t.IndentWidth > 0 {
		g.Configured |= config.GivenIndentWidth
	}
	return g.Under(p.layout.Properties)
}

// contentKey names the inputs of what bytes say about themselves.
func (r *run) contentKey(eff *config.Effective, l lang.ID) [32]byte {
	return digest([]byte("poly content "+format), []byte(r.build), []byte(l), binary.AppendVarint(nil, eff.Discovery.MaxFileSize))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
