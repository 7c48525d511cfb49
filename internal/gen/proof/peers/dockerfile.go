package peers

import (
	"regexp"
	"strings"
)

var (
	escape  = regexp.MustCompile("(?i)^\\s*#\\s*escape\\s*=\\s*([\\\\`])")
	heredoc = regexp.MustCompile(`<<-?\s*["']?(\w+)["']?`)
	reader  = regexp.MustCompile(`(?i)^\s*(run|copy|add|onbuild)\b`)
)

// instruction maps each line of a Dockerfile to the first of its instruction:
// the command and poly name different ones.
func instruction(text string) func(int) int {
	lines := strings.Split(text, "\n")
	esc := `\`
	for _, l := range lines[:min(5, len(lines))] {
		if m := escape.FindStringSubmatch(l); m != nil {
			esc = m[1]
		}
	}
	first := make([]int, len(lines)+1)
	for i := range first {
		first[i] = i
	}
	for i := 0; i < len(lines); {
		if blank(lines[i]) {
			i++
			continue
		}
		begin := i
		i = whole(lines, begin, esc)
		for k := begin; k < i; k++ {
			first[k+1] = begin + 1
		}
	}
	return func(line int) int {
		if line < 1 || line >= len(first) {
			return line
		}
		return first[line]
	}
}

func blank(line string) bool {
	l := strings.TrimSpace(line)
	return l == "" || l[0] == '#'
}

// whole returns the index behind the instruction that begins at begin: with
// its continued lines and the documents it reads.
func whole(lines []string, begin int, esc string) int {
	var text strings.Builder
	i := begin
	for more := true; more && i < len(lines); i++ {
		l := strings.TrimRight(lines[i], " \t\r")
		if i > begin && blank(l) {
			continue
		}
		text.WriteString(l)
		more = strings.HasSuffix(l, esc) && !strings.HasSuffix(l, esc+esc)
	}
	if !reader.MatchString(text.String()) {
		return i
	}
	for _, m := range heredoc.FindAllStringSubmatch(strings.ReplaceAll(text.String(), "<<<", ""), -1) {
		for j := i; j < len(lines); j++ {
			if strings.TrimSpace(lines[j]) == m[1] {
				i = j + 1
				break
			}
		}
	}
	return i
}
