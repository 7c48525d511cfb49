// A grammar is a function of C that is there once make engines has run: it
// writes built.h beside the sources. Without, GRAMMAR makes a function that
// returns a null pointer.
#if __has_include("built.h")
#include "built.h"
#define GRAMMAR(name) \
	extern const void *tree_sitter_##name(void); \
	static const void *poly_##name(void) { return tree_sitter_##name(); }
#else
#define GRAMMAR(name) \
	static const void *poly_##name(void) { return 0; }
#endif
