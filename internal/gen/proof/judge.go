package main

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

// packages are what the judges in node need, at the versions in the table.
var packages = []string{"yaml@2.9.1", "jsonc-parser@3.3.1", "json5@2.2.3"}

// judge asks parsers of other makers. Each is nil where it cannot be had.
type judge struct {
	p            *proof
	node, python []string
	why          []string // what is missing
}

// question is about one file.
type question struct {
	ID   int    `json:"id"`
	Path string `json:"path"` // absolute
	Kind string `json:"kind"` // yaml, json, jsonc or json5
}

// opinion is what a judge says.
type opinion struct {
	ID       int
	Errors   []string
	Values   string // digest of the values, tags and anchors, in order
	Comments string // digest of the comments, in order
	Places   []int  // of each comment: how many scalars are before it
}

// newJudge installs the judges in the working directory.
func newJudge(ctx context.Context, p *proof) *judge {
	j := &judge{p: p}
	dir := filepath.Join(p.Dir, "judge")
	if err := j.install(ctx, dir); err != nil {
		j.why = append(j.why, "node's yaml, jsonc-parser and json5: "+err.Error())
	} else {
		j.node = []string{"node", filepath.Join(dir, "judge.mjs")}
	}
	script := filepath.Join(dir, "judge.py")
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(ctx, python, "-c", "import yaml").Run() == nil {
			j.python = []string{python, script}
			break
		}
	}
	if j.python == nil {
		j.why = append(j.why, "Python with PyYAML is not here")
	}
	return j
}

func (j *judge) install(ctx context.Context, dir string) error {
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
	cmd := exec.CommandContext(ctx, "npm", append([]string{"install", "--no-audit", "--no-fund", "--loglevel=error"}, packages...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", err, lab.Clean(string(out)))
	}
	return nil
}

var errNoJudge = errors.New("this judge is not here")

// ask puts questions to a judge. Its answers are in order of the questions.
func (j *judge) ask(ctx context.Context, who []string, qs []question) ([]opinion, error) {
	if who == nil {
		return nil, errNoJudge
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
	r, err := j.p.Start(ctx, j.p.Dir, in.Bytes(), who...)
	if err != nil {
		return nil, err
	}
	if r.Exit != 0 {
		return nil, fmt.Errorf("%v: exit %d: %s", who, r.Exit, lab.Clean(string(r.Errs)))
	}
	out := make([]opinion, 0, len(qs))
	for dec := json.NewDecoder(bytes.NewReader(r.Out)); dec.More(); {
		var o opinion
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

// texts judges YAML texts.
func (j *judge) texts(ctx context.Context, texts ...[]byte) ([]opinion, error) {
	var qs []question
	for i, text := range texts {
		name := filepath.Join(j.p.Dir, fmt.Sprintf("judged%d.yaml", i))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return nil, err
		}
		qs = append(qs, question{Path: name, Kind: "yaml"})
	}
	return j.ask(ctx, j.node, qs)
}
