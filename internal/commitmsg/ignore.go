package commitmsg

import (
	"strings"
)

// ignored tells why a message is not judged, or "".
func (c *Checker) ignored(m *message, g Git) string {
	if len(m.lines) == 0 {
		return ""
	}
	title := m.lines[0].text
	if !c.o.NoDefaultIgnores {
		if g.Merging {
			return "merge"
		}
		if why := byGit(title); why != "" {
			return why
		}
	}
	whole := m.String()
	for _, re := range c.ignores {
		if re.MatchString(whole) {
			return "ignores has " + quote(re.String())
		}
	}
	return ""
}

// byGit tells what made a title that no person wrote.
func byGit(title string) string {
	for _, p := range [...]string{"fixup!", "squash!", "amend!"} {
		if strings.HasPrefix(title, p+" ") {
			return strings.TrimSuffix(p, "!")
		}
	}
	for _, p := range [...]string{`Revert "`, `Reapply "`} {
		if strings.HasPrefix(title, p) {
			return "revert"
		}
	}
	for _, p := range [...]string{
		"Merge branch '", "Merge branches '", "Merge tag '", "Merge tags '", "Merge commit '", "Merge commits '", "Merge remote-tracking branch '",
		"Merge remote-tracking branches '", "Merge pull request #", "Merged PR ", "Merged in ", "Automatic merge", "Auto-merged ", "Merge refs/",
	} {
		if strings.HasPrefix(title, p) {
			return "merge"
		}
	}
	if rest, ok := strings.CutPrefix(title, "Merge "); ok {
		from, to, ok := strings.Cut(rest, " into ")
		if ok && !strings.Contains(from, " ") && !strings.Contains(to, " ") {
			return "merge"
		}
	}
	return ""
}
