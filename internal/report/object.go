package report

import (
	"fmt"
	"math"
	"strconv"
)

// Object is an answer that is not a run: what poly cache stats, config show,
// rules, doctor or --version print. Members keep their order.
type Object []Member

// Member is a named value: a string, bool, int, int64, uint64, finite float64,
// nil, Object, []Object, []string or []any of these. Anything else is an error
// when it is written.
type Member struct {
	Key   string
	Value any
}

// With returns o and one more member.
func (o Object) With(key string, value any) Object {
	return append(o, Member{Key: key, Value: value})
}

// AppendObject appends v as compact JSON without a newline.
func AppendObject(dst []byte, v Object) ([]byte, error) {
	return appendValue(dst, v)
}

func appendJSONObjectLine(dst []byte, v Object, _ Options) ([]byte, error) {
	dst, err := AppendObject(dst, v)
	return append(dst, '\n'), err
}

func appendTOONObject(dst []byte, v Object, _ Options) ([]byte, error) {
	doc, err := AppendObject(nil, v)
	if err != nil {
		return dst, err
	}
	return toTOON(dst, doc)
}

func appendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case Object:
		var err error
		dst = append(dst, '{')
		for i, m := range v {
			dst = append(appendString(comma(dst, i > 0), m.Key), ':')
			if dst, err = appendValue(dst, m.Value); err != nil {
				return dst, fmt.Errorf("%s: %w", m.Key, err)
			}
		}
		return append(dst, '}'), nil
	case []Object:
		return appendList(dst, v)
	case []string:
		return appendList(dst, v)
	case []any:
		return appendList(dst, v)
	default:
		return appendScalar(dst, v)
	}
}

func appendList[T any](dst []byte, list []T) ([]byte, error) {
	var err error
	dst = append(dst, '[')
	for i, v := range list {
		if dst, err = appendValue(comma(dst, i > 0), v); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendScalar(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, `null`...), nil
	case string:
		return appendString(dst, v), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return dst, fmt.Errorf("%v has no place in a document", v)
		}
		if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
			return strconv.AppendFloat(dst, v, 'e', -1, 64), nil
		}
		return strconv.AppendFloat(dst, v, 'f', -1, 64), nil
	}
	return dst, fmt.Errorf("a document cannot hold a %T", v)
}
