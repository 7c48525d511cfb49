package proto

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/engine"
)

// settings are what poly.toml and buf.yaml say. The zero value says nothing.
type settings struct {
	zeroSuffix, serviceSuffix                string
	sameRequest, emptyRequest, emptyResponse bool
	off                                      []string // codes and categories of this file
	root                                     string   // directory of the module, "" if no buf.yaml tells
	known                                    bool     // root is known
}

// bufLint is the part of buf.yaml about linting.
type bufLint struct {
	Except             []string            `yaml:"except"`
	Ignore             []string            `yaml:"ignore"`
	IgnoreOnly         map[string][]string `yaml:"ignore_only"`
	EnumZeroSuffix     string              `yaml:"enum_zero_value_suffix"`
	ServiceSuffix      string              `yaml:"service_suffix"`
	SameRequest        bool                `yaml:"rpc_allow_same_request_response"`
	EmptyRequests      bool                `yaml:"rpc_allow_google_protobuf_empty_requests"`
	EmptyResponses     bool                `yaml:"rpc_allow_google_protobuf_empty_responses"`
	DisallowedComments bool                `yaml:"disallow_comment_ignores"`
}

type bufFile struct {
	Version string  `yaml:"version"`
	Lint    bufLint `yaml:"lint"`
	Build   struct {
		Roots []string `yaml:"roots"`
	} `yaml:"build"`
	Modules []struct {
		Path string   `yaml:"path"`
		Lint *bufLint `yaml:"lint"`
	} `yaml:"modules"`
}

// with adds what the nearest buf.yaml says about a file.
func (s settings) with(inputs []engine.Input, file string) (settings, error) {
	if len(inputs) == 0 {
		return s.defaults(), nil
	}
	in := inputs[0]
	if err := wellFormed(in); err != nil {
		return s, err
	}
	var b bufFile
	if err := yaml.Unmarshal(in.Text, &b); err != nil {
		return s, engine.BrokenBy(in, err)
	}
	base := path.Dir(in.Path)
	s.root, s.known = base, len(b.Build.Roots) == 0
	l := &b.Lint
	for i := range b.Modules {
		m := &b.Modules[i]
		if dir := path.Join(base, m.Path); within(file, dir) {
			s.root = dir
			if m.Lint != nil {
				l = m.Lint
			}
		}
	}
	s.apply(l, base, file)
	return s.defaults(), nil
}

func (s *settings) apply(l *bufLint, base, file string) {
	if s.zeroSuffix == "" {
		s.zeroSuffix = l.EnumZeroSuffix
	}
	if s.serviceSuffix == "" {
		s.serviceSuffix = l.ServiceSuffix
	}
	s.sameRequest, s.emptyRequest, s.emptyResponse = l.SameRequest, l.EmptyRequests, l.EmptyResponses
	s.off = append(s.off, l.Except...)
	// Paths are relative to buf.yaml in version 2, to the module before it:
	// both are tried.
	hit := func(paths []string) bool {
		for _, p := range paths {
			if within(file, path.Join(base, p)) || within(file, path.Join(s.root, p)) {
				return true
			}
		}
		return false
	}
	if hit(l.Ignore) {
		for _, r := range rules() {
			if !compiler(r.Code) {
				s.off = append(s.off, r.Code)
			}
		}
	}
	for code, paths := range l.IgnoreOnly {
		if hit(paths) {
			s.off = append(s.off, code)
		}
	}
}

func (s settings) defaults() settings {
	if s.zeroSuffix == "" {
		s.zeroSuffix = "_UNSPECIFIED"
	}
	if s.serviceSuffix == "" {
		s.serviceSuffix = "Service"
	}
	return s
}

// silent tells that buf.yaml switches a code off, by its name or that of a
// category it is in.
func (s settings) silent(code string) bool {
	if compiler(code) {
		return false
	}
	for _, off := range s.off {
		if off == code || inCategory(code, off) {
			return true
		}
	}
	return false
}

// inCategory tells that a code belongs to a category of buf.
func inCategory(code, category string) bool {
	switch category {
	case "STANDARD", "DEFAULT":
		return true
	case "BASIC":
		return !strings.HasPrefix(code, "RPC_RE") && code != codeValuePrefix && code != codeZeroSuffix && code != codeFileName &&
			code != codeVersionSuffix && code != codeServiceSuffix
	case "MINIMAL":
		return code == codeDirectoryPackage || code == codePackage || code == codePackageDirectory
	}
	return false
}

func within(file, dir string) bool {
	return dir == "." || file == dir || strings.HasPrefix(file, dir+"/")
}
