package pack

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestSources: each module is a package of the manifest at an exact version,
// and the lock names no host.
func TestSources(t *testing.T) {
	t.Parallel()
	var manifest struct{ Dependencies map[string]string }
	text, err := os.ReadFile("package.json")
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	sources := Sources()
	for i, s := range sources {
		if v := manifest.Dependencies[s.Package]; v == "" || strings.Trim(v, "0123456789.") != "" {
			t.Errorf("%s: version %q of %s", s.Name, v, s.Package)
		}
		if i > 0 && sources[i-1].Name >= s.Name {
			t.Errorf("%s stands before %s", sources[i-1].Name, s.Name)
		}
	}
	if len(manifest.Dependencies) != len(sources) {
		t.Errorf("%d packages for %d modules", len(manifest.Dependencies), len(sources))
	}
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(lock, []byte("resolved")) || bytes.Contains(lock, []byte("://")) {
		t.Error("the lock names a host")
	}
	if n := bytes.Count(lock, []byte(`"integrity": "sha512-`)); n != len(sources) {
		t.Errorf("%d sums in the lock", n)
	}
}

// TestIndex: the list is read as it is written.
func TestIndex(t *testing.T) {
	t.Parallel()
	want := []Module{
		{Name: "a", Version: "1.2.3", Licence: "MIT", Sum: "0a", Size: 7},
		{Name: "b", Version: "4", Licence: "MPL-2.0", Sum: "ff", Size: 1 << 20},
	}
	var text []byte
	for _, m := range want {
		text = m.AppendIndex(text)
	}
	if got := parseIndex(text); !slices.Equal(got, want) {
		t.Errorf("%q is read as %v", text, got)
	}
	if got := parseIndex([]byte("half a line\n\n")); len(got) != 0 {
		t.Errorf("half a line is read as %v", got)
	}
}

// TestBuiltIn: what is built in can be unpacked; nothing is built in, or all is.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	names := Names()
	if len(names) != 0 && len(names) != len(Sources()) {
		t.Errorf("built in: %q", names)
	}
	for _, name := range names {
		m, ok := Find(name)
		text, err := m.Wasm()
		if !ok || err != nil || len(text) != m.Size || !bytes.HasPrefix(text, []byte("\x00asm")) {
			t.Errorf("%s: found %v, %d bytes of %d, %v", name, ok, len(text), m.Size, err)
		}
		if len(m.LicenceText()) < 500 || m.Licence == "" || m.Version == "" {
			t.Errorf("%s: version %q, licence %q, a text of %d bytes", name, m.Version, m.Licence, len(m.LicenceText()))
		}
	}
	if m, ok := Find("no such module"); ok {
		t.Errorf("found %v", m)
	}
}

// FuzzUnpack: bytes that are not packed are an error.
func FuzzUnpack(f *testing.F) {
	packed, err := Pack([]byte("a text, a text"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed, 14)
	f.Add(packed, 15)
	f.Fuzz(func(t *testing.T, packed []byte, size int) {
		if size < 0 || size > 1<<20 {
			return
		}
		if text, err := Unpack(packed, size); err == nil && len(text) != size {
			t.Errorf("%d bytes, want %d", len(text), size)
		}
	})
}
