// Package sums compares what generators fetched with the SHA-256 sums that are
// written down for it.
package sums

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"poly/internal/atomicfile"
)

// Check compares files, by name, with the list in the file at path, as
// sha256sum writes it. The list may name more. With update it writes the list.
func Check(path string, files map[string][]byte, update bool) error {
	var list bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	if update {
		return atomicfile.Write(path, list.Bytes(), atomicfile.Options{})
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	known := slices.Collect(strings.Lines(string(text)))
	for line := range strings.Lines(list.String()) {
		if !slices.Contains(known, line) {
			_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			return fmt.Errorf("%s is not the file that %s names: its sha256 differs", name, path)
		}
	}
	return nil
}
