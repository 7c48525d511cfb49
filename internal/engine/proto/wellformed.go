package proto

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/engine"
)

// bufKeys are the keys of a table of a buf.yaml in any of its versions.
func bufKeys(table string) []string {
	return strings.Fields(map[string]string{
		"":        "version name modules deps build lint breaking plugins policies",
		"modules": "path name includes excludes lint breaking",
		"lint": "use except ignore ignore_only enum_zero_value_suffix service_suffix rpc_allow_same_request_response disable_builtin " +
			"rpc_allow_google_protobuf_empty_requests rpc_allow_google_protobuf_empty_responses allow_comment_ignores disallow_comment_ignores",
		"build": "roots excludes",
	}[table])
}

// bufCodes are the rules and categories that buf has in any of the versions.
const bufCodes = ` BASIC COMMENTS COMMENT_ENUM COMMENT_ENUM_VALUE COMMENT_FIELD COMMENT_MESSAGE COMMENT_ONEOF COMMENT_RPC COMMENT_SERVICE DEFAULT
 DIRECTORY_SAME_PACKAGE ENUM_FIRST_VALUE_ZERO ENUM_NO_ALLOW_ALIAS ENUM_PASCAL_CASE ENUM_VALUE_PREFIX ENUM_VALUE_UPPER_SNAKE_CASE
 ENUM_ZERO_VALUE_SUFFIX FIELD_LOWER_SNAKE_CASE FIELD_NOT_REQUIRED FIELD_NO_DESCRIPTOR FILE_LAYOUT FILE_LOWER_SNAKE_CASE IMPORT_NO_PUBLIC
 IMPORT_NO_WEAK IMPORT_USED MESSAGE_PASCAL_CASE MINIMAL ONEOF_LOWER_SNAKE_CASE OTHER PACKAGE_AFFINITY PACKAGE_DEFINED PACKAGE_DIRECTORY_MATCH
 PACKAGE_LOWER_SNAKE_CASE PACKAGE_NO_IMPORT_CYCLE PACKAGE_SAME_CSHARP_NAMESPACE PACKAGE_SAME_DIRECTORY PACKAGE_SAME_GO_PACKAGE
 PACKAGE_SAME_JAVA_MULTIPLE_FILES PACKAGE_SAME_JAVA_PACKAGE PACKAGE_SAME_PHP_NAMESPACE PACKAGE_SAME_RUBY_PACKAGE PACKAGE_SAME_SWIFT_PREFIX
 PACKAGE_VERSION_SUFFIX PROTOVALIDATE RPC_NO_CLIENT_STREAMING RPC_NO_SERVER_STREAMING RPC_PASCAL_CASE RPC_REQUEST_RESPONSE_UNIQUE
 RPC_REQUEST_STANDARD_NAME RPC_RESPONSE_STANDARD_NAME SENSIBLE SERVICE_PASCAL_CASE SERVICE_SUFFIX STABLE_PACKAGE_NO_IMPORT_UNSTABLE STANDARD
 STYLE_BASIC STYLE_DEFAULT STYLE_STANDARD SYNTAX_SPECIFIED UNARY_RPC `

// wellFormed reports what buf refuses in a buf.yaml: no version or one that is
// none, a key or a code that it does not know. Codes of plugins are not known.
func wellFormed(in engine.Input) error {
	var root yaml.Node
	if err := yaml.Unmarshal(in.Text, &root); err != nil {
		return engine.BrokenBy(in, err)
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return engine.Broken(in.Path, 1, "it is not a mapping")
	}
	c := bufChecker{in: in}
	top := root.Content[0]
	version := valueOf(top, "version")
	switch {
	case version == nil:
		return engine.Broken(in.Path, 1, "version is not set")
	case !slices.Contains([]string{"v1beta1", "v1", "v2"}, version.Value):
		return engine.Broken(in.Path, version.Line, "unknown version %q", version.Value)
	}
	plugins := valueOf(top, "plugins")
	c.plugins = plugins != nil && len(plugins.Content) > 0
	c.table("", top)
	c.table("build", valueOf(top, "build"))
	c.lint(valueOf(top, "lint"))
	if modules := valueOf(top, "modules"); modules != nil {
		for _, m := range modules.Content {
			c.table("modules", m)
			c.lint(valueOf(m, "lint"))
		}
	}
	return c.err
}

// bufChecker keeps the first fault.
type bufChecker struct {
	in      engine.Input
	plugins bool
	err     error
}

func (c *bufChecker) table(name string, n *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; !slices.Contains(bufKeys(name), k.Value) && c.err == nil {
			c.err = engine.Broken(c.in.Path, k.Line, "unknown key %q", k.Value)
		}
	}
}

func (c *bufChecker) lint(n *yaml.Node) {
	c.table("lint", n)
	for _, key := range [...]string{"use", "except", "ignore_only"} {
		list := valueOf(n, key)
		if list == nil || c.plugins {
			continue
		}
		for i, item := range list.Content {
			if list.Kind == yaml.MappingNode && i%2 == 1 || item.Kind != yaml.ScalarNode {
				continue
			}
			if !strings.Contains(bufCodes, " "+item.Value+" ") && !strings.Contains(bufCodes, " "+item.Value+"\n") && c.err == nil {
				c.err = engine.Broken(c.in.Path, item.Line, "no rule or category is called %q", item.Value)
			}
		}
	}
}

// valueOf returns the value of a key of a mapping, nil if there is none.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
