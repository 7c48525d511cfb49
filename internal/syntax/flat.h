#include <stdbool.h>
#include <stdint.h>

// What of the runtime's interface is used, as its ABI 15 has it. The runtime
// itself is C code of github.com/tree-sitter/go-tree-sitter, whose headers are
// not where this package could include them.
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;
typedef uint16_t TSSymbol;
typedef uint16_t TSFieldId;

const char *ts_language_symbol_name(const TSLanguage *, TSSymbol);
TSSymbol ts_language_symbol_for_name(const TSLanguage *, const char *, uint32_t, bool);
uint32_t ts_language_symbol_count(const TSLanguage *);
int ts_language_symbol_type(const TSLanguage *, TSSymbol);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, TSFieldId);
TSFieldId ts_language_field_id_for_name(const TSLanguage *, const char *, uint32_t);
uint32_t ts_language_abi_version(const TSLanguage *);
TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);

// PolyNode is Node of syntax.go.
typedef struct {
	uint32_t start, end, parent, next;
	uint16_t kind, field, children;
	uint8_t flags, unused;
} PolyNode;

// PolyFar is Far of syntax.go.
typedef struct {
	uint32_t parent, node;
	uint16_t field, unused;
} PolyFar;

// PolyFlat says what poly_flatten wrote. far is of malloc, and null if it is empty.
typedef struct {
	uint32_t nodes, far_count;
	PolyFar *far;
} PolyFlat;

enum { POLY_OK, POLY_LANGUAGE, POLY_LIMIT, POLY_BROKEN };

// PolyGrammar is a grammar whose scanner cannot write where it must not.
typedef struct PolyGrammar PolyGrammar;

// PolyTree is a tree of the runtime that waits to be flattened.
typedef struct {
	TSTree *tree;
	uint32_t count; // of nodes, as the runtime says
	int status;
} PolyTree;

void poly_reset_allocator(void);
PolyGrammar *poly_grammar(const TSLanguage *);
const TSLanguage *poly_language(const PolyGrammar *);
PolyTree poly_parse(TSParser *, const PolyGrammar *, const char *, uint32_t, uint64_t);
PolyFlat poly_flatten(TSTree *, PolyNode *, uint32_t, const uint8_t *inherits);
