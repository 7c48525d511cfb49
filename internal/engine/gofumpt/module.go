package gofumpt

import (
	"bufio"
	"bytes"
	goversion "go/version"
	"path"
	"strconv"
	"strings"

	"poly/internal/engine"
)

// module is what go.mod tells the formatter.
type module struct {
	version string // "go1.26", "" outside a module
	path    string
}

// moduleOf reads the nearest go.mod among inputs. One that names no usable Go
// version counts as Go 1.16, as the reference of go.mod says.
func moduleOf(inputs []engine.Input) module {
	for _, in := range inputs {
		if path.Base(in.Path) == "go.mod" {
			return parseModule(in.Text)
		}
	}
	return module{}
}

func parseModule(text []byte) module {
	m := module{version: "go1.16"}
	block := "" // the directive whose ( ... ) block we are in
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "go":
			if v := "go" + words[1]; goversion.IsValid(v) {
				m.version = v
			}
		case "module":
			m.path = unquote(words[1])
		}
	}
	return m
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s
}
