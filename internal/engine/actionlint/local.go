package actionlint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	upstream "github.com/rhysd/actionlint"
	"go.yaml.in/yaml/v4"
)

const (
	kindAction = "action"
	kindCall   = "workflow-call"
)

// local are the files that are read besides a workflow: what it uses from
// elsewhere in its repository is not looked at.
var local = []string{".github", "actions", "action.yml", "action.yaml"}

// locals reads the actions and reusable workflows of the repository, each once.
type locals struct {
	tree      fs.FS
	actions   map[string]*action
	workflows map[string]*called
}

// action is what a directory says about the action in it; both fields are zero
// if there is none.
type action struct {
	meta *upstream.ActionMetadata
	dir  string
	file string
	err  error
}

// called is what a workflow says about calls of it.
type called struct {
	meta *upstream.ReusableWorkflowMetadata
	err  error
}

func newLocals(tree fs.FS) locals {
	return locals{tree: tree, actions: map[string]*action{}, workflows: map[string]*called{}}
}

// caches returns the caches of the library with an entry for everything local
// that w uses, so that the library looks for nothing on a disk. What is wrong
// with it is reported where w uses it first, as the library would.
func (l *locals) caches(w *upstream.Workflow) (*upstream.LocalActionsCache, *upstream.LocalReusableWorkflowCache, []*upstream.Error, error) {
	actions := upstream.NewLocalActionsCache(&upstream.Project{}, nil)
	workflows := upstream.NewLocalReusableWorkflowCache(&upstream.Project{}, "", nil)
	knownActions, err := entries[upstream.ActionMetadata](actions)
	if err != nil {
		return nil, nil, nil, err
	}
	knownWorkflows, err := entries[upstream.ReusableWorkflowMetadata](workflows)
	if err != nil {
		return nil, nil, nil, err
	}
	var errs []*upstream.Error
	for _, use := range uses(w) {
		spec := use.Value
		if use.call {
			if _, ok := knownWorkflows[spec]; ok {
				continue
			}
			c, err := l.workflow(spec, use.ContainsExpression())
			if err != nil {
				return nil, nil, nil, err
			}
			knownWorkflows[spec] = c.meta
			if c.err != nil {
				errs = append(errs, &upstream.Error{Message: c.err.Error(), Line: use.Pos.Line, Column: use.Pos.Col, Kind: kindCall})
			}
			continue
		}
		if _, ok := knownActions[spec]; ok {
			continue
		}
		a, err := l.action(spec, use.ContainsExpression())
		if err != nil {
			return nil, nil, nil, err
		}
		knownActions[spec] = a.meta
		for _, m := range a.faults(l.tree) {
			errs = append(errs, &upstream.Error{Message: m, Line: use.Pos.Line, Column: use.Pos.Col, Kind: kindAction})
		}
	}
	return actions, workflows, errs, nil
}

// entries returns the map that a cache of the library keeps. There is no other
// way to tell it what it must not read itself; the test of this package fails
// when a new version keeps another map.
func entries[T any](cache any) (map[string]*T, error) {
	f := reflect.ValueOf(cache).Elem().FieldByName("cache")
	if !f.IsValid() || f.Type() != reflect.TypeFor[map[string]*T]() || f.IsNil() {
		return nil, errors.New("the library keeps its files in another way")
	}
	m, ok := reflect.TypeAssert[map[string]*T](reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
	if !ok {
		return nil, errors.New("the library keeps its files in another way")
	}
	return m, nil
}

// use is a place that uses something of the repository.
type use struct {
	*upstream.String
	call bool // a reusable workflow, not an action
}

// uses returns them in the order of the text.
func uses(w *upstream.Workflow) []use {
	var out []use
	add := func(s *upstream.String, call bool) {
		if s != nil && strings.HasPrefix(s.Value, "./") {
			out = append(out, use{s, call})
		}
	}
	for _, j := range w.Jobs {
		if j == nil {
			continue
		}
		if j.WorkflowCall != nil {
			add(j.WorkflowCall.Uses, true)
		}
		for _, s := range j.Steps {
			if e, ok := s.Exec.(*upstream.ExecAction); ok {
				add(e.Uses, false)
			}
		}
	}
	slices.SortFunc(out, func(a, b use) int { return cmp.Or(a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col) })
	return out
}

// inside reports whether a file is among those that may be read.
func inside(file string) bool {
	return slices.ContainsFunc(local, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") })
}

// workflow reads a reusable workflow. An error is one of reading it.
func (l *locals) workflow(spec string, dynamic bool) (*called, error) {
	file := path.Clean(spec)
	if dynamic || strings.Contains(spec, "@") || l.tree == nil || fs.ValidPath(file) && !inside(file) {
		return &called{}, nil
	}
	if c := l.workflows[spec]; c != nil {
		return c, nil
	}
	c := &called{}
	text, err := fs.ReadFile(l.tree, file)
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid)
	if err != nil && !missing {
		return nil, err
	}
	l.workflows[spec] = c
	if missing {
		c.err = fmt.Errorf("reusable workflow %q cannot be read: no such file", spec)
		return c, nil
	}
	if c.meta, err = readCalled(text); err != nil {
		c.meta = nil
		c.err = fmt.Errorf("reusable workflow %q: %s", spec, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return c, nil
}

// readCalled reads what on.workflow_call of a workflow says.
func readCalled(text []byte) (*upstream.ReusableWorkflowMetadata, error) {
	var w struct {
		On yaml.Node `yaml:"on"`
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		return nil, err
	}
	const event = "workflow_call"
	meta := &upstream.ReusableWorkflowMetadata{}
	switch on := &w.On; on.Kind {
	case 0:
		return nil, errors.New(`it has no "on"`)
	case yaml.MappingNode:
		for i := 0; i+1 < len(on.Content); i += 2 {
			if strings.EqualFold(on.Content[i].Value, event) {
				return meta, on.Content[i+1].Decode(meta)
			}
		}
	case yaml.ScalarNode:
		if strings.EqualFold(on.Value, event) {
			return meta, nil
		}
	case yaml.SequenceNode:
		if slices.ContainsFunc(on.Content, func(n *yaml.Node) bool { return strings.EqualFold(n.Value, event) }) {
			return meta, nil
		}
	}
	return nil, fmt.Errorf("workflow_call is not among its events at line %d", w.On.Line)
}

// action reads the metadata of an action. An error is one of reading it.
func (l *locals) action(spec string, dynamic bool) (*action, error) {
	dir := path.Clean(spec)
	if dynamic || l.tree == nil || !fs.ValidPath(dir) {
		return &action{}, nil
	}
	if a := l.actions[dir]; a != nil {
		return a, nil
	}
	a := &action{dir: dir}
	for _, file := range [...]string{"action.yaml", "action.yml"} {
		file = path.Join(dir, file)
		if !inside(file) {
			continue
		}
		text, err := fs.ReadFile(l.tree, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // one that is not there may be checked out by a step before
		}
		if err != nil {
			return nil, err
		}
		meta := &upstream.ActionMetadata{}
		if err := yaml.Unmarshal(text, meta); err != nil {
			a.err = fmt.Errorf("the metadata %s cannot be read: %s", file, strings.ReplaceAll(err.Error(), "\n", " "))
			break
		}
		a.meta, a.file = meta, file
		break
	}
	l.actions[dir] = a
	return a, nil
}
