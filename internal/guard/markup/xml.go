package markup

import (
	"bytes"
	"slices"
)

// frame is an open element of XML.
type frame struct {
	name     []byte
	mixed    bool // it has text that is not blank
	parent   bool // it has elements
	preserve bool
	blanks   []int // its texts that are blank
}

// xmlText adds text of XML as it stands.
func (r *reader) xmlText(run []byte) {
	if len(run) == 0 {
		return
	}
	f := &r.frames[len(r.frames)-1]
	if len(bytes.TrimSpace(run)) == 0 {
		f.blanks = append(f.blanks, len(r.events))
	} else {
		f.mixed = true
	}
	r.put(bytes.ReplaceAll(run, []byte("\r\n"), []byte("\n")))
}

func (r *reader) pushFrame(attrs []event) {
	f := frame{name: r.events[len(r.events)-len(attrs)-1].text, preserve: r.frames[len(r.frames)-1].preserve}
	r.frames[len(r.frames)-1].parent = true
	switch value(attrs, "xml:space") {
	case "preserve":
		f.preserve = true
	case "default":
		f.preserve = false
	}
	r.frames = append(r.frames, f)
}

func (r *reader) popFrame(name []byte, at int) {
	r.flush(false)
	if n := len(r.frames); n < 2 || !bytes.Equal(r.frames[n-1].name, name) {
		r.fail(at, "an end tag out of place")
		return
	}
	r.closeFrame()
	r.events = append(r.events, event{what: closeTag, at: at, text: name})
}

// closeFrame forgets the blanks of an element that has no other text. The text
// of an element that is nothing but a blank counts.
func (r *reader) closeFrame() {
	n := len(r.frames) - 1
	f := r.frames[n]
	r.frames = r.frames[:n]
	if f.mixed || f.preserve || !f.parent && n > 0 {
		return
	}
	for _, i := range f.blanks {
		r.events[i].text = nil
	}
}

// forget takes the texts away that closeFrame made empty.
func (r *reader) forget() {
	r.events = slices.DeleteFunc(r.events, func(e event) bool { return e.what == text && len(e.text) == 0 })
}
