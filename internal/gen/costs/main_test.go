package main

import "testing"

func TestSum(t *testing.T) {
	t.Parallel()
	const trace = "init internal/bytealg @0.008 ms, 0.25 ms clock, 0 bytes, 0 allocs\nother\ninit runtime @0.11 ms, 0.5 ms clock, 0 bytes, 0 allocs\n"
	if ms, err := sum(trace); err != nil || ms != 0.75 {
		t.Errorf("sum = %v, %v, want 0.75", ms, err)
	}
	if _, err := sum("init runtime @0.11 ms, many ms clock, 0 bytes\n"); err == nil {
		t.Error("a trace that is not understood counts for nothing")
	}
}
