// Package judge asks parsers of other makers what a text means: node's yaml,
// jsonc-parser and json5, PyYAML and Python's json. It shares no code with
// poly.
package judge

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"poly/internal/gen/proof/lab"
)

//go:embed judge.mjs
var nodeJudge []byte

//go:embed judge.py
var pythonJudge []byte

// Packages are what the judges in node need, at these versions.
var Packages = []string{"yaml@2.9.1", "jsonc-parser@3.3.1", "json5@2.2.3"}

// Judge asks them. Node and Python are what starts each, nil where it cannot be
// had.
type Judge struct {
	Node, Python []string
	Why          []string // what is missing

	lab *lab.Lab
}

// Question is about one file.
type Question struct {
	ID   int    `json:"id"`
	Path string `json:"path"` // absolute
	Kind string `json:"kind"` // yaml, json, jsonc or json5
}

// Opinion is what a judge says.
type Opinion struct {
	ID       int
	Errors   []string
	Values   string // digest of the values, tags and anchors, in order
	Comments string // digest of the comments, in order
	Places   []int  // of each comment: how many scalars are before it
}

// New installs the judges in the working directory of l.
func New(ctx context.Context, l *lab.Lab) *Judge {
	j := &Judge{lab: l}
	dir := filepath.Join(l.Dir, "judge")
	if err := j.install(ctx, dir); err != nil {
		j.Why = append(j.Why, "node's yaml, jsonc-parser and json5: "+err.Error())
	} else {
		j.Node = []string{"node", filepath.Join(dir, "judge.mjs")}
	}
	script := filepath.Join(dir, "judge.py")
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(ctx, python, "-c", "import yaml").Run() == nil {
			j.Python = []string{python, script}
			break
		}
	}
	if j.Python == nil {
		j.Why = append(j.Why, "Python with PyYAML is not here")
	}
	return j
}

func (j *Judge) install(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	manifest := []byte(`{"private": true, "type": "module"}`)
	files := map[string][]byte{"judge.py": pythonJudge, "judge.mjs": nodeJudge, "package.json": manifest}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	// npm keeps its settings and certificates in the environment of the user.
	cmd := exec.CommandContext(ctx, "npm", append([]string{"install", "--no-audit", "--no-fund", "--loglevel=error"}, Packages...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", err, lab.Clean(string(out)))
	}
	return nil
}

// ErrAbsent says that a judge cannot be had.
var ErrAbsent = errors.New("this judge is not here")

// Ask puts questions to a judge, of which who is what starts it. Its answers are in order of the questions.
func (j *Judge) Ask(ctx context.Context, who []string, qs []Question) ([]Opinion, error) {
	if who == nil {
		return nil, ErrAbsent
	}
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	enc.SetEscapeHTML(false)
	for i := range qs {
		qs[i].ID = i
		if err := enc.Encode(qs[i]); err != nil {
			return nil, err
		}
	}
	r, err := j.lab.Start(ctx, j.lab.Dir, in.Bytes(), who...)
	if err != nil {
		return nil, err
	}
	if r.Exit != 0 {
		return nil, fmt.Errorf("%v: exit %d: %s", who, r.Exit, lab.Clean(string(r.Errs)))
	}
	out := make([]Opinion, 0, len(qs))
	for dec := json.NewDecoder(bytes.NewReader(r.Out)); dec.More(); {
		var o Opinion
		if err := dec.Decode(&o); err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	if len(out) != len(qs) {
		return nil, fmt.Errorf("%v: %d answers to %d questions", who, len(out), len(qs))
	}
	return out, nil
}

// Texts judges YAML texts.
func (j *Judge) Texts(ctx context.Context, texts ...[]byte) ([]Opinion, error) {
	var qs []Question
	for i, text := range texts {
		name := filepath.Join(j.lab.Dir, fmt.Sprintf("judged%d.yaml", i))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return nil, err
		}
		qs = append(qs, Question{Path: name, Kind: "yaml"})
	}
	return j.Ask(ctx, j.Node, qs)
}

// Harm says what became of the meaning of a text, or "". A comment may trade
// places with one scalar: the key it stands beside.
func Harm(before, after Opinion) string {
	switch {
	case len(after.Errors) > 0 && len(before.Errors) == 0:
		return "writes what does not parse"
	case after.Values != before.Values:
		return "changes a value"
	case after.Comments != before.Comments:
		return "loses or reorders a comment"
	}
	for i, n := range before.Places {
		if d := after.Places[i] - n; d < -1 || d > 1 {
			return "moves a comment to another value"
		}
	}
	return ""
}
