package commitmsg

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"poly/internal/usererr"
)

// Options are the table [commit] and what the command line adds to it. The
// zero value is the preset conventional.
type Options struct {
	Preset string // "": conventional
	Write  bool   // tidy the file up
	// Pattern is a regular expression that the message or its title matches;
	// it replaces the checks of the preset's form.
	Pattern            string
	PatternDescription string
	Excludes           []Exclude
	Cleanups           []Cleanup
	// Ignores are regular expressions of messages that are not judged.
	Ignores []string
	// NoDefaultIgnores: merges, reverts and fixup commits are judged too.
	NoDefaultIgnores     bool
	SingleLine           bool
	RequireBody          bool
	ExitNonzeroOnRewrite bool
	NoEmojis             bool
	ASCIIOnly            bool
	TitlePrefix          Affix
	TitleSuffix          Affix
	// Types and Scopes replace what the conventional form allows; no Scopes: any.
	Types  []string
	Scopes []string
	// MaxTitle and MaxBody are the longest lines, in characters; 0: 100.
	MaxTitle int
	MaxBody  int
	// AllowAI: trailers and notices of coding agents are allowed.
	AllowAI bool
}

// Exclude is a pattern no message may match, and what to say then.
type Exclude struct{ Pattern, Message string }

// Cleanup is a replacement that Clean makes.
type Cleanup struct{ Find, Replace, Description string }

// Affix is what titles begin or end with, and what stands between it and the
// rest; "" for none.
type Affix struct{ Text, Separator string }

// Separators of affixes that name none.
const (
	PrefixSeparator = " * "
	SuffixSeparator = " "
)

const defaultMax = 100

// Presets lists the names a preset may have.
func Presets() []string {
	return []string{"conventional", "default", "conventional-body", "conventional_detailed", "conventional-with-body", "simple", "simple-single-line"}
}

func badPreset(name string) error {
	return usererr.New("bad-preset", "no preset "+name, "the presets are "+strings.Join(Presets(), ", "))
}

func contradiction(preset string) error {
	return usererr.New("bad-value", "a message cannot be one line and have a body", "the preset is "+orDefault(preset, "conventional")+"; leave out single_line or require_body")
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

func compile(where, pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, &usererr.Error{Code: "bad-pattern", Msg: where + ": " + pattern, Err: err, Hint: "patterns are regular expressions of Go, without look-around"}
	}
	return re, nil
}

// FromTable reads the table [commit], or a file of gitfluff, as plain values.
// It is strict: an unknown key or a value of the wrong kind is an error that
// names it.
func FromTable(table map[string]any) (Options, error) {
	o := Options{TitlePrefix: Affix{Separator: PrefixSeparator}, TitleSuffix: Affix{Separator: SuffixSeparator}}
	d := &decoder{}
	d.each("commit", table, map[string]func(any){
		"preset": d.text("commit.preset", &o.Preset),
		"write":  d.flag("commit.write", &o.Write),
		"rules":  func(v any) { d.rules(v, &o) },
	})
	return o, d.err
}

// decoder keeps the first error.
type decoder struct{ err error }

