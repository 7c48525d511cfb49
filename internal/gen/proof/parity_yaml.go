package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/gen/proof/judge"
)

// passes is how often a tool is run until its output settles.
const passes = 25

// explainYAML knows the work-arounds for what yamlfmt does to meanings, and
// checks that each was needed.
func (p *proof) explainYAML(ctx context.Context, d *difference) (string, bool, error) {
	judged, err := p.judgeYAML(ctx, d)
	if err != nil {
		return "", false, err
	}
	if d.skipped != "" {
		return p.explainSkip(d, judged)
	}
	if bytes.Equal(likeOurs(d.ours), likeOurs(d.theirs)) {
		return "line ends, byte order mark or a tag that was not there kept: yamlfmt changes them", false, nil
	}
	if !bytes.Equal(likeOurs(judged.settled), likeOurs(d.theirs)) && bytes.Equal(likeOurs(d.ours), likeOurs(judged.settled)) {
		return "yamlfmt needs more than one pass; equal to its last", false, nil
	}
	switch {
	case judge.Harm(judged.before, judged.ours) != "":
		return "poly " + judge.Harm(judged.before, judged.ours) + ": " + firstLine(d.ours, d.theirs), true, nil
	case judged.harm() != "":
		return "mended: yamlfmt " + judged.harm(), false, nil
	}
	return "different bytes: " + firstLine(d.ours, d.theirs), true, nil
}

// explainSkip checks that a file that poly declined was better left alone.
func (p *proof) explainSkip(d *difference, j *judgedYAML) (string, bool, error) {
	syntax := strings.Contains(d.skipped, "syntax error")
	reason := d.skipped
	if syntax {
		reason = "YAML syntax error"
	}
	switch {
	case syntax && len(j.before.Errors) == 0:
		return "skipped as a syntax error, but the judge accepts it: " + d.skipped, true, nil
	case syntax:
		return "skipped: " + reason + " (the judge agrees)", false, nil
	case j.harm() != "":
		return "skipped: " + reason + " (yamlfmt " + j.harm() + ")", false, nil
	case !j.stable:
		return "skipped: " + reason + " (yamlfmt does not settle)", false, nil
	case strings.HasPrefix(d.skipped, "formatter"):
		return "skipped without need: " + d.skipped + ": " + firstLine(d.before, d.theirs), true, nil
	}
	return "skipped: " + reason, false, nil
}

// judgedYAML is what the judge says of the versions of a file.
type judgedYAML struct {
	before, ours, theirs, last judge.Opinion
	settled                    []byte // what yamlfmt makes of its own output in the end
	stable                     bool
}

// harm says what yamlfmt does to the meaning of a file, at once or in the end.
func (j *judgedYAML) harm() string {
	if h := judge.Harm(j.before, j.theirs); h != "" {
		return h
	}
	return judge.Harm(j.before, j.last)
}

func (p *proof) judgeYAML(ctx context.Context, d *difference) (*judgedYAML, error) {
	j := &judgedYAML{}
	var err error
	if j.settled, j.stable, err = p.settle(ctx, d); err != nil {
		return nil, err
	}
	said, err := p.judge.Texts(ctx, d.before, d.ours, d.theirs, j.settled)
	if err != nil {
		return nil, err
	}
	j.before, j.ours, j.theirs, j.last = said[0], said[1], said[2], said[3]
	return j, nil
}

// settle runs yamlfmt on its own output until that stays the same.
func (p *proof) settle(ctx context.Context, d *difference) (text []byte, stable bool, err error) {
	name := filepath.Join(p.Dir, "settle.yaml")
	defer func() { _ = os.Remove(name) }()
	text = d.theirs
	for range passes {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return nil, false, err
		}
		argv := append(append([]string{d.tool}, d.peer.args...), name)
		if _, err := p.Start(ctx, p.Dir, nil, argv...); err != nil {
			return nil, false, err
		}
		next, err := os.ReadFile(name)
		if err != nil {
			return nil, false, err
		}
		if bytes.Equal(next, text) {
			return text, true, nil
		}
		text = next
	}
	return text, false, nil
}

// likeOurs undoes what yamlfmt does to line ends, byte order marks and merge
// keys.
func likeOurs(text []byte) []byte {
	return bytes.ReplaceAll(plainLines(text), []byte("!!merge <<"), []byte("<<"))
}
