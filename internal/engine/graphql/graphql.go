// Package graphql lints GraphQL: what does not parse, and what one file shows
// to be wrong in a schema or in operations. It never sees a schema and the
// operations on it together, so types of fields are not its matter.
package graphql

import (
	"context"

	"poly/internal/engine"
	"poly/internal/lang"
)

const (
	name      = "graphql"
	graphqlID = lang.ID("graphql")
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Wrapped:  "2.5.64",
		Revision: 1,
		Licence:  "MIT",
		Langs:    []lang.ID{graphqlID},
		Verbs:    engine.Lint,
		Rules:    rules(),
		Doc: `Reports what does not parse as GraphQL, and breaches of the specification that one file shows.

Rules have the names that graphql-eslint gives them. A file may hold schema definitions, operations, or both. Where a fragment
is defined in another file, what depends on it is not judged. Lines ` + "`# eslint-disable-next-line code`" + ` and files with
` + "`# eslint-disable code`" + ` are obeyed.`,
	},
	Bind: func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{Open: engine.Stateless(engine.Funcs{LintFunc: lint})}, nil
	},
}
