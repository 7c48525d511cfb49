package revive

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mgechev/revive/lint"

	"poly/internal/config"
	"poly/internal/engine"
)

// shape turns parameters of poly.toml into arguments as revive.toml has them;
// nil if none is set.
type shape func(config.Values) lint.Arguments

func noArguments(config.Values) lint.Arguments { return nil }

// oneValue is for rules of one number or text.
func oneValue(v config.Values) lint.Arguments {
	for _, name := range [...]string{"max", "min", "style", "header", "format"} {
		if x, ok := v[name]; ok {
			return lint.Arguments{native(x)}
		}
	}
	return nil
}

// values is for function-length, which has two numbers.
func values(v config.Values) lint.Arguments {
	if len(v) == 0 {
		return nil
	}
	args := lint.Arguments{int64(50), int64(75)}
	for i, name := range [...]string{"max_statements", "max_lines"} {
		if x, ok := v[name]; ok {
			args[i] = native(x)
		}
	}
	return args
}

// spread is for rules whose arguments are one list.
func spread(v config.Values) lint.Arguments {
	for name := range v {
		list, _ := native(v[name]).([]any)
		return append(lint.Arguments{}, list...)
	}
	return nil
}

// oneList is for defer, whose only argument is a list.
func oneList(v config.Values) lint.Arguments {
	for name := range v {
		return lint.Arguments{native(v[name])}
	}
	return nil
}

// keyed is for rules of one table.
func keyed(v config.Values) lint.Arguments {
	if len(v) == 0 {
		return nil
	}
	table := map[string]any{}
	for name, x := range v {
		table[strings.ReplaceAll(name, "_", "-")] = native(x)
	}
	return lint.Arguments{table}
}

// naming is for var-naming: two lists and a table in a list.
func naming(v config.Values) lint.Arguments {
	if len(v) == 0 {
		return nil
	}
	lists := [2]any{[]any{}, []any{}}
	table := map[string]any{}
	for name, x := range v {
		switch name {
		case "allow":
			lists[0] = native(x)
		case "block":
			lists[1] = native(x)
		default:
			table[strings.ReplaceAll(name, "_", "-")] = x
		}
	}
	return lint.Arguments{lists[0], lists[1], []any{table}}
}

// native gives a value the type that a TOML decoder gives it.
func native(x any) any {
	switch x := x.(type) {
	case int:
		return int64(x)
	case []string:
		list := make([]any, len(x))
		for i := range x {
			list[i] = x[i]
		}
		return list
	}
	return x
}

// configure checks arguments of poly.toml on a rule of its own.
func configure(u upstream, args lint.Arguments) error {
	r, ok := u.make().(lint.ConfigurableRule)
	if !ok {
		return nil
	}
	if err := r.Configure(args); err != nil {
		return &engine.OptionError{Rule: u.code, Err: errors.New(oneLine(err))}
	}
	return nil
}

func oneLine(err error) string { return strings.ReplaceAll(fmt.Sprint(err), "\n", " ") }
