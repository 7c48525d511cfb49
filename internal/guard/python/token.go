package python

// kind is what a token is.
type kind uint8

const (
	tEOF     kind = iota
	tNewline      // the end of a logical line
	tIndent
	tDedent
	tName
	tNumber
	tString     // without replacement fields
	tFStart     // prefix and quotes of a string with replacement fields
	tFText      // what stands between the fields
	tFEnd       // the closing quotes
	tFieldOpen  // the brace that opens a field
	tFieldClose // the one that closes it
	tSpec       // the colon before a format specification
	tBang       // the mark before a conversion

	tLParen
	tRParen
	tLBracket
	tRBracket
	tLBrace
	tRBrace
	tComma
	tColon
	tSemi
	tDot
	tEllipsis
	tAssign
	tWalrus
	tArrow
	tAugmented // += and its like

	tPipe
	tCaret
	tAmp
	tLeftShift
	tRightShift
	tPlus
	tMinus
	tStar
	tSlash
	tFloor
	tPercent
	tAt
	tPower
	tTilde

	tLess
	tGreater
	tLessEq
	tGreaterEq
	tEqual
	tNotEqual

	kFalse
	kNone
	kTrue
	kAnd
	kAs
	kAssert
	kAsync
	kAwait
	kBreak
	kClass
	kContinue
	kDef
	kDel
	kElif
	kElse
	kExcept
	kFinally
	kFor
	kFrom
	kGlobal
	kIf
	kImport
	kIn
	kIs
	kLambda
	kNonlocal
	kNot
	kOr
	kPass
	kRaise
	kReturn
	kTry
	kWhile
	kWith
	kYield
	kinds // how many there are
)

// token is a piece of the source. An end of line, indentation and the end of
// the text have no length.
type token struct {
	kind       kind
	start, end uint32
}

// comment is a comment without the end of its line.
type comment struct {
	start, end uint32
	token      uint32 // index of the token that follows
	own        bool   // nothing but blanks stands before it on its line
}

// precedence orders the operators that stand between two operands and are not
// comparisons; 0 is none.
var precedence = [kinds]uint8{
	tPipe: 1, tCaret: 2, tAmp: 3, tLeftShift: 4, tRightShift: 4, tPlus: 5, tMinus: 5,
	tStar: 6, tSlash: 6, tFloor: 6, tPercent: 6, tAt: 6,
}

// operator is the text of an operator.
type operator struct {
	text string
	kind kind
}

// operators holds, under the first byte, the operators that start with it, the
// longest first.
var operators = [128][]operator{
	'!': {{"!=", tNotEqual}},
	'%': {{"%=", tAugmented}, {"%", tPercent}},
	'&': {{"&=", tAugmented}, {"&", tAmp}},
	'(': {{"(", tLParen}},
	')': {{")", tRParen}},
	'*': {{"**=", tAugmented}, {"*=", tAugmented}, {"**", tPower}, {"*", tStar}},
	'+': {{"+=", tAugmented}, {"+", tPlus}},
	',': {{",", tComma}},
	'-': {{"->", tArrow}, {"-=", tAugmented}, {"-", tMinus}},
	'.': {{"...", tEllipsis}, {".", tDot}},
	'/': {{"//=", tAugmented}, {"/=", tAugmented}, {"//", tFloor}, {"/", tSlash}},
	':': {{":=", tWalrus}, {":", tColon}},
	';': {{";", tSemi}},
	'<': {{"<<=", tAugmented}, {"<<", tLeftShift}, {"<=", tLessEq}, {"<", tLess}},
	'=': {{"==", tEqual}, {"=", tAssign}},
	'>': {{">>=", tAugmented}, {">>", tRightShift}, {">=", tGreaterEq}, {">", tGreater}},
	'@': {{"@=", tAugmented}, {"@", tAt}},
	'[': {{"[", tLBracket}},
	']': {{"]", tRBracket}},
	'^': {{"^=", tAugmented}, {"^", tCaret}},
	'{': {{"{", tLBrace}},
	'|': {{"|=", tAugmented}, {"|", tPipe}},
	'}': {{"}", tRBrace}},
	'~': {{"~", tTilde}},
}

// keywords is a perfect hash of the reserved words: see keyword.
var keywords = [128]operator{
	0:   {"break", kBreak},
	11:  {"del", kDel},
	17:  {"global", kGlobal},
	25:  {"from", kFrom},
	26:  {"nonlocal", kNonlocal},
	29:  {"lambda", kLambda},
	32:  {"finally", kFinally},
	34:  {"False", kFalse},
	37:  {"in", kIn},
	39:  {"async", kAsync},
	41:  {"None", kNone},
	42:  {"try", kTry},
	47:  {"True", kTrue},
	48:  {"and", kAnd},
	50:  {"return", kReturn},
	64:  {"else", kElse},
	66:  {"continue", kContinue},
	73:  {"def", kDef},
	74:  {"yield", kYield},
	75:  {"elif", kElif},
	77:  {"if", kIf},
	78:  {"raise", kRaise},
	79:  {"for", kFor},
	83:  {"while", kWhile},
	84:  {"as", kAs},
	87:  {"or", kOr},
	89:  {"class", kClass},
	92:  {"is", kIs},
	98:  {"await", kAwait},
	99:  {"assert", kAssert},
	101: {"pass", kPass},
	103: {"except", kExcept},
	107: {"import", kImport},
	109: {"not", kNot},
	115: {"with", kWith},
}

