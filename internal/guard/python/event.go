package python

// node is the kind of a node of the syntax tree.
type node uint8

// The nodes. A tree is written bottom up: first the events of a node's children
// in the order of the source, then its own, which tells their number. Brackets
// and commas that change nothing leave no trace.
const (
	nName     node = iota
	nConst         // op: the word, or tEllipsis
	nInt           // the value, or the digits if it has more than 64 bits
	nFloat         // the value
	nImag          // the value
	nStr           // the value
	nBytes         // the value
	nDoc           // a string that documents what it stands in
	nPart          // of a string with fields: the value between two of them
	nField         // expression, then the parts of its format; op: conversion and flags; the text that is shown
	nJoined        // parts and fields
	nTemplate      // parts and fields

	nBin // op: the operator
	nUnary
	nCompared // operand; op: the operator before it
	nNot      // of `not in` and `is not`: the second word
	nCompare
	nBool
	nIfElse
	nLambda // parameters, body
	nNamed  // name and value of :=
	nAwait
	nYield
	nYieldFrom
	nStar
	nDoubleStar
	nAttribute
	nSubscript
	nSlice // op: which of the three there are
	nCall  // function, arguments
	nKeyword
	nTuple
	nList
	nSet
	nPair // of a dict
	nDict
	nFor // of a comprehension: target, iterable, conditions; op: async
	nGenerator
	nListComp
	nSetComp
	nDictComp

	nParam // annotation, default; op: which of the two there are
	nStarParam
	nStarStarParam
	nBareStar
	nBareSlash
	nTypeParam // op as of nParam
	nStarTypeParam
	nStarStarTypeParam

	nBody
	nAssign
	nAugmented
	nAnnotated // op: whether there is a value, whether it is a name without brackets
	nReturn
	nRaise
	nDelete
	nAssert
	nImport
	nFrom  // names; op: "*" or not; the text is the module
	nAlias // parts of the name, then the other name if there is one
	nDots  // one of the leading dots of a module
	nPass
	nBreak
	nContinue
	nGlobal
	nNonlocal
	nTypeAlias
	nDecorator
	nFunction // decorators, both sorts of parameters, result, body; op: async
	nResult
	nClass
	nIf
	nElse
	nWhile
	nForLoop // op: async
	nWith    // items and body; op: async
	nItem
	nTry
	nHandler
	nStarHandler
	nFinally
	nMatch
	nCase
	nGuard

	nPatValue
	nPatConst
	nPatCapture // the text is the name; none for _
	nPatAs
	nPatOr
	nPatSequence
	nPatStar
	nPatMapping
	nPatRest
	nPatClass
	nPatKeyword

	nGone // none at all
)

// event is a node. Two texts have the same syntax if and only if their events
// agree in everything but first and pos.
type event struct {
	node   node
	op     uint8
	kept   bool   // the text is in the tree's own store, not in the source
	n      uint32 // number of children
	first  uint32 // index of the first event of its subtree
	pos    uint32 // offset in the source
	lo, hi uint32 // the text
}

// statement is the start of a statement or of a clause of one.
type statement struct{ pos, token uint32 }

// tree is what is known about a text.
type tree struct {
	src      []byte
	toks     []token
	comments []comment
	events   []event
	store    []byte // values that do not stand in the source as they are
	starts   []statement
	docs     []literal // of each nDoc in turn; without a body if several strings make it up
	needs    uint8
}

func (t *tree) text(e *event) []byte {
	if e.kept {
		return t.store[e.lo:e.hi]
	}
	return t.src[e.lo:e.hi]
}
