//go:build unix

package proc

import (
	"bufio"
	"context"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestTerminal: a child with a terminal reads from it and writes to it; nothing
// of it is kept. Cancelled, it ends with all it started.
func TestTerminal(t *testing.T) {
	t.Parallel()
	o := owner(t)
	user, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = user.Close() }()
	defer func() { _ = terminal.Close() }()
	shown := bufio.NewScanner(user)
	next := func(want string) {
		t.Helper()
		for shown.Scan() {
			if strings.TrimSpace(shown.Text()) == want {
				return
			}
		}
		t.Errorf("the terminal does not show %q", want)
	}
	c := shell(t, `test -t 0 && test -t 1 && test -t 2 && echo "who?" && read name && echo "hello $name"`)
	c.Terminal = terminal
	done := make(chan Result, 1)
	go func() { done <- o.Run(t.Context(), c) }()
	next("who?")
	if _, err := user.WriteString("me\n"); err != nil {
		t.Fatal(err)
	}
	next("hello me")
	if r := <-done; !r.OK() || r.Output != "" {
		t.Errorf("%+v", r)
	}
	n := odd(t)
	c = shell(t, "sleep "+n+" & echo ready; sleep "+n)
	c.Terminal = terminal
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- o.Run(ctx, c) }()
	next("ready")
	cancel()
	if r := <-done; r.Status != Cancelled {
		t.Errorf("%+v", r)
	}
	if left := alive(t, "sleep "+n); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