// keyword returns the kind of a word: a reserved word's own, or tName.
func keyword(w []byte) kind {
	if k := &keywords[(int(w[0])+int(w[len(w)-1])*11+len(w))%len(keywords)]; k.text == string(w) {
		return k.kind
	}
	return tName
}

// class tells what a token that starts with a byte may be.
type class uint8

const (
	cNone class = iota
	cBlank
	cLine
	cWord
	cDigit
	cQuote
	cOperator
	cDot
	cComment
	cBackslash
)

// classes holds the class of every byte. A byte above ASCII starts a word.
var classes = [256]class{
	9: cBlank, 10: cLine, 12: cBlank, 13: cLine,
	32: cBlank, 33: cOperator, 34: cQuote, 35: cComment, 37: cOperator, 38: cOperator, 39: cQuote,
	40: cOperator, 41: cOperator, 42: cOperator, 43: cOperator, 44: cOperator, 45: cOperator, 46: cDot, 47: cOperator,
	48: cDigit, 49: cDigit, 50: cDigit, 51: cDigit, 52: cDigit, 53: cDigit, 54: cDigit, 55: cDigit,
	56: cDigit, 57: cDigit, 58: cOperator, 59: cOperator, 60: cOperator, 61: cOperator, 62: cOperator,
	64: cOperator, 65: cWord, 66: cWord, 67: cWord, 68: cWord, 69: cWord, 70: cWord, 71: cWord,
	72: cWord, 73: cWord, 74: cWord, 75: cWord, 76: cWord, 77: cWord, 78: cWord, 79: cWord,
	80: cWord, 81: cWord, 82: cWord, 83: cWord, 84: cWord, 85: cWord, 86: cWord, 87: cWord,
	88: cWord, 89: cWord, 90: cWord, 91: cOperator, 92: cBackslash, 93: cOperator, 94: cOperator, 95: cWord,
	97: cWord, 98: cWord, 99: cWord, 100: cWord, 101: cWord, 102: cWord, 103: cWord,
	104: cWord, 105: cWord, 106: cWord, 107: cWord, 108: cWord, 109: cWord, 110: cWord, 111: cWord,
	112: cWord, 113: cWord, 114: cWord, 115: cWord, 116: cWord, 117: cWord, 118: cWord, 119: cWord,
	120: cWord, 121: cWord, 122: cWord, 123: cOperator, 124: cOperator, 125: cOperator, 126: cOperator,
	128: cWord, 129: cWord, 130: cWord, 131: cWord, 132: cWord, 133: cWord, 134: cWord, 135: cWord,
	136: cWord, 137: cWord, 138: cWord, 139: cWord, 140: cWord, 141: cWord, 142: cWord, 143: cWord,
	144: cWord, 145: cWord, 146: cWord, 147: cWord, 148: cWord, 149: cWord, 150: cWord, 151: cWord,
	152: cWord, 153: cWord, 154: cWord, 155: cWord, 156: cWord, 157: cWord, 158: cWord, 159: cWord,
	160: cWord, 161: cWord, 162: cWord, 163: cWord, 164: cWord, 165: cWord, 166: cWord, 167: cWord,
	168: cWord, 169: cWord, 170: cWord, 171: cWord, 172: cWord, 173: cWord, 174: cWord, 175: cWord,
	176: cWord, 177: cWord, 178: cWord, 179: cWord, 180: cWord, 181: cWord, 182: cWord, 183: cWord,
	184: cWord, 185: cWord, 186: cWord, 187: cWord, 188: cWord, 189: cWord, 190: cWord, 191: cWord,
	192: cWord, 193: cWord, 194: cWord, 195: cWord, 196: cWord, 197: cWord, 198: cWord, 199: cWord,
	200: cWord, 201: cWord, 202: cWord, 203: cWord, 204: cWord, 205: cWord, 206: cWord, 207: cWord,
	208: cWord, 209: cWord, 210: cWord, 211: cWord, 212: cWord, 213: cWord, 214: cWord, 215: cWord,
	216: cWord, 217: cWord, 218: cWord, 219: cWord, 220: cWord, 221: cWord, 222: cWord, 223: cWord,
	224: cWord, 225: cWord, 226: cWord, 227: cWord, 228: cWord, 229: cWord, 230: cWord, 231: cWord,
	232: cWord, 233: cWord, 234: cWord, 235: cWord, 236: cWord, 237: cWord, 238: cWord, 239: cWord,
	240: cWord, 241: cWord, 242: cWord, 243: cWord, 244: cWord, 245: cWord, 246: cWord, 247: cWord,
	248: cWord, 249: cWord, 250: cWord, 251: cWord, 252: cWord, 253: cWord, 254: cWord, 255: cWord,
}
