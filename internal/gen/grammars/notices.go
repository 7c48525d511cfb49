package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
)

// elsewhere are Go modules without a parser, or with another one, that have the
// licence a crate came without.
var elsewhere = []string{
	"github.com/camdencheek/tree-sitter-dockerfile@v0.2.0",
	"github.com/derekstride/tree-sitter-sql@v0.3.11",
	"github.com/tree-sitter-grammars/tree-sitter-markdown@v0.5.3",
}

// required matches a module of go.mod that is C of tree-sitter.
var required = regexp.MustCompile(`(?m)^\t(github\.com/tree-sitter\S*) (v\S+)$`)

// addNotices adds the licences that come with Go modules.
func addNotices(ctx context.Context, files map[string][]byte) error {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	args := append([]string{"mod", "download", "-json"}, elsewhere...)
	for _, m := range required.FindAllStringSubmatch(string(text), -1) {
		args = append(args, m[1]+"@"+m[2])
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go mod download: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(m.Dir, "LICENSE"))
		if errors.Is(err, fs.ErrNotExist) {
			text, err = os.ReadFile(filepath.Join(m.Dir, "LICENSE.md"))
		}
		if err != nil {
			return err
		}
		files["notices/"+path.Base(m.Path)+".txt"] = text
	}
}
