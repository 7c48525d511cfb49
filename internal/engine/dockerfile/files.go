package dockerfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poly/internal/diag"
)

// pair is one entry of ENV or LABEL, without the quotes around it.
type pair struct {
	key, value string
	verbatim   bool // in single quotes: nothing is replaced in it
}

func (in *instruction) pairs() []pair {
	var out []pair
	for i := 0; i+2 < len(in.args); i += 3 {
		v := in.args[i+1]
		out = append(out, pair{unquote(in.args[i]), unquote(v), strings.HasPrefix(v, "'")})
	}
	return out
}

// unquote takes off quotes around a text.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

func trimQuotes(s string) string { return strings.Trim(s, `"'`) }

// paths returns the sources and the destination of COPY and ADD.
func (in *instruction) paths() (sources []string, dest string, ok bool) {
	if in.name != "copy" && in.name != "add" || len(in.args) < 2 {
		return nil, "", false
	}
	n := len(in.args) - 1
	return in.args[:n], in.args[n], true
}

// absolute tells that a path starts at a root, or with something unknown.
func absolute(p string) bool {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "$") {
		return true
	}
	return len(p) > 1 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}

// archive tells by its name that ADD unpacks a file.
func archive(p string) bool {
	p = trimQuotes(p)
	return strings.Contains(p, ".tar") || slices.ContainsFunc([]string{
		".Z", ".bz2", ".gz", ".lz", ".lzma", ".tZ", ".tb2", ".tbz", ".tbz2", ".tgz", ".tlz", ".tpz", ".txz", ".xz", ".zst", ".tzst",
	}, func(ext string) bool { return strings.HasSuffix(p, ext) })
}

// remote tells that ADD fetches a source: a URL or a git repository.
func remote(p string) bool {
	p = trimQuotes(p)
	return slices.ContainsFunc([]string{"https://", "http://", "git@", "git://", "ssh://", "ftp://"},
		func(pre string) bool { return strings.HasPrefix(p, pre) })
}

func checkWorkdir(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.name == "workdir" && len(in.args) == 1 && !absolute(trimQuotes(in.args[0])) && !strings.HasPrefix(trimQuotes(in.args[0]), `\`) {
			r.word(in, in.args[0], fmt.Sprintf("WORKDIR %s is relative", short(in.args[0])))
		}
	}
}

func checkAdd(r *reporter, list []*instruction) {
	for _, in := range list {
		sources, _, ok := in.paths()
		if !ok || in.name != "add" || len(in.flag("checksum"))+len(in.flag("keep-git-dir"))+len(in.flag("unpack")) > 0 {
			continue
		}
		for _, s := range sources {
			if !archive(s) && !remote(s) && !strings.HasPrefix(trimQuotes(s), "$") && !strings.HasPrefix(s, "<<") {
				r.name(in, fmt.Sprintf("ADD of %s, which COPY can do", short(s)))
				break
			}
		}
	}
}

func checkCopyMany(r *reporter, list []*instruction) {
	for _, in := range list {
		sources, dest, ok := in.paths()
		if !ok || in.name != "copy" || len(sources) < 2 || strings.HasSuffix(trimQuotes(dest), "/") || dest == "." || strings.Contains(dest, "$") {
			continue
		}
		start, end := in.lastWord(r.file.text, dest)
		d := r.at(in, start, end, "COPY of several files to what need not be a folder")
		if !in.list && string(r.file.text[start:end]) == dest && strings.Trim(dest, `"'\`) == dest {
			d.Fix = []diag.Edit{{Start: end, End: end, Replacement: "/"}}
		}
	}
}

// lastWord returns the place of the last word, or of the name.
func (in *instruction) lastWord(text []byte, w string) (start, end int) {
	if i := strings.LastIndex(in.Original, w); i >= len(in.Value) && in.line[len(in.line)-1].at > 0 {
		return in.span(text, i, i+len(w))
	}
	return in.keyword(text)
}

func checkRelativeCopy(r *reporter, list []*instruction) {
	var set stageMap
	for _, in := range list {
		switch in.name {
		case "from":
			set.from(&in.from)
		case "workdir":
			set.set()
		case "copy":
			_, dest, ok := in.paths()
			if ok && !set.get() && !absolute(trimQuotes(dest)) {
				r.name(in, fmt.Sprintf("COPY to %s without a WORKDIR", short(dest)))
			}
		}
	}
}

func checkCopyRoot(r *reporter, list []*instruction) {
	for _, in := range list {
		sources, dest, ok := in.paths()
		if _, from := in.copySource(); !ok || !from || trimQuotes(dest) != "/" {
			continue
		}
		if slices.ContainsFunc(sources, func(s string) bool { return trimQuotes(s) == "/" }) {
			r.name(in, "COPY of a whole file system")
		}
	}
}

