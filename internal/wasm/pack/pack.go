// Package pack holds the Wasm modules that are built into poly, as the command
// internal/gen/pack laid them down: packed, with what is needed to run them. A
// build without them works, and has no module.
//
// Nothing is unpacked before it is asked for.
package pack

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// blob is what internal/gen/pack writes. Git ignores it but for the file that
// keeps the folder.
//
//go:embed all:blob
var blob embed.FS

// Biome is the name of an optional pack, which builds with -tags biome hold: a
// folder beside this source, with a manifest, sums and blobs of its own.
const Biome = "biome"

// Source tells where a module comes from.
type Source struct {
	Name    string // by which engines ask for it
	Package string // of npm; its version stands in package.json
	Wasm    string // file of the package
	// Glue is the JavaScript that comes with a wasm-bindgen module, a file of
	// the package; "" for a dprint plugin, which needs none.
	Glue string
	// Licence is the file of the package with the text of its licence; "" if
	// the plugin tells it itself.
	Licence string
	// LicenceFrom is the package that holds Licence; "": the same one.
	LicenceFrom string
	// SPDX is the licence that poly takes the module under; "": the one its
	// manifest names.
	SPDX string
}

// Files are those of packages that are read, as package/file.
func (s *Source) Files() []string {
	names := []string{s.Package + "/" + s.Wasm}
	if s.Glue != "" {
		names = append(names, s.Package+"/"+s.Glue)
	}
	if s.Licence != "" {
		names = append(names, s.LicenceFile())
	}
	return names
}

// LicenceFile is the file with the text of the licence, as package/file.
func (s *Source) LicenceFile() string { return cmp.Or(s.LicenceFrom, s.Package) + "/" + s.Licence }

// Optional returns the modules of an optional pack; nil if there is none of
// that name.
func Optional(name string) []Source {
	if name != Biome {
		return nil
	}
	return []Source{{
		Name: "biome", Package: "@biomejs/wasm-nodejs", Wasm: "biome_wasm_bg.wasm", Glue: "biome_wasm.js",
		Licence: "LICENSE-MIT", LicenceFrom: "@biomejs/biome", SPDX: "MIT",
	}}
}

// Command returns what to run to have a module built in.
func Command(name string) string {
	if slices.ContainsFunc(Optional(Biome), func(s Source) bool { return s.Name == name }) {
		return "make pack-biome"
	}
	return "make engines"
}

// Sources returns every module there is to build in, by name, but for those of
// optional packs.
func Sources() []Source {
	const glue, bg = ".js", "_bg.wasm"
	dprint := func(lang string) Source {
		return Source{Name: "dprint-" + lang, Package: "@dprint/" + lang, Wasm: "plugin.wasm"}
	}
	fmts := func(name string) Source {
		return Source{Name: name, Package: "@wasm-fmt/" + name, Wasm: name + bg, Glue: name + "_bg" + glue, Licence: "LICENSE"}
	}
	return []Source{
		dprint("dockerfile"), dprint("json"), dprint("markdown"), dprint("toml"), dprint("typescript"),
		fmts("lua_fmt"), fmts("mago_fmt"),
		{Name: "ruff", Package: "@astral-sh/ruff-wasm-nodejs", Wasm: "ruff_wasm" + bg, Glue: "ruff_wasm" + glue, Licence: "LICENSE"},
		fmts("sql_fmt"), fmts("web_fmt"),
	}
}

// Module is a module that is built in.
type Module struct {
	Name    string
	Version string // of the package
	Licence string // SPDX id
	Sum     string // sha256 of the Wasm text, in hexadecimal
	Size    int    // of the Wasm text, in bytes
	own     *own   // nil: the module is built in
}

// own are the blobs of a module that is not built in.
type own struct{ wasm, table []byte }

// With returns m with blobs of its own, as tests and the command that packs
// need it: its text as [Pack] packed it, and its table.
func (m Module) With(packed, table []byte) Module {
	m.own = &own{packed, table}
	return m
}

// Names returns the modules that are built in, in order.
func Names() []string {
	var names []string
	for _, m := range index() {
		names = append(names, m.Name)
	}
	return names
}

// Find returns the module of a name; ok is false if it is not built in.
func Find(name string) (m Module, ok bool) {
	list := index()
	i, ok := slices.BinarySearchFunc(list, name, func(m Module, name string) int { return strings.Compare(m.Name, name) })
	if !ok {
		return Module{}, false
	}
	return list[i], true
}

// IndexFile is the list of the modules in the folder of blobs: a line each of
// name, version, licence, sum and size, in the order of names.
const IndexFile = "index"

// index reads the list once.
var index = sync.OnceValue(func() []Module {
	var list []Module
	for dir, files := range folders() {
		if text, err := files.ReadFile(dir + "/" + IndexFile); err == nil {
			list = append(list, parseIndex(text)...)
		}
	}
	slices.SortFunc(list, func(a, b Module) int { return strings.Compare(a.Name, b.Name) })
	return list
})

// folders yields the folders of blobs that are embedded.
func folders() iter.Seq2[string, embed.FS] {
	return func(yield func(string, embed.FS) bool) {
		_ = yield("blob", blob) && hasBiome && yield(Biome+"/blob", biome)
	}
}

func parseIndex(text []byte) []Module {
	var list []Module
	for line := range bytes.Lines(text) {
		var m Module
		if _, err := fmt.Sscan(string(line), &m.Name, &m.Version, &m.Licence, &m.Sum, &m.Size); err == nil {
			list = append(list, m)
		}
	}
	return list
}

// AppendIndex appends the line of m to a list.
func (m Module) AppendIndex(b []byte) []byte {
	return fmt.Appendln(b, m.Name, m.Version, m.Licence, m.Sum, m.Size)
}

// Suffixes of the files of a module in the folder of blobs.
const (
	WasmSuffix    = ".wasm.zst"
	TableSuffix   = ".table"
	LicenceSuffix = ".licence"
)

// Wasm unpacks the module. Each call does so again.
func (m Module) Wasm() ([]byte, error) {
	text, err := Unpack(m.blob(WasmSuffix), m.Size)
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", m.Name, err)
	}
	return text, nil
}

// Table returns what internal/wasm/bindgen made of the module's glue; nil for
// a module without any.
func (m Module) Table() []byte {
	if m.own != nil {
		return m.own.table
	}
	return m.blob(TableSuffix)
}

// blob returns a file of the folder of blobs; nil if there is none.
func (m Module) blob(suffix string) []byte {
	if m.own != nil && suffix == WasmSuffix {
		return m.own.wasm
	}
	for dir, files := range folders() {
		if text, err := files.ReadFile(dir + "/" + m.Name + suffix); err == nil {
			return text
		}
	}
	return nil
}

// LicenceText returns the text of the module's licence.
func (m Module) LicenceText() string { return string(m.blob(LicenceSuffix)) }

// Pack compresses text as far as it goes.
func Pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(zstd.MaxWindowSize>>6))
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Unpack returns what [Pack] was given, which had size bytes.
func Unpack(packed []byte, size int) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	return text, nil
}
