package sql

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

// sample has what the dialects write, once each.
const sample = `-- staff by place
SELECT DISTINCT a.name AS "full name", count(*) total, e'it\'s' || 'a''b', N'x', x'ff', $1, :id, @v, @@rowcount
FROM [dbo].[my table] a /* hint
   goes on */ LEFT JOIN b ON a.id=b.id AND a->'k'->>'l' = ANY(array['p', 'q']) AND m[1] <> 2
WHERE t::text[] @> '{1,2}' AND d #>> '{e}' AND n !~~ 'o%' AND x = -1.5e-3 AND y != .5;
CREATE FUNCTION f() RETURNS int AS $body$ select '  x' $body$ LANGUAGE sql;
INSERT INTO t VALUES (1, 'a', NULL), (2, 'b'
  'c', true);
# one more
UPDATE ` + "`t`" + ` SET a = a*2, b = 5 / 2;
GO
`

func TestLayoutIsFree(t *testing.T) {
	same := []struct{ name, before, after string }{
		{"lines", "select a,b from t where x=1", "select\n  a,\n  b\nfrom t\nwhere\n  x = 1\n"},
		{"case of keywords", "select a from t order by a desc", "SELECT a FROM t ORDER BY a DESC"},
		{"minus of a number", "select a=-1,b*-2", "select a = -1, b * -2"},
		{"names of SQL Server", "select [a],[b c] from [d].[e]", "select [a], [b c]\nfrom [d].[e]"},
		{"arrays", "select array[[1,2],[3,4]], a[1]", "select array[[1, 2], [3, 4]], a[1]"},
		{"comments are moved sideways", "select a -- x  \n, b /* y\n     z */", "select a   -- x\n  , b /* y\n  z */"},
		{"a backslash that escapes", `select 'it\'s', b`, "select 'it\\'s',\n  b"},
		{"CRLF", "select a\r\nfrom t\r\n", "select a\nfrom t\n"},
		{"parameters", "select :a,$1,?,@b", "select :a, $1, ?, @b"},
	}
	for _, c := range same {
		t.Run(c.name, func(t *testing.T) {
			if err := Same([]byte(c.before), []byte(c.after)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	changes := []struct{ name, before, after string }{
		{"an operator in two", "select a->>b", "select a->> b -> c"},
		{"a blank in an operator", "select a ->> b", "select a -> > b"},
		{"operators become one", "select a @ -1", "select a @-1"},
		{"a string", "select 'a  b'", "select 'a b'"},
		{"a string in dollars", "select $$a  b$$", "select $$a b$$"},
		{"case of a name", "select Name from t", "select name from t"},
		{"case of a quoted name", `select "Name" from t`, `select "name" from t`},
		{"a comment swallows the line", "select a -- x\n, b", "select a -- x, b"},
		{"a comment of MySQL swallows the line", "select a # x\n, b", "select a # x, b"},
		{"a comment goes", "select a -- x\n, b", "select a, b"},
		{"a comment moves to another word", "select a, -- x\n b", "select a, b -- x\n"},
		{"words become one", "select a b", "select ab"},
		{"a word in two", "select ab", "select a b"},
		{"a number in two", "select 1.5", "select 1 .5"},
		{"strings that are one", "select 'a'\n'b'", "select 'a' 'b'"},
		{"a batch that ends", "select 1\nGO\nselect 2", "select 1 GO select 2"},
		{"a batch of SQL*Plus", "select 1\n/\nselect 2", "select 1 / select 2"},
		{"a prefix apart", "select N'a'", "select N 'a'"},
		{"a parameter in two", "select :a", "select : a"},
		{"a cast in two", "select a::b", "select a: :b"},
		{"a semicolon goes", "select 1; select 2", "select 1 select 2"},
		{"the end goes", "select 1; select 2", "select 1;"},
		{"more at the end", "select 1", "select 1;"},
		{"a quoted name", "select [a  b]", "select [a b]"},
	}
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			if Same([]byte(c.before), []byte(c.after)) == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	for _, text := range []string{
		"select {{ ref('a') }}", "{% if a %}select 1{% endif %}", `\d t`, "select 'a", "/* a", "DELIMITER //\nselect 1//",
		"copy t from stdin;\n1\t2\n\\.\n", "select \"a",
	} {
		if _, ok := errors.AsType[*guard.CannotJudge](Same([]byte(text), []byte(text))); !ok {
			t.Errorf("judged: %q", text)
		}
	}
}

func TestBroken(t *testing.T) {
	err := Same([]byte("select 'a'"), []byte("select 'a"))
	if _, ok := errors.AsType[*guard.Broken](err); !ok {
		t.Error(err)
	}
}

// TestMutations takes a token of the sample away, doubles it or puts it in
// another place: the guard must say so, unless the text is the same then.
func TestMutations(t *testing.T) {
	text := []byte(sample)
	if err := Same(text, text); err != nil {
		t.Fatal(err)
	}
	l := lexer{text: text}
	tokens, f := l.all()
	if f != nil {
		t.Fatal(f.reason)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		parts := make([]string, len(tokens))
		for k, tok := range tokens {
			parts[k] = string(tok.text)
			if tok.kind == lineComment || tok.alone {
				parts[k] = "\n" + parts[k] + "\n"
			}
		}
		want := strings.Join(parts, "\n")
		switch r.IntN(3) {
		case 0:
			parts[i] = ""
		case 1:
			parts[i] += " " + parts[i]
		default:
			parts[i], parts[j] = parts[j], parts[i]
		}
		got := strings.Join(parts, "\n")
		if got == want {
			continue
		}
		if Same([]byte(want), []byte(got)) == nil {
			t.Fatalf("tokens %d and %d: accepted:\n%s", i, j, got)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add(sample, sample)
	f.Add("select a", "select\na")
	f.Fuzz(func(t *testing.T, before, after string) {
		_ = Same([]byte(before), []byte(after))
		if err := Same([]byte(before), []byte(before)); err != nil {
			if _, ok := errors.AsType[*guard.CannotJudge](err); !ok {
				t.Errorf("a text differs from itself: %v", err)
			}
		}
	})
}
