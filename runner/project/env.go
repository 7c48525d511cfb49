package project

import (
	"slices"
	"strings"
)

// own are the variables by which git tells its children where its repository
// and its index are: what a tool does with git must not happen there.
var own = [...]string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_PREFIX",
	"GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_NO_REPLACE_OBJECTS", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
}

func names(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return slices.Contains(own[:], name)
}

// WithoutGit returns env without the variables that point at a repository.
func WithoutGit(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), names)
}

func onlyGit(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return !names(kv) })
}
