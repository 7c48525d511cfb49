package buildifier

import (
	"maps"
	"slices"
	"testing"

	"github.com/bazelbuild/buildtools/build"
	"github.com/bazelbuild/buildtools/warn"
)

// leftOut need other files or tables.
var leftOut = []string{"allowed-symbol-load-locations", "bzl-visibility", "deprecated-function"}

// TestRulesAreUpstreams: every warning of the library has a rule, or is left out by name.
func TestRulesAreUpstreams(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for code := range maps.Keys(warn.FileWarningMap) {
		known[code] = true
	}
	for code := range maps.Keys(warn.MultiFileWarningMap) {
		known[code] = true
	}
	for i := range rules {
		r := &rules[i]
		if r.Code == codeSyntax {
			continue
		}
		if !known[r.Code] {
			t.Errorf("buildifier has no warning %s", r.Code)
		}
		if r.Default != slices.Contains(warn.DefaultWarnings, r.Code) {
			t.Errorf("%s: on by default %v", r.Code, r.Default)
		}
		delete(known, r.Code)
	}
	if left := slices.Sorted(maps.Keys(known)); !slices.Equal(left, leftOut) {
		t.Errorf("warnings without a rule: %q, want %q", left, leftOut)
	}
}

// TestKinds: files are of the kind that the library takes them for.
func TestKinds(t *testing.T) {
	t.Parallel()
	names := map[build.FileType][]string{
		build.TypeBuild: {buildKind}, build.TypeBzl: {bzlKind}, build.TypeWorkspace: {workspaceKind}, build.TypeModule: {moduleKind},
		build.TypeRepo: {repoKind}, build.TypeVendor: {vendorKind}, build.TypeDefault: {defaultKind, looseKind},
	}
	for _, path := range []string{
		"BUILD", "a/BUILD.bazel", "x.BUILD", "BUILD.foo.bazel", "foo.build.bazel", "a.bzl", "WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod",
		"x.workspace", "MODULE.bazel", "dev.MODULE.bazel", "REPO.bazel", "VENDOR.bazel", "BUCK", "Tiltfile", "a/b.star", "x.sky", "TARGETS",
		"BUILD.oss", "build", "rules.bzl.oss", "x", "a.bazel", "BUCK.v2", "p.plz",
	} {
		f, err := build.Parse(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := kindOf(path); !slices.Contains(names[f.Type], got) {
			t.Errorf("kindOf(%s) = %s, buildifier says %v", path, got, f.Type)
		}
	}
}
