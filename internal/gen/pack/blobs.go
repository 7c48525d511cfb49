package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"poly/internal/atomicfile"
	"poly/internal/gen/tick"
	"poly/internal/wasm"
	"poly/internal/wasm/bindgen"
	"poly/internal/wasm/dprint"
	"poly/internal/wasm/pack"
)

// pack writes the blobs, the list of them last, so that a build in between has
// no module rather than half of one.
func (p *packer) pack(ctx context.Context, stamp string) error {
	if err := os.Remove(p.path("blob", pack.IndexFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var index []byte
	keep := []string{".gitignore", pack.IndexFile}
	for _, s := range p.sources {
		m, err := p.module(ctx, &s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		index = m.AppendIndex(index)
		for _, suffix := range suffixes(&s) {
			keep = append(keep, s.Name+suffix)
		}
	}
	if err := p.sweep(keep); err != nil {
		return err
	}
	if err := p.write(pack.IndexFile, index); err != nil {
		return err
	}
	return atomicfile.Write(p.path(filepath.FromSlash(stampFile)), []byte(stamp), atomicfile.Options{})
}

// sweep removes what is in the folder of blobs and not among keep.
func (p *packer) sweep(keep []string) error {
	entries, err := os.ReadDir(p.path("blob"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			if err := os.Remove(p.path("blob", e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *packer) write(name string, text []byte) error {
	return atomicfile.Write(p.path("blob", name), text, atomicfile.Options{})
}

// module writes the blobs of one module.
func (p *packer) module(ctx context.Context, s *pack.Source) (pack.Module, error) {
	about, err := p.manifest(s)
	if err != nil {
		return pack.Module{}, err
	}
	text, err := tick.Insert(p.files[path.Join(s.Package, s.Wasm)])
	if err != nil {
		return pack.Module{}, err
	}
	sum := sha256.Sum256(text)
	m := pack.Module{Name: s.Name, Version: about.Version, Licence: about.License, Sum: hex.EncodeToString(sum[:]), Size: len(text)}
	if s.Glue != "" {
		table, err := p.table(s)
		if err != nil {
			return pack.Module{}, err
		}
		if err := p.write(s.Name+pack.TableSuffix, table); err != nil {
			return pack.Module{}, err
		}
	}
	licence, err := p.licence(ctx, s, m, text)
	if err != nil {
		return pack.Module{}, err
	}
	if err := p.write(s.Name+pack.LicenceSuffix, licence); err != nil {
		return pack.Module{}, err
	}
	return m, p.wasm(m, text)
}

// wasm packs the text of a module, unless that is what is there.
func (p *packer) wasm(m pack.Module, text []byte) error {
	name := m.Name + pack.WasmSuffix
	if old, err := os.ReadFile(p.path("blob", name)); err == nil {
		if was, err := pack.Unpack(old, m.Size); err == nil && string(was) == string(text) {
			return nil
		}
	}
	packed, err := pack.Pack(text)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.log, "%-18s %-8s %9d -> %8d bytes\n", m.Name, m.Version, len(text), len(packed))
	return p.write(name, packed)
}

// table works out the glue of a module made by wasm-bindgen.
func (p *packer) table(s *pack.Source) ([]byte, error) {
	t, err := bindgen.ReadGlue(p.files[path.Join(s.Package, s.Glue)], p.files[path.Join(s.Package, s.Wasm)])
	if err != nil {
		return nil, fmt.Errorf("glue of %s: %w", s.Package, err)
	}
	return t.Encode()
}

// licence returns the text of a module's licence, which a dprint plugin tells.
func (p *packer) licence(ctx context.Context, s *pack.Source, m pack.Module, text []byte) ([]byte, error) {
	if s.Licence != "" {
		return p.files[s.LicenceFile()], nil
	}
	packed, err := pack.Pack(text)
	if err != nil {
		return nil, err
	}
	host := &wasm.Host{Find: func(string) (pack.Module, bool) { return m.With(packed, nil), true }}
	licence, err := dprint.New(host, s.Name, dprint.Options{}).LicenceText(ctx)
	return []byte(licence), err
}
