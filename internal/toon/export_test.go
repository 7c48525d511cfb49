package toon

// EncodeStyle is Encode with another indentation or delimiter.
func EncodeStyle(doc []byte, indent int, delim byte) ([]byte, error) {
	return encode(doc, style{indent: indent, delim: delim})
}
