package buildifier

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"github.com/bazelbuild/buildtools/warn"

	"poly/internal/engine"
)

// nativeName is the file that the buildifier command reads.
const nativeName = ".buildifier.json"

// native returns w with what the nearest .buildifier.json says where the
// options say nothing.
func (w *worker) native(inputs []engine.Input) (*worker, error) {
	if len(inputs) == 0 {
		return w, nil
	}
	var file struct {
		Type         string   `json:"type"`
		Warnings     string   `json:"warnings"`
		WarningsList []string `json:"warningsList"`
		Disable      []string `json:"buildifier_disable"`
		AllowSort    []string `json:"allowsort"`
		Tables       string   `json:"tables"`
		AddTables    string   `json:"addTables"`
	}
	in := inputs[0]
	if err := json.Unmarshal(in.Text, &file); err != nil {
		return nil, engine.BrokenBy(in, err)
	}
	if !slices.Contains(append(kinds(), ""), file.Type) {
		return nil, engine.Broken(in.Path, in.Line(bytes.Index(in.Text, []byte(`"type"`))), "type %q is none", file.Type)
	}
	n := *w
	if n.kind == "" || n.kind == autoKind {
		n.kind = file.Type
	}
	if len(n.disabled) == 0 {
		n.disabled = file.Disable
	}
	if len(n.sortable) == 0 {
		n.sortable = file.AllowSort
	}
	n.tables = file.Tables != "" || file.AddTables != ""
	list := file.WarningsList
	if file.Warnings != "" {
		list = append(list, file.Warnings)
	}
	n.warnings = strings.FieldsFunc(strings.Join(list, ","), func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range n.warnings {
		if name = strings.TrimLeft(name, "+-"); name != "all" && name != "default" && !slices.Contains(warn.AllWarnings, name) {
			return nil, engine.Broken(in.Path, in.Line(bytes.Index(in.Text, []byte(name))), "no warning is called %q", name)
		}
	}
	return &n, nil
}

// wants reports whether a warning is among those .buildifier.json asks for:
// names, "all" and "default", and + or - before a name that adds to the default.
func (w *worker) wants(code string) bool {
	if len(w.warnings) == 0 {
		return true
	}
	first := w.warnings[0]
	on := strings.HasPrefix(first, "+") || strings.HasPrefix(first, "-")
	for _, name := range w.warnings {
		switch name {
		case "all", "default", code, "+" + code:
			on = true
		case "-" + code:
			on = false
		}
	}
	return on
}

// The kinds of files, by the names of buildifier's -type.
const (
	autoKind      = "auto"
	buildKind     = "build"
	bzlKind       = "bzl"
	workspaceKind = "workspace"
	moduleKind    = "module"
	repoKind      = "repo"
	vendorKind    = "vendor"
	defaultKind   = "default"
	// looseKind is a default file that Bazel does not read.
	looseKind = "loose"
)

func kinds() []string {
	return []string{autoKind, buildKind, bzlKind, workspaceKind, moduleKind, repoKind, vendorKind, defaultKind}
}

// kindOf tells by the name of a file what buildifier takes it for.
func kindOf(file string) string {
	base := strings.TrimSuffix(strings.ToLower(path.Base(file)), ".oss")
	switch base {
	case "repo.bazel":
		return repoKind
	case "vendor.bazel":
		return vendorKind
	case "module.bazel":
		return moduleKind
	case "tiltfile":
		return looseKind
	}
	if strings.HasSuffix(base, ".module.bazel") {
		return moduleKind
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch {
	case ext == ".bzl":
		return bzlKind
	case ext == ".sky":
		return defaultKind
	case ext == ".star", ext == ".plz":
		return looseKind
	case ext == ".build", stem == "build", strings.HasPrefix(stem, "build."), strings.HasSuffix(base, ".build.bazel"):
		return buildKind
	case ext == ".workspace", stem == "workspace", strings.HasPrefix(stem, "workspace."):
		return workspaceKind
	}
	return defaultKind
}

// parse parses text, which has "\n" as its only line end.
func (w *worker) parse(file string, text []byte) (*build.File, string, error) {
	kind := w.kind
	if kind == "" || kind == autoKind {
		kind = kindOf(file)
	}
	text = slices.Clip(text) // the parser appends to it
	var f *build.File
	var err error
	switch kind {
	case buildKind:
		f, err = build.ParseBuild("", text)
	case bzlKind:
		f, err = build.ParseBzl("", text)
	case workspaceKind:
		f, err = build.ParseWorkspace("", text)
	case moduleKind:
		f, err = build.ParseModule("", text)
	case repoKind:
		f, err = build.ParseRepo("", text)
	case vendorKind:
		f, err = build.ParseVendor("", text)
	default:
		f, err = build.ParseDefault("", text)
	}
	return f, kind, err
}
