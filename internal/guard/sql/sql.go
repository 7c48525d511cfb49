// Package sql judges what a formatter did to a text in SQL. There is no one
// grammar of SQL, so it compares tokens: what PostgreSQL, MySQL, SQLite, SQL
// Server and Oracle have in common of words, strings, operators and comments,
// and where they differ the reading that is the stricter one. Layout is free,
// and so is the case of keywords.
package sql

import (
	"bytes"
	"strings"

	"poly/internal/guard"
)

// Same reports as package guard says. Texts with parts that are no SQL, such as
// commands of psql or marks of a template, are not judged.
//
// A backslash in a string escapes in MySQL and is a character elsewhere: where
// that matters both readings have to hold.
func Same(before, after []byte) error {
	var failed error
	judged := false
	for _, escapes := range []bool{false, true} {
		if escapes && !bytes.Contains(before, []byte(`\'`)) && !bytes.Contains(before, []byte(`\"`)) {
			break
		}
		b := lexer{text: before, escapes: escapes}
		was, fault := b.all()
		if fault != nil {
			if failed == nil {
				failed = &guard.CannotJudge{Line: guard.Line(before, fault.at), Reason: fault.reason}
			}
			continue
		}
		judged = true
		a := lexer{text: after, escapes: escapes}
		is, fault := a.all()
		if fault != nil {
			return &guard.Broken{Line: guard.Line(after, fault.at), Reason: fault.reason}
		}
		if err := compare(before, was, after, is); err != nil {
			return err
		}
	}
	if judged {
		return nil
	}
	return failed
}

func compare(before []byte, was []token, after []byte, is []token) error {
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return guard.Differ("the end", before, len(before), after, is[i].at)
		case i >= len(is):
			return guard.Differ(was[i].kind.String(), before, was[i].at, after, len(after))
		case !was[i].same(&is[i]):
			return guard.Differ(was[i].kind.String(), before, was[i].at, after, is[i].at)
		}
	}
	return nil
}

type kind uint8

const (
	word kind = iota
	number
	quoted // a string or a quoted name, with its prefix
	operator
	mark // one of ( ) [ ] { } , ; .
	lineComment
	blockComment
)

func (k kind) String() string {
	return [...]string{"a word", "a number", "a quoted text", "an operator", "a mark", "a comment", "a comment"}[k]
}

type token struct {
	kind kind
	at   int
	text []byte
	// alone: nothing else but blanks stands on the line, and somebody may care:
	// GO of SQL Server and / of SQL*Plus end a batch only there.
	alone bool
	// apart: a line ends between it and the string before it, which then are
	// one string in PostgreSQL.
	apart bool
}

func (t *token) same(o *token) bool {
	if t.kind != o.kind || t.alone != o.alone || t.apart != o.apart {
		return false
	}
	switch t.kind {
	case word:
		return bytes.Equal(t.text, o.text) || bytes.EqualFold(t.text, o.text) && isKeyword(t.text)
	case lineComment:
		return bytes.Equal(bytes.TrimRight(t.text, " \t\r"), bytes.TrimRight(o.text, " \t\r"))
	case blockComment:
		return sameBlock(t.text, o.text)
	default:
		return bytes.Equal(t.text, o.text)
	}
}

// sameBlock compares the lines of two comments without the blanks around them.
// Conditional comments of MySQL and hints are code: their words are compared
// the same way, which is stricter than needed.
func sameBlock(a, b []byte) bool {
	la, lb := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	if len(la) != len(lb) {
		return false
	}
	for i := range la {
		if !bytes.Equal(bytes.TrimSpace(la[i]), bytes.TrimSpace(lb[i])) {
			return false
		}
	}
	return true
}

// isKeyword reports whether a formatter may change the case of the word.
func isKeyword(w []byte) bool {
	return strings.Contains(keywords, " "+strings.ToLower(string(w))+" ")
}

// keywords are words of SQL that are names nowhere unless they are quoted, with
// the types and functions that formatters write in one case with them.
const keywords = " add after all alter analyze and any array as asc asymmetric authorization autoincrement auto_increment " +
	"before begin between bigint binary bit blob boolean both by call cascade case cast char character check cluster collate " +
	"column comment commit concurrently constraint create cross cube current current_date current_time current_timestamp current_user " +
	"cursor database date datetime deallocate decimal declare default deferrable deferred delete delimiter desc describe distinct " +
	"do double drop each else elseif end engine enum escape except exec execute exists explain false fetch first float for foreign " +
	"from full function generated global go grant group grouping having if ignore ilike immediate in index initially inner inout " +
	"insert instead int integer intersect interval into is isnull isolation join key language last lateral leading left level like limit " +
	"local lock materialized merge minus natural new next no not notnull null nulls numeric of off offset old on only open or order " +
	"out outer over partition plpgsql precision prepare primary privileges procedure public range real recursive references refresh " +
	"rename replace restrict return returning returns revoke right rollback rollup row rows savepoint schema select sequence serial " +
	"session set show similar smallint some start symmetric table temp temporary text then ties time timestamp tinyint to top trailing " +
	"transaction trigger true truncate union unique unlogged unsigned update use user using vacuum values varchar varying view when " +
	"where while window with without work xor zone "