func checkUnpack(r *reporter, list []*instruction) {
	type copied struct {
		in   *instruction
		name string
		done bool
	}
	var seen []copied
	for _, in := range list {
		if in.name == "from" {
			seen = nil
		}
		sources, dest, ok := in.paths()
		if _, from := in.copySource(); ok && !from && in.name == "copy" {
			names := sources
			if archive(dest) {
				names = []string{dest}
			}
			for _, s := range names {
				if archive(s) {
					seen = append(seen, copied{in: in, name: base(s)})
				}
			}
		}
		for _, c := range in.commands() {
			if !unpacks(&c) {
				continue
			}
			for i := range seen {
				s := &seen[i]
				if !s.done && slices.ContainsFunc(c.plain(), func(a arg) bool { return base(a.value) == s.name }) {
					s.done = true
					r.name(s.in, fmt.Sprintf("%s is copied, then unpacked", short(s.name)))
				}
			}
		}
	}
}

func base(p string) string {
	p = trimQuotes(p)
	return p[strings.LastIndexAny(p, `/\`)+1:]
}

// unpacks tells that a command takes an archive apart.
func unpacks(c *command) bool {
	switch c.name {
	case "tar":
		return slices.ContainsFunc(c.args, func(a arg) bool {
			return a.value == "--extract" || a.value == "--get" || strings.HasPrefix(a.value, "-") && strings.Contains(a.value, "x")
		})
	case "unzip", "gunzip", "bunzip2", "unlzma", "unxz", "zgz", "uncompress", "zcat", "gzcat":
		return true
	}
	return false
}

func checkPorts(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.name != "expose" {
			continue
		}
		for _, a := range in.args {
			if badPort(a) {
				r.word(in, a, fmt.Sprintf("Port %s is above 65535", short(a)))
				break
			}
		}
	}
}

func badPort(s string) bool {
	s, _, _ = strings.Cut(trimQuotes(s), "/")
	for p := range strings.SplitSeq(s, "-") {
		if strings.Trim(p, "0123456789") != "" || p == "" {
			return false // a variable
		}
		if n, err := strconv.Atoi(p); err != nil || n > 65535 {
			return true
		}
	}
	return false
}

func checkEnvOrder(r *reporter, list []*instruction) {
	known := map[string]bool{}
	for _, in := range list {
		switch in.name {
		case "arg":
			for _, a := range in.args {
				n, _, _ := strings.Cut(a, "=")
				known[n] = true
			}
		case "env":
			pairs := in.pairs()
			if k := ownReference(pairs, known); k != "" {
				r.word(in, k, fmt.Sprintf("ENV uses %s, which it only defines", short(k)))
			}
			for _, p := range pairs {
				known[p.key] = true
			}
		}
	}
}

// ownReference returns a name that another entry of the same ENV refers to.
func ownReference(pairs []pair, known map[string]bool) string {
	for i, p := range pairs {
		if known[p.key] || p.key == "" {
			continue
		}
		for j, q := range pairs {
			if i != j && !q.verbatim && refersTo(q.value, p.key) {
				return p.key
			}
		}
	}
	return ""
}

// refersTo tells that a text holds $name or ${name}.
func refersTo(text, name string) bool {
	text = strings.ReplaceAll(text, `\$`, "")
	if strings.Contains(text, "${"+name+"}") {
		return true
	}
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "$"+name)
		if !ok {
			return false
		}
		if after == "" || !wordByte(after[0]) {
			return true
		}
		rest = after
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func checkSecrets(r *reporter, list []*instruction) {
	for _, in := range list {
		var names []string
		switch in.name {
		case "arg":
			for _, a := range in.args {
				n, _, _ := strings.Cut(a, "=")
				names = append(names, n)
			}
		case "env":
			for _, p := range in.pairs() {
				names = append(names, p.key)
			}
		}
		if i := slices.IndexFunc(names, sensitive); i >= 0 {
			r.word(in, names[i], fmt.Sprintf("%s looks like a secret, and %s stays in the image", short(names[i]), strings.ToUpper(in.name)))
		}
	}
}

func sensitive(name string) bool {
	lower := strings.ToLower(name)
	for _, s := range [...]string{"api_key", "client_key", "password", "private", "secret", "token", "username"} {
		if strings.Contains(lower, s) {
			return true
		}
	}
	switch strings.ToUpper(name) {
	case "APPLICATION_KEY", "AWS_ACCESS_KEY_ID", "CI_DEPLOY_USER", "DOCKER_EMAIL", "FACEBOOK_APP_ID", "HEROKU_API_USER",
		"OKTA_AUTHN_GROUPID", "OKTA_CLIENT_ORGURL", "OKTA_OAUTH2_CLIENTID", "STRIPE_DEVICE_NAME", "TRAVIS_OS_NAME", "TRAVIS_SUDO":
		return true
	}
	return false
}
