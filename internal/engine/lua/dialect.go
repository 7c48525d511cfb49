package lua

import (
	"bytes"
	"slices"
	"strings"
)

// foreign tells by the start of a file that it is not Lua, "" if it may be.
func foreign(text []byte) string {
	head := text[:min(len(text), 4096)]
	if bytes.HasPrefix(head, []byte("pico-8 cartridge")) {
		return "PICO-8 cartridge"
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if mode, ok := bytes.CutPrefix(line, []byte("--!")); ok {
			switch word, _, _ := strings.Cut(string(mode), " "); word {
			case "strict", "nonstrict", "nocheck", "native", "optimize":
				return "Luau, by its mode comment"
			}
		}
		if len(line) > 0 && !bytes.HasPrefix(line, []byte("--")) {
			break
		}
	}
	return ""
}

// dialect tells by where the first fault is that a file is written in another
// language of the family, "" if it is not.
func (f *fault) dialect(text []byte) string {
	prev, near := string(text[f.prev.start:f.prev.end]), string(text[f.near.start:f.near.end])
	behind := text[min(f.near.start, len(text)):]
	switch {
	case near == "`", near == "?" && f.prev.kind != tString, near == ":" && typeFollows(behind[1:]):
		return "Luau or Teal, by its types"
	case f.near.kind == tName && isOneOf(prev, "type", "export", "record", "enum", "interface"):
		return "Luau or Teal, by its types"
	case near == "if" && isOneOf(prev, "=", "(", ",", "return", "{"):
		return "Luau, by its if expression"
	case f.prev.kind == tName && prev == "continue":
		return "Luau or another dialect of Lua, by continue"
	}
	if compound(behind) {
		return "dialect of Lua with compound assignment"
	}
	if garry(behind) && signs(text) > 1 {
		return "dialect of Lua, by its operators"
	}
	return ""
}

// typeFollows reports whether a type annotation may stand here.
func typeFollows(text []byte) bool {
	text = bytes.TrimLeft(text, " ")
	return len(text) > 0 && (isLetter(text[0]) || text[0] == '{' || text[0] == '(' || text[0] == '"')
}

// compound reports whether text starts with an operator like +=.
func compound(text []byte) bool {
	for _, op := range [...]string{"..=", "//=", "+=", "-=", "*=", "/=", "%=", "^="} {
		if bytes.HasPrefix(text, []byte(op)) {
			return true
		}
	}
	return false
}

// garryOperators are what Garry's Mod adds.
var garryOperators = [...]string{"!=", "&&", "||", "/*", "!", "//"}

func garry(text []byte) bool {
	for _, op := range garryOperators {
		if bytes.HasPrefix(text, []byte(op)) {
			return true
		}
	}
	return bytes.HasPrefix(text, []byte("&")) || bytes.HasPrefix(text, []byte("|")) || bytes.HasPrefix(text, []byte("*"))
}

// signs counts what speaks for Garry's Mod: one may be a slip, two are not.
func signs(text []byte) int {
	n := 0
	for _, op := range garryOperators[:4] {
		n += min(bytes.Count(text, []byte(op)), 2)
	}
	for _, word := range [...]string{"AddCSLuaFile(", "if SERVER", "if CLIENT", "hook.Add(", "net.Receive(", "IsValid("} {
		n += min(bytes.Count(text, []byte(word)), 1)
	}
	return n
}

func isOneOf(s string, list ...string) bool { return slices.Contains(list, s) }
