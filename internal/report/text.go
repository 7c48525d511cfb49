package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// style is a text attribute of a terminal.
type style string

const (
	plain   style = ""
	bold    style = "1"
	faint   style = "2"
	red     style = "1;31"
	yellow  style = "1;33"
	blue    style = "1;34"
	green   style = "32"
	crimson style = "31"
)

func (o Options) paint(dst []byte, s style, text string) []byte {
	if text == "" {
		return dst
	}
	return o.close(append(o.open(dst, s), text...), s)
}

// open starts a style that close ends.
func (o Options) open(dst []byte, s style) []byte {
	if !o.Color || s == plain {
		return dst
	}
	return append(append(append(dst, "\x1b["...), s...), 'm')
}

func (o Options) close(dst []byte, s style) []byte {
	if !o.Color || s == plain {
		return dst
	}
	return append(dst, "\x1b[0m"...)
}

// count writes "1 file" or "3 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// shown is a path as people see it: relative, and quoted if it holds anything
// that could move a cursor or is not UTF-8.
func (o Options) shown(path string) string {
	p := Relative(o.Prefix, path)
	if harmless(p) || utf8.ValidString(p) && !strings.ContainsFunc(p, hazard) {
		return p
	}
	return cQuote(p, func(c byte) bool { return c < ' ' || c >= 0x7f })
}

// clean makes text safe to print on one line of a terminal: line ends and tabs
// become blanks, other controls and bytes that are not UTF-8 become visible.
func clean(s string) string {
	if harmless(s) || utf8.ValidString(s) && !strings.ContainsFunc(s, hazard) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return visible(r)
	}, s)
}

// harmless reports whether s is printable ASCII, as nearly all text is: what
// takes one column a byte and needs no second look.
func harmless(s string) bool {
	for i := range len(s) {
		if s[i]-' ' >= 0x7f-' ' {
			return false
		}
	}
	return true
}

// hazard reports whether printing r could do more than show a character.
func hazard(r rune) bool {
	return r < ' ' || r == 0x7f || unicode.Is(steering, r)
}

// steering are C1 controls, and the marks that reorder text.
var steering = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x80, Hi: 0x9f, Stride: 1},
	{Lo: 0x61c, Hi: 0x200e, Stride: 0x200e - 0x61c},
	{Lo: 0x200f, Hi: 0x200f, Stride: 1},
	{Lo: 0x2028, Hi: 0x202e, Stride: 1},
	{Lo: 0x2066, Hi: 0x2069, Stride: 1},
}, LatinOffset: 1}

// visible returns r, or a picture of it if it is hazard.
func visible(r rune) rune {
	switch {
	case r < ' ':
		return '\u2400' + r
	case r == 0x7f:
		return '\u2421'
	case hazard(r):
		return utf8.RuneError
	}
	return r
}

// cellWidth is how many columns of a terminal r takes.
func cellWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff:
		return 0
	}
	i, _ := slices.BinarySearchFunc(wide, r, func(w [2]rune, r rune) int {
		if w[1] < r {
			return -1
		}
		return 1
	})
	if i < len(wide) && wide[i][0] <= r {
		return 2
	}
	return 1
}

// wide are the characters of East Asian width W and F (Unicode TR 11), runs
// joined across code points that are not assigned.
var wide = [][2]rune{
	{0x1100, 0x115f},
	{0x231a, 0x231b},
	{0x2329, 0x232a},
	{0x23e9, 0x23ec},
	{0x23f0, 0x23f0},
	{0x23f3, 0x23f3},
	{0x25fd, 0x25fe},
	{0x2614, 0x2615},
	{0x2630, 0x2637},
	{0x2648, 0x2653},
	{0x267f, 0x267f},
	{0x268a, 0x268f},
	{0x2693, 0x2693},
	{0x26a1, 0x26a1},
	{0x26aa, 0x26ab},
	{0x26bd, 0x26be},
	{0x26c4, 0x26c5},
	{0x26ce, 0x26ce},
	{0x26d4, 0x26d4},
	{0x26ea, 0x26ea},
	{0x26f2, 0x26f3},
	{0x26f5, 0x26f5},
	{0x26fa, 0x26fa},
	{0x26fd, 0x26fd},
	{0x2705, 0x2705},
	{0x270a, 0x270b},
	{0x2728, 0x2728},
	{0x274c, 0x274c},
	{0x274e, 0x274e},
	{0x2753, 0x2755},
	{0x2757, 0x2757},
	{0x2795, 0x2797},
	{0x27b0, 0x27b0},
	{0x27bf, 0x27bf},
	{0x2b1b, 0x2b1c},
	{0x2b50, 0x2b50},
	{0x2b55, 0x2b55},
	{0x2e80, 0x303e},
	{0x3041, 0x4dbf},
	{0x4e00, 0xa4c6},
	{0xa960, 0xa97c},
	{0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe10, 0xfe19},
	{0xfe30, 0xfe6b},
	{0xff01, 0xff60},
	{0xffe0, 0xffe6},
	{0x16fe0, 0x18dff},
	{0x1aff0, 0x1b2fb},
	{0x1d300, 0x1d376},
	{0x1f004, 0x1f004},
	{0x1f0cf, 0x1f0cf},
	{0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a},
	{0x1f200, 0x1f320},
	{0x1f32d, 0x1f335},
	{0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393},
	{0x1f3a0, 0x1f3ca},
	{0x1f3cf, 0x1f3d3},
	{0x1f3e0, 0x1f3f0},
	{0x1f3f4, 0x1f3f4},
	{0x1f3f8, 0x1f43e},
	{0x1f440, 0x1f440},
	{0x1f442, 0x1f4fc},
	{0x1f4ff, 0x1f53d},
	{0x1f54b, 0x1f54e},
	{0x1f550, 0x1f567},
	{0x1f57a, 0x1f57a},
	{0x1f595, 0x1f596},
	{0x1f5a4, 0x1f5a4},
	{0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5},
	{0x1f6cc, 0x1f6cc},
	{0x1f6d0, 0x1f6d2},
	{0x1f6d5, 0x1f6d8},
	{0x1f6dc, 0x1f6df},
	{0x1f6eb, 0x1f6ec},
	{0x1f6f4, 0x1f6fc},
	{0x1f7e0, 0x1f7f0},
	{0x1f90c, 0x1f93a},
	{0x1f93c, 0x1f945},
	{0x1f947, 0x1f9ff},
	{0x1fa70, 0x1faf8},
	{0x20000, 0x3fffd},
}
