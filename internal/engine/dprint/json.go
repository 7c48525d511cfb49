package dprint

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// sameKeys reports whether two texts are JSON, without comments and without
// names that stand twice, and the same but for the order of names in objects.
func sameKeys(before, after []byte) bool {
	a, b := values{}, values{}
	return a.read(before) && b.read(after) && reflect.DeepEqual(a.value, b.value)
}

// values is what a text holds.
type values struct{ value any }

func (v *values) read(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	value, ok := element(d)
	v.value = value
	return ok && !d.More()
}

// element reads the next value; ok is false if there is none, or one in which a
// name stands twice.
func element(d *json.Decoder) (value any, ok bool) {
	t, err := d.Token()
	if err != nil {
		return nil, false
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			item, ok := element(d)
			if !ok {
				return nil, false
			}
			list = append(list, item)
		}
		_, err = d.Token()
		return list, err == nil
	case json.Delim('{'):
		table := map[string]any{}
		for d.More() {
			name, err := d.Token()
			key, isName := name.(string)
			_, twice := table[key]
			if err != nil || !isName || twice {
				return nil, false
			}
			if table[key], ok = element(d); !ok {
				return nil, false
			}
		}
		_, err = d.Token()
		return table, err == nil
	}
	return t, true
}
