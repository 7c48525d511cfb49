package lang

import (
	"bytes"
	"strings"
)

// Sniff returns the language of a file from its path and, only if that tells
// none, from the beginning of its text: a shebang, "#compdef", "<?xml",
// "<?php", "-----BEGIN ". head need hold no more than the first [SniffLen] bytes.
func Sniff(path string, head []byte) ID {
	if id := Detect(path); id != "" {
		return id
	}
	head = bytes.TrimPrefix(head, utf8BOM)
	switch {
	case bytes.HasPrefix(head, []byte("#!")):
		return byProgram(shebang(head))
	case bytes.HasPrefix(head, []byte("#compdef ")), bytes.HasPrefix(head, []byte("#autoload")):
		return Shell
	case bytes.HasPrefix(head, []byte("<?xml ")):
		return XML
	case bytes.HasPrefix(head, []byte("<?php")):
		return "php"
	case bytes.HasPrefix(head, []byte("-----BEGIN ")), bytes.HasPrefix(head, []byte("PuTTY-User-Key-File-")):
		return "pem"
	}
	return ""
}

// SniffLen is how many bytes of a file [Sniff] and [Dialect] look at.
const SniffLen = 512

var utf8BOM = []byte("\xef\xbb\xbf")

// shebang returns the base name of the program that would run text, after
// env and its options, and after a launcher such as "uv run"; "" if there is none.
func shebang(text []byte) string {
	line := firstLine(text)
	if !strings.HasPrefix(line, "#!") {
		return ""
	}
	program, args := command(strings.Fields(line[2:]))
	if program == "nix-shell" {
		for _, a := range nixShellArgs(text) {
			args = append(args, a...)
		}
	}
	return launched(program, args)
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text[:min(len(text), SniffLen)], []byte{'\n'})
	return string(bytes.TrimRight(line, "\r"))
}

// command takes env, its options and assignments away.
func command(words []string) (program string, args []string) {
	if len(words) == 0 {
		return "", nil
	}
	if baseName(words[0]) != "env" {
		return baseName(words[0]), words[1:]
	}
	words = words[1:]
	for len(words) > 0 {
		w := words[0]
		switch {
		case w == "-u" || w == "-C" || w == "--unset" || w == "--chdir":
			words = words[min(2, len(words)):]
		case strings.HasPrefix(w, "-S") && len(w) > 2:
			words[0] = w[2:]
		case strings.HasPrefix(w, "--split-string="):
			words[0] = strings.TrimPrefix(w, "--split-string=")
		case strings.HasPrefix(w, "-"), strings.Contains(w, "="):
			words = words[1:]
		default:
			return baseName(w), words[1:]
		}
	}
	return "", nil
}

func baseName(s string) string {
	s = strings.Trim(s, `"'`)
	return s[strings.LastIndexAny(s, `/\`)+1:]
}

// nixShellArgs returns the arguments of the further "#! nix-shell" lines.
func nixShellArgs(text []byte) (args [][]string) {
	lines := strings.Split(string(text[:min(len(text), SniffLen)]), "\n")
	for _, l := range lines[1:] {
		rest, ok := strings.CutPrefix(l, "#!")
		if !ok {
			break
		}
		if words := strings.Fields(rest); len(words) > 0 && baseName(words[0]) == "nix-shell" {
			args = append(args, words[1:])
		}
	}
	return args
}

// launched looks through programs that only start another one.
func launched(program string, args []string) string {
	switch program {
	case "nix-shell":
		for i, a := range args {
			if a == "-i" && i+1 < len(args) {
				return baseName(args[i+1])
			}
		}
		return "bash"
	case "uv", "pipx":
		return "python"
	case "npx", "bunx", "pnpx", "xvfb-run", "time", "nice", "sudo", "exec", "busybox", "pkgx", "mise":
		for _, a := range args {
			if !strings.HasPrefix(a, "-") && a != "run" && a != "exec" && a != "x" {
				return baseName(a)
			}
		}
	}
	return program
}

// byProgram finds the language of a program, with or without a version:
// python3.11, lua5.4, perl-5.36.
func byProgram(program string) ID {
	program = strings.TrimSuffix(program, ".exe")
	if id := byInterpreter(program); id != "" {
		return id
	}
	return byInterpreter(strings.TrimRight(program, "0123456789.-_"))
}

// Dialect tells which shell a file of language [Shell] is written for: "bash",
// "sh", "zsh", "ksh", "mksh", "dash" or "bats". A shellcheck directive outranks
// the shebang, which outranks the name. "" if nothing tells it.
func Dialect(path string, head []byte) string {
	head = bytes.TrimPrefix(head[:min(len(head), SniffLen)], utf8BOM)
	if d := shellDirective(head); d != "" {
		return d
	}
	if d := shellName(strings.TrimRight(shebang(head), "0123456789.-_")); d != "" {
		return d
	}
	if bytes.HasPrefix(head, []byte("#compdef")) || bytes.HasPrefix(head, []byte("#autoload")) {
		return "zsh"
	}
	return dialectByName(path)
}

// shellDirective returns the dialect of "# shellcheck shell=x" among the
// leading comment lines.
func shellDirective(head []byte) string {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			return ""
		}
		words := strings.Fields(strings.TrimLeft(string(line), "#"))
		if len(words) < 2 || words[0] != "shellcheck" {
			continue
		}
		for _, w := range words[1:] {
			if d, ok := strings.CutPrefix(w, "shell="); ok {
				return shellName(d)
			}
		}
	}
	return ""
}

func shellName(program string) string {
	switch program {
	case "bash", "zsh", "dash", "ksh", "mksh", "bats", "sh":
		return program
	case "ash", "busybox", "posh", "yash", "openrc-run", "runscript":
		return "sh"
	case "pdksh":
		return "ksh"
	}
	return ""
}

func dialectByName(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch strings.TrimPrefix(base, ".") {
	case "zshrc", "zshenv", "zprofile", "zlogin", "zlogout":
		return "zsh"
	case "bashrc", "bash_profile", "bash_login", "bash_logout", "bash_aliases", "bash_functions", "bash.bashrc", "envrc", "direnvrc", "PKGBUILD":
		return "bash"
	case "kshrc":
		return "ksh"
	case "mkshrc":
		return "mksh"
	}
	switch strings.ToLower(base[strings.LastIndexByte(base, '.')+1:]) {
	case "zsh", "zsh-theme":
		return "zsh"
	case "bash", "ebuild", "eclass":
		return "bash"
	case "ksh", "mksh", "dash", "bats":
		return strings.ToLower(base[strings.LastIndexByte(base, '.')+1:])
	case "ash":
		return "sh"
	}
	return ""
}
