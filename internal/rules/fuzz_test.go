package rules_test

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"poly/internal/rules"
	"poly/internal/rules/match"
)

// FuzzRules: no rule and no text makes loading or matching panic or take more
// than its time, and what a match says lies within the text.
func FuzzRules(f *testing.F) {
	for _, name := range []string{"patterns", "relations", "composed", "fixes", "comments", "scripts"} {
		a, err := txtar.ParseFile("testdata/cases/" + name + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		rule := ""
		for _, file := range a.Files {
			if l, ok := match.OfPath(file.Name); file.Name == "rule.yml" {
				rule = string(file.Data)
			} else if ok && file.Name != "want" {
				f.Add(rule, l.Name, string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, rule, lang, text string) {
		if len(rule) > 1<<14 || len(text) > 1<<14 || rules.Unreadable([]byte(text)) != "" {
			return
		}
		slow := time.AfterFunc(20*time.Second, func() { panic(fmt.Sprintf("too slow: %q, %s, %q", rule, lang, text)) })
		defer slow.Stop()
		l := rules.NewLoader()
		defer l.Close()
		l.Lenient = true
		l.Add("rule.yml", []byte(rule), false)
		x := rules.NewIndex(l.Set.Rules, nil)
		language, ok := match.Find(lang)
		if !ok || !language.Built() || !x.Covers(language) {
			return
		}
		var w rules.Worker
		defer w.Close()
		err := w.Scan(t.Context(), x, language, "a", []byte(text), func(found *rules.Found) error {
			for i := range found.Matches {
				j, err := found.AsJSON(t.Context(), &found.Matches[i], "a", false)
				if err != nil {
					return err
				}
				if r := j.Range.ByteOffset; r.Start < 0 || r.End < r.Start || r.End > len(text) {
					t.Fatalf("a match of %s at %d-%d of %d bytes", j.RuleID, r.Start, r.End, len(text))
				}
				if o := j.ReplacementOffsets; o != nil && (o.Start < 0 || o.End > len(text)) {
					t.Fatalf("a fix of %s at %d-%d of %d bytes", j.RuleID, o.Start, o.End, len(text))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
