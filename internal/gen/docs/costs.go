package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// measured is what internal/gen/costs measured.
//
//go:embed costs.tsv
var measured string

// cost returns the cells of the table that say what an engine costs.
func cost(costs, name string) string {
	for line := range strings.Lines(costs) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 || f[0] != name {
			continue
		}
		bytes, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			break
		}
		return fmt.Sprintf("%s ms | %.1f MB", f[1], bytes/1e6)
	}
	return "not measured | not measured"
}
