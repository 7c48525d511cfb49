package peers

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// causesTable has one line for each known cause: peer, code, pattern, cause,
// separated by tabs. The code may be a pattern of path.Match. The pattern is a
// regular expression that the file's name, a blank and what is said of the
// place must match.
//
//go:embed causes.tsv
var causesTable []byte

// cause is a line of the table.
type cause struct {
	peer, code string
	pattern    *regexp.Regexp
	text       string
}

// known is a table of causes.
type known []cause

// of returns the cause of a disagreement, or "".
func (k known) of(peer, code, name, place string) string {
	for i := range k {
		c := &k[i]
		if ok, _ := path.Match(c.code, code); c.peer == peer && ok && c.pattern.MatchString(name+" "+place) {
			return c.text
		}
	}
	return ""
}

func readCauses(text []byte) (known, error) {
	var out known
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if s.Text() == "" || strings.HasPrefix(s.Text(), "#") {
			continue
		}
		f := strings.Split(s.Text(), "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("causes.tsv: %q", s.Text())
		}
		p, err := regexp.Compile(f[2])
		if err != nil {
			return nil, fmt.Errorf("causes.tsv: %w", err)
		}
		out = append(out, cause{f[0], f[1], p, f[3]})
	}
	return out, nil
}
