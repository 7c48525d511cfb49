package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"poly/internal/gen/proof/lab"
)

// judged has one line for each typos finding that somebody read in its place:
// verdict, repository, path, title, note, separated by tabs.
//
//go:embed typos.tsv
var judged []byte

// sampled is how many findings are judged, and most how many may be wrong.
const (
	sampled   = 60
	mostWrong = 6
)

// misspelling is a finding of typos.
type misspelling struct{ repository, path, title string }

// typos draws findings of typos, always the same ones as long as they are
// found, and looks up what the reader said about them.
func (p *proof) typos(ctx context.Context) error {
	verdicts, err := readVerdicts(judged)
	if err != nil {
		return err
	}
	var all []misspelling
	for _, c := range p.checks {
		if err := p.lintOnce(ctx, c); err != nil {
			return err
		}
		for i := range c.docs["lint"].Results {
			r := &c.docs["lint"].Results[i]
			for _, d := range r.Diagnostics {
				if d.Engine == "typos" {
					all = append(all, misspelling{c.name, r.Path, d.Title})
				}
			}
		}
	}
	drawn := draw(all, sampled)
	p.Page.Line("%d findings in all repositories; %d of them, chosen by hash and one a word and file, were read in their place. At least 90 %% must be right.", len(all), len(drawn))
	t := lab.NewTable("verdict", "repository", "file", "finding", "note")
	right, wrong := 0, 0
	for _, m := range drawn {
		v, ok := verdicts[m]
		switch {
		case !ok:
			p.Fault("not judged yet: %s\t%s\t%s", m.repository, m.path, m.title)
			continue
		case v.right:
			right++
		default:
			wrong++
		}
		t.Row(v.word(), m.repository, m.path, m.title, v.note)
	}
	p.Page.Line("%d right, %d wrong.", right, wrong)
	p.Page.Table(t)
	if wrong > mostWrong {
		p.Fault("%d of %d typos findings are wrong, at most %d may be", wrong, len(drawn), mostWrong)
	}
	return nil
}

// verdict is what a reader said.
type verdict struct {
	right bool
	note  string
}

func (v verdict) word() string {
	if v.right {
		return "right"
	}
	return "wrong"
}

func readVerdicts(text []byte) (map[misspelling]verdict, error) {
	out := map[misspelling]verdict{}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if s.Text() == "" || strings.HasPrefix(s.Text(), "#") {
			continue
		}
		f := strings.Split(s.Text(), "\t")
		if len(f) != 5 || f[0] != "right" && f[0] != "wrong" {
			return nil, fmt.Errorf("typos.tsv: %q", s.Text())
		}
		out[misspelling{f[1], f[2], f[3]}] = verdict{f[0] == "right", f[4]}
	}
	return out, nil
}

// draw returns n of all, in an order that depends on nothing but themselves.
func draw(all []misspelling, n int) []misspelling {
	type hashed struct {
		sum [sha256.Size]byte
		m   misspelling
	}
	hs := make([]hashed, len(all))
	for i, m := range all {
		hs[i] = hashed{sha256.Sum256([]byte(m.repository + "\x00" + m.path + "\x00" + m.title)), m}
	}
	slices.SortFunc(hs, func(a, b hashed) int { return bytes.Compare(a.sum[:], b.sum[:]) })
	hs = slices.CompactFunc(hs, func(a, b hashed) bool { return a.m == b.m })
	var out []misspelling
	for _, h := range hs[:min(n, len(hs))] {
		out = append(out, h.m)
	}
	return out
}
