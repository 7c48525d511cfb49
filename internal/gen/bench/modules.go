package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tetratelabs/wazero"

	"poly/internal/engine"
	"poly/internal/engine/all"
	"poly/internal/lang"
	"poly/internal/wasm"
	"poly/internal/wasm/pack"
)

// packages is where make engines has the packages of npm.
var packages = filepath.Join("internal", "wasm", "pack", "node_modules")

// modules measures the Wasm engines against their modules as they are shipped,
// run by wazero alone: loading, and throughput in MB a CPU-second.
func modules(b *bounds, dir string) error {
	for _, name := range []string{"dprint-json", "dprint-typescript", "ruff"} {
		if err := loading(b, name, filepath.Join(dir, "load")); err != nil {
			return err
		}
	}
	scripts, err := texts(packages, ".js", 400)
	if err != nil {
		return err
	}
	if err := throughput(b, dir, "dprint", "javascript", engine.Format, scripts); err != nil {
		return err
	}
	library, err := pythonLibrary(b.ctx)
	if err != nil {
		return err
	}
	if err := throughput(b, dir, "ruff", lang.Python, engine.Lint, library); err != nil {
		return err
	}
	return throughput(b, dir, "ruff", lang.Python, engine.Format, library)
}

// used is the CPU time of the process.
func used() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// shipped returns a module as npm has it, with the table of the one built in.
func shipped(name string) (pack.Module, []byte, error) {
	built, ok := pack.Find(name)
	if !ok {
		return pack.Module{}, nil, errors.New("the Wasm engines are not built in: run make engines")
	}
	for _, s := range pack.Sources() {
		if s.Name != name {
			continue
		}
		text, err := os.ReadFile(filepath.Join(packages, filepath.FromSlash(s.Package), s.Wasm))
		if err != nil {
			return pack.Module{}, nil, err
		}
		packed, err := pack.Pack(text)
		sum := sha256.Sum256(text)
		m := pack.Module{Name: name, Version: built.Version, Licence: built.Licence, Sum: hex.EncodeToString(sum[:]), Size: len(text)}
		return m.With(packed, built.Table()), text, err
	}
	return pack.Module{}, nil, fmt.Errorf("no source of %s", name)
}

// loading compares what it takes to have a module ready that was compiled
// before with what wazero alone takes.
func loading(b *bounds, name, dir string) error {
	_, text, err := shipped(name)
	if err != nil {
		return err
	}
	alone, ours := time.Hour, time.Hour
	for range 9 {
		start := used()
		cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "alone"))
		if err != nil {
			return err
		}
		rt := wazero.NewRuntimeWithConfig(b.ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
		if _, err := rt.CompileModule(b.ctx, text); err != nil {
			return err
		}
		alone = min(alone, used()-start)
		if err := errors.Join(rt.Close(b.ctx), cache.Close(b.ctx)); err != nil {
			return err
		}
		start = used()
		host := wasm.Host{CacheDir: filepath.Join(dir, "ours")}
		if _, err := host.Module(b.ctx, name); err != nil {
			return err
		}
		ours = min(ours, used()-start)
	}
	fmt.Fprintf(b.out, "load %s: wazero alone %.1f ms, poly %.1f ms (least CPU of 9)\n", name, milli(alone), milli(ours))
	b.check("load "+name+" / wazero alone, CPU", float64(ours)/float64(alone), 1.3, "x")
	return nil
}

func milli(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// throughput compares an engine with the same engine on the modules as they
// are shipped, which nothing can stop.
func throughput(b *bounds, dir, name string, l lang.ID, verb engine.Verb, sources [][]byte) error {
	size := 0
	for _, s := range sources {
		size += len(s)
	}
	built := &wasm.Host{CacheDir: filepath.Join(dir, "wasm")}
	plain := &wasm.Host{CacheDir: filepath.Join(dir, "wasm"), Find: func(name string) (pack.Module, bool) {
		m, _, err := shipped(name)
		return m, err == nil
	}}
	best := map[*wasm.Host]time.Duration{built: time.Hour, plain: time.Hour}
	for range 5 {
		for _, host := range []*wasm.Host{plain, built} {
			took, err := pass(b.ctx, host, name, l, verb, sources)
			if err != nil {
				return err
			}
			best[host] = min(best[host], took)
		}
	}
	speed := func(h *wasm.Host) float64 { return float64(size) / 1e6 / best[h].Seconds() }
	fmt.Fprintf(b.out, "%s %s %s: as shipped %.2f MB/CPU-s, poly %.2f (%d files, %.1f MB)\n", name, verb, l, speed(plain), speed(built), len(sources), float64(size)/1e6)
	b.check(fmt.Sprintf("%s %s %s: as shipped / poly, MB/CPU-s", name, verb, l), speed(plain)/speed(built), 1/0.9, "x")
	return nil
}

// pass has one worker of an engine judge sources, after one unmeasured.
func pass(ctx context.Context, host *wasm.Host, name string, l lang.ID, verb engine.Verb, sources [][]byte) (time.Duration, error) {
	for _, e := range all.Engines() {
		if e.Name != name {
			continue
		}
		sel, err := engine.NewSelection(&e.Spec, engine.Picks{})
		if err != nil {
			return 0, err
		}
		bound, err := e.Bind(ctx, engine.Env{Lang: l, Rules: sel, Wasm: host, Globals: engine.Globals{LineLength: 120, IndentWidth: 4, FinalNewline: true}})
		if err != nil {
			return 0, err
		}
		w, err := bound.Open(ctx)
		if err != nil {
			return 0, err
		}
		defer func() { _ = w.Close() }()
		var start time.Duration
		for i, text := range sources {
			src := engine.Source{Path: "file", Lang: l, Text: text}
			if verb == engine.Lint {
				_, err = w.Lint(ctx, src)
			} else {
				_, err = w.Format(ctx, src)
			}
			if _, skipped := engine.SkipReason(err); err != nil && !skipped {
				return 0, err
			}
			if i == 0 {
				start = used()
			}
		}
		return used() - start, nil
	}
	return 0, fmt.Errorf("no engine %s", name)
}

// pythonLibrary returns files of the standard library of the python3 on PATH.
func pythonLibrary(ctx context.Context) ([][]byte, error) {
	out, err := exec.CommandContext(ctx, "python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		return nil, fmt.Errorf("python3, whose library is measured on: %w", err)
	}
	return texts(strings.TrimSpace(string(out)), ".py", 300)
}

// texts returns the files below dir whose names end so, n at most.
func texts(dir, ext string, n int) ([][]byte, error) {
	var out [][]byte
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || len(out) == n || !d.Type().IsRegular() || filepath.Ext(name) != ext {
			return err
		}
		text, err := os.ReadFile(name)
		if err == nil && len(text) < 256<<10 {
			out = append(out, text)
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no %s files in %s", ext, dir)
	}
	return out, err
}
