package judge

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// passes is how often a tool is run until its output settles.
const passes = 25

// Difference is a YAML file that poly and yamlfmt leave with different bytes.
type Difference struct {
	Argv                 []string // yamlfmt and its arguments before a file
	Before, Ours, Theirs []byte
	Skipped              string // poly's reason to skip it
}

// Explain knows the work-arounds for what yamlfmt does to meanings, and checks
// that each was needed. It says why the texts differ and whether that is a
// fault of poly.
func (j *Judge) Explain(ctx context.Context, d *Difference) (reason string, fault bool, err error) {
	if plainly(d.Skipped) {
		return "skipped: " + d.Skipped, false, nil
	}
	if d.Skipped == "" && bytes.Equal(likeOurs(d.Ours), likeOurs(d.Theirs)) {
		return "line ends, byte order mark or a tag that was not there kept: yamlfmt changes them", false, nil
	}
	judged := &judgedYAML{}
	if judged.settled, judged.stable, err = j.settle(ctx, d); err != nil {
		return "", false, err
	}
	if d.Skipped == "" && !bytes.Equal(likeOurs(judged.settled), likeOurs(d.Theirs)) && bytes.Equal(likeOurs(d.Ours), likeOurs(judged.settled)) {
		return "yamlfmt needs more than one pass; equal to its last", false, nil
	}
	said, err := j.Texts(ctx, d.Before, d.Ours, d.Theirs, judged.settled)
	if err != nil {
		return "", false, err
	}
	judged.before, judged.ours, judged.theirs, judged.last = said[0], said[1], said[2], said[3]
	switch {
	case d.Skipped != "":
		return d.skip(judged)
	case Harm(judged.before, judged.ours) != "":
		return "poly " + Harm(judged.before, judged.ours) + ": " + Parting(d.Ours, d.Theirs), true, nil
	case judged.harm() != "":
		return "mended: yamlfmt " + judged.harm(), false, nil
	}
	return "different bytes: " + Parting(d.Ours, d.Theirs), true, nil
}

// plainly reports whether a reason to skip says nothing that a judge could
// weigh.
func plainly(skipped string) bool {
	return strings.Contains(skipped, "template") || strings.Contains(skipped, "generated") || strings.Contains(skipped, "UTF-")
}

// skip checks that a file that poly declined was better left alone.
func (d *Difference) skip(j *judgedYAML) (string, bool, error) {
	syntax := strings.Contains(d.Skipped, "syntax error")
	reason := d.Skipped
	if syntax {
		reason = "YAML syntax error"
	}
	switch {
	case syntax && len(j.before.Errors) == 0:
		return "skipped as a syntax error, but the judge accepts it: " + d.Skipped, true, nil
	case syntax:
		return "skipped: " + reason + " (the judge agrees)", false, nil
	case j.harm() != "":
		return "skipped: " + reason + " (yamlfmt " + j.harm() + ")", false, nil
	case !j.stable:
		return "skipped: " + reason + " (yamlfmt does not settle)", false, nil
	case strings.HasPrefix(d.Skipped, "formatter"):
		return "skipped without need: " + d.Skipped + ": " + Parting(d.Before, d.Theirs), true, nil
	}
	return "skipped: " + reason, false, nil
}

// judgedYAML is what the judge says of the versions of a file.
type judgedYAML struct {
	before, ours, theirs, last Opinion
	settled                    []byte // what yamlfmt makes of its own output in the end
	stable                     bool
}

// harm says what yamlfmt does to the meaning of a file, at once or in the end.
func (j *judgedYAML) harm() string {
	if h := Harm(j.before, j.theirs); h != "" {
		return h
	}
	return Harm(j.before, j.last)
}

// settle runs yamlfmt on its own output until that stays the same.
func (j *Judge) settle(ctx context.Context, d *Difference) (text []byte, stable bool, err error) {
	name := filepath.Join(j.lab.Dir, "settle.yaml")
	defer func() { _ = os.Remove(name) }()
	text = d.Theirs
	for range passes {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return nil, false, err
		}
		argv := append(slices.Clone(d.Argv), name)
		if _, err := j.lab.Start(ctx, j.lab.Dir, nil, argv...); err != nil {
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
	return bytes.ReplaceAll(Plain(text), []byte("!!merge <<"), []byte("<<"))
}

// Plain is a text without byte order mark and with the line ends of Unix.
func Plain(text []byte) []byte {
	return bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
}

// Parting shows where two texts part.
func Parting(ours, theirs []byte) string {
	a, b := strings.Split(string(ours), "\n"), strings.Split(string(theirs), "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("line %d: poly %.90q, the command %.90q", i+1, x, y)
		}
	}
	return "nowhere"
}
