package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/gen/sums"
	"poly/internal/wasm/pack"
)

// Files beside the manifest of npm.
const (
	sumFile   = "engines.sum"
	stampFile = "node_modules/.poly-stamp" // what the blobs were made of
)

// packer works in the folder of the manifest.
type packer struct {
	top     string // folder of internal
	dir     string
	sources []pack.Source
	log     io.Writer
	files   map[string][]byte // what was read of packages, by package/file
}

func (p *packer) path(names ...string) string {
	return filepath.Join(append([]string{p.dir}, names...)...)
}

// stamp is a digest of all that decides what the blobs are: the lock, the sums
// and the sources that work on them.
func (p *packer) stamp() (string, error) {
	h := sha256.New()
	names := []string{p.path("package.json"), p.path("package-lock.json"), p.path(sumFile)}
	for _, dir := range []string{"wasm/pack", "wasm/bindgen", "gen/pack", "gen/tick"} {
		sources, err := filepath.Glob(filepath.Join(p.top, filepath.FromSlash(dir), "*.go"))
		if err != nil {
			return "", err
		}
		names = append(names, sources...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// fresh reports whether the blobs were made for this stamp and are all there.
func (p *packer) fresh(stamp string) bool {
	text, err := os.ReadFile(p.path(filepath.FromSlash(stampFile)))
	if err != nil || string(text) != stamp {
		return false
	}
	for _, s := range p.sources {
		for _, suffix := range suffixes(&s) {
			if _, err := os.Stat(p.path("blob", s.Name+suffix)); err != nil {
				return false
			}
		}
	}
	_, err = os.Stat(p.path("blob", pack.IndexFile))
	return err == nil
}

// suffixes are those of the files of a module in the folder of blobs.
func suffixes(s *pack.Source) []string {
	list := []string{pack.WasmSuffix, pack.LicenceSuffix}
	if s.Glue != "" {
		list = append(list, pack.TableSuffix)
	}
	return list
}

// lock is what of a lock file of npm says which packages there are.
type lock struct {
	Packages map[string]lockEntry
}

type lockEntry struct {
	Version, Integrity string
	Optional           bool
}

// installed reports whether npm has fetched just what the lock names.
func (p *packer) installed() bool {
	want, err := readLock(p.path("package-lock.json"))
	if err != nil {
		return false
	}
	got, err := readLock(p.path("node_modules", ".package-lock.json"))
	if err != nil {
		return false
	}
	delete(want.Packages, "") // the manifest itself
	maps.DeleteFunc(want.Packages, func(_ string, e lockEntry) bool { return e.Optional })
	return maps.Equal(want.Packages, got.Packages)
}

func readLock(name string) (l lock, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return lock{}, err
	}
	return l, json.Unmarshal(text, &l)
}

// check reads the files that are used and compares their sums with those
// written down; with update it writes them down.
func (p *packer) check(update bool) error {
	p.files = map[string][]byte{}
	for _, s := range p.sources {
		for _, name := range s.Files() {
			text, err := os.ReadFile(p.path("node_modules", filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			p.files[name] = text
		}
	}
	return sums.Check(p.path(sumFile), p.files, update)
}

// manifest is what of a package's manifest is told on.
type manifest struct{ Version, License string }

func (p *packer) manifest(s *pack.Source) (m manifest, err error) {
	text, err := os.ReadFile(p.path("node_modules", filepath.FromSlash(s.Package), "package.json"))
	if err != nil {
		return manifest{}, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return manifest{}, fmt.Errorf("manifest of %s: %w", s.Package, err)
	}
	if s.SPDX != "" {
		m.License = s.SPDX
	}
	if m.Version == "" || m.License == "" || strings.ContainsAny(m.Version+m.License, " \n") {
		return manifest{}, fmt.Errorf("manifest of %s: version %q, licence %q", s.Package, m.Version, m.License)
	}
	return m, nil
}
