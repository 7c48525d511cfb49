// Package hooks is the place of poly's git hooks: install, stages, staged runs
// and fix-back. It is empty so far; nothing pretends to be a hook.
package hooks
