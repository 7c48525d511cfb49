// Package dprint speaks to dprint plugins, schema version 4, which format one
// language each.
//
// The schema is described in the dprint project, docs/wasm-plugin-development.md.
// A string crosses over in the plugin's shared buffer: clear_shared_bytes(n)
// returns where to write n bytes, get_shared_bytes_ptr() where to read. Nothing
// a plugin answers is trusted: a length or a pointer outside its memory is an
// error of the call.
package dprint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"poly/internal/wasm"
)

// Options say how a plugin formats.
type Options struct {
	// Global and Plugin are what dprint.json calls the global configuration and
	// the plugin's own; both are marshalled as JSON objects. nil: empty.
	Global, Plugin any
	// Embedded formats code of another language inside of a text; its path has
	// the extension of that language. It returns the text itself where it is to
	// be left as it is; an error ends the call. nil: such code is left as it is.
	Embedded func(ctx context.Context, path string, text []byte) ([]byte, error)
}

// Plugin is a module under one configuration. Its methods may be called
// concurrently; each call has an instance of its own.
type Plugin struct {
	host    *wasm.Host
	name    string
	options Options

	mu   sync.Mutex // guards pool
	pool *wasm.Pool[*instance]
}

// New returns the plugin of a module of host. It opens nothing: the first call
// does.
func New(host *wasm.Host, module string, o Options) *Plugin {
	return &Plugin{host: host, name: module, options: o}
}

// ConfigError means that a plugin does not take a key of its configuration, or
// its value.
type ConfigError struct {
	Module  string
	Key     string
	Message string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s: %s: %s", e.Module, e.Key, e.Message)
}

// FormatError is what a plugin says about a text it does not format, such as
// where the text is not of its language.
type FormatError struct{ Message string }

func (e *FormatError) Error() string { return e.Message }

// Open compiles the module if need be and checks the configuration, which
// Format does too at its first call.
func (p *Plugin) Open(ctx context.Context) error {
	_, err := p.opened(ctx)
	return err
}

func (p *Plugin) opened(ctx context.Context) (*wasm.Pool[*instance], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pool != nil {
		return p.pool, nil
	}
	if p.host == nil {
		return nil, &wasm.MissingError{Module: p.name}
	}
	config, err := p.options.config()
	if err != nil {
		return nil, fmt.Errorf("%s: configuration: %w", p.name, err)
	}
	m, err := p.host.Module(ctx, p.name)
	if err != nil {
		return nil, err
	}
	if err := defineImports(ctx, m); err != nil {
		return nil, err
	}
	pool := wasm.NewPool(m, func(ctx context.Context) (*instance, error) {
		return newInstance(ctx, m, config, p.options.Embedded)
	})
	err = pool.Do(ctx, func(ctx context.Context, i *instance) error { return i.checkConfig(ctx) })
	if err != nil {
		return nil, err
	}
	p.pool = pool
	return pool, nil
}

func (o *Options) config() ([]byte, error) {
	object := func(v any) any {
		if v == nil {
			return struct{}{}
		}
		return v
	}
	return json.Marshal(map[string]any{"global": object(o.Global), "plugin": object(o.Plugin)})
}

// Format formats text, whose path has the extension by which the plugin tells
// its dialects apart. changed is false, and out is text itself, if it is
// formatted already. What the plugin says about a text it refuses is a
// [FormatError]; a [wasm.Trap] means that it broke off.
func (p *Plugin) Format(ctx context.Context, path string, text []byte) (out []byte, changed bool, err error) {
	pool, err := p.opened(ctx)
	if err != nil {
		return nil, false, err
	}
	err = pool.Do(ctx, func(ctx context.Context, i *instance) error {
		out, changed, err = i.format(ctx, path, text)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return out, changed, nil
}

// LicenceText returns the text of the plugin's licence.
func (p *Plugin) LicenceText(ctx context.Context) (text string, err error) {
	pool, err := p.opened(ctx)
	if err != nil {
		return "", err
	}
	err = pool.Do(ctx, func(ctx context.Context, i *instance) error {
		text, err = i.text(ctx, "get_license_text")
		return err
	})
	return text, err
}

// diagnostic is one entry of what get_config_diagnostics answers.
type diagnostic struct {
	PropertyName string `json:"propertyName"`
	Message      string `json:"message"`
}

func (i *instance) checkConfig(ctx context.Context) error {
	text, err := i.text(ctx, "get_config_diagnostics", configID)
	if err != nil {
		return err
	}
	var list []diagnostic
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return fmt.Errorf("%s: answer about its configuration: %w", i.module.Name, err)
	}
	var errs []error
	for _, d := range list {
		errs = append(errs, &ConfigError{i.module.Name, d.PropertyName, strings.TrimSpace(d.Message)})
	}
	return errors.Join(errs...)
}