func (d *decoder) rules(v any, o *Options) {
	const at = "commit.rules."
	ai := ""
	defaults := true
	d.table(at, v, map[string]func(any){
		"message": func(v any) {
			d.table(at+"message", v, map[string]func(any){
				"pattern": d.text(at+"message.pattern", &o.Pattern), "description": d.text(at+"message.description", &o.PatternDescription),
			})
		},
		"excludes":                func(v any) { d.excludes(v, o) },
		"cleanup":                 func(v any) { d.cleanups(v, o) },
		"ignores":                 d.texts(at+"ignores", &o.Ignores),
		"default_ignores":         d.flag(at+"default_ignores", &defaults),
		"single_line":             d.flag(at+"single_line", &o.SingleLine),
		"require_body":            d.flag(at+"require_body", &o.RequireBody),
		"exit_nonzero_on_rewrite": d.flag(at+"exit_nonzero_on_rewrite", &o.ExitNonzeroOnRewrite),
		"no_emojis":               d.flag(at+"no_emojis", &o.NoEmojis),
		"ascii_only":              d.flag(at+"ascii_only", &o.ASCIIOnly),
		"title_prefix":            d.text(at+"title_prefix", &o.TitlePrefix.Text),
		"title_prefix_separator":  d.text(at+"title_prefix_separator", &o.TitlePrefix.Separator),
		"title_suffix":            d.text(at+"title_suffix", &o.TitleSuffix.Text),
		"title_suffix_separator":  d.text(at+"title_suffix_separator", &o.TitleSuffix.Separator),
		"types":                   d.texts(at+"types", &o.Types),
		"scopes":                  d.texts(at+"scopes", &o.Scopes),
		"title_max_length":        d.whole(at+"title_max_length", &o.MaxTitle),
		"body_max_length":         d.whole(at+"body_max_length", &o.MaxBody),
		"ai_trailers":             d.text(at+"ai_trailers", &ai),
	})
	o.NoDefaultIgnores = !defaults
	switch ai {
	case "", "deny":
	case "allow":
		o.AllowAI = true
	default:
		d.fail(at+"ai_trailers", `"deny" or "allow"`)
	}
}

func (d *decoder) excludes(v any, o *Options) {
	d.items("commit.rules.excludes", v, func(at string, item any) {
		var x Exclude
		d.table(at, item, map[string]func(any){"pattern": d.text(at+".pattern", &x.Pattern), "message": d.text(at+".message", &x.Message)})
		o.Excludes = append(o.Excludes, x)
	})
}

func (d *decoder) cleanups(v any, o *Options) {
	d.items("commit.rules.cleanup", v, func(at string, item any) {
		var k Cleanup
		d.table(at, item, map[string]func(any){
			"find": d.text(at+".find", &k.Find), "replace": d.text(at+".replace", &k.Replace), "description": d.text(at+".description", &k.Description),
		})
		o.Cleanups = append(o.Cleanups, k)
	})
}

func (d *decoder) fail(at, wants string) {
	if d.err == nil {
		d.err = usererr.New("bad-value", strings.TrimSuffix(at, ".")+" must be "+wants, "")
	}
}

func (d *decoder) table(at string, v any, keys map[string]func(any)) {
	m, ok := v.(map[string]any)
	if !ok {
		d.fail(at, "a table")
		return
	}
	d.each(at, m, keys)
}

func (d *decoder) each(at string, m map[string]any, keys map[string]func(any)) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		f, ok := keys[k]
		if !ok {
			hint := ""
			if n := usererr.Nearest(k, slices.Sorted(maps.Keys(keys))); n != "" {
				hint = "did you mean " + n + "?"
			}
			if d.err == nil {
				d.err = usererr.New("unknown-key", "unknown key "+k+" in ["+strings.TrimSuffix(at, ".")+"]", hint)
			}
			continue
		}
		f(m[k])
	}
}

func (d *decoder) items(at string, v any, f func(at string, item any)) {
	list, ok := v.([]any)
	if !ok {
		d.fail(at, "an array of tables")
		return
	}
	for _, item := range list {
		f(at, item)
	}
}

func (d *decoder) text(at string, to *string) func(any) {
	return func(v any) {
		s, ok := v.(string)
		if !ok {
			d.fail(at, "a string")
		}
		*to = s
	}
}

func (d *decoder) flag(at string, to *bool) func(any) {
	return func(v any) {
		b, ok := v.(bool)
		if !ok {
			d.fail(at, "true or false")
		}
		*to = b
	}
}

func (d *decoder) whole(at string, to *int) func(any) {
	return func(v any) {
		n, ok := v.(int64)
		if !ok || n < 1 || n > 1<<20 {
			d.fail(at, "a positive number")
			return
		}
		*to = int(n)
	}
}

func (d *decoder) texts(at string, to *[]string) func(any) {
	return func(v any) {
		list, ok := v.([]any)
		for _, item := range list {
			s, is := item.(string)
			ok = ok && is
			*to = append(*to, s)
		}
		if !ok {
			d.fail(at, "an array of strings")
		}
	}
}
