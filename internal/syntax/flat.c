//go:build !notreesitter

#include "flat.h"
#include <stddef.h>
#include <time.h>

typedef struct {
	uint32_t row, column;
} TSPoint;

typedef struct {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;

typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t byte, TSPoint position, uint32_t *bytes_read);
	int encoding; // 0 is UTF-8
	uint32_t (*decode)(const uint8_t *, uint32_t, int32_t *);
} TSInput;

typedef struct {
	void *payload;
	uint32_t byte;
	bool has_error;
} TSParseState;

typedef struct {
	void *payload;
	bool (*progress)(TSParseState *);
} TSParseOptions;

bool ts_parser_set_language(TSParser *, const TSLanguage *);
TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
TSFieldId ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
TSSymbol ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
uint32_t ts_node_descendant_count(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_extra(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_has_error(TSNode);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// The Go package of the runtime has every allocation pass through Go and back,
// which nearly doubles the time of a parse. Both ends are malloc of libc, so
// this may be done at any time.
void poly_reset_allocator(void) { ts_set_allocator(0, 0, 0, 0); }

typedef struct {
	const char *text;
	uint32_t length;
	uint64_t deadline; // nanoseconds of processor time of this thread
	uint32_t calls;
	bool late;
} Run;

static uint64_t now(void) {
	struct timespec t;
#ifdef CLOCK_THREAD_CPUTIME_ID
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
#else
	timespec_get(&t, TIME_UTC);
#endif
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static const char *read_all(void *payload, uint32_t byte, TSPoint position, uint32_t *bytes_read) {
	(void)position;
	Run *r = payload;
	if (byte >= r->length) {
		*bytes_read = 0;
		return "";
	}
	*bytes_read = r->length - byte;
	return r->text + byte;
}

// The runtime calls this once a hundred operations; the clock is a system call
// on some machines, so it is looked at more seldom.
static bool progress(TSParseState *state) {
	Run *r = state->payload;
	if ((++r->calls & 15) == 0 && now() > r->deadline) {
		r->late = true;
	}
	return r->late;
}

PolyTree poly_parse(TSParser *p, const TSLanguage *l, const char *text, uint32_t length, uint64_t nanoseconds) {
	PolyTree out = {0, 0, POLY_LANGUAGE};
	if (!ts_parser_set_language(p, l)) {
		return out;
	}
	Run r = {text, length, now() + nanoseconds, 0, false};
	TSInput in = {&r, read_all, 0, 0};
	TSParseOptions options = {&r, progress};
	out.tree = ts_parser_parse_with_options(p, 0, in, options);
	if (!out.tree) {
		out.status = POLY_LIMIT;
		return out;
	}
	out.count = ts_node_descendant_count(ts_tree_root_node(out.tree));
	out.status = POLY_OK;
	return out;
}

// poly_flatten writes the nodes of the tree in preorder and frees the tree. It
// returns how many there are, or 0 if that is not the capacity.
uint32_t poly_flatten(TSTree *tree, PolyNode *a, uint32_t capacity) {
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t n = 0, parent = UINT32_MAX;
	bool done = false;
	while (!done) {
		if (n == capacity) {
			n = 0;
			break;
		}
		TSNode node = ts_tree_cursor_current_node(&c);
		PolyNode *f = &a[n];
		f->start = ts_node_start_byte(node);
		f->end = ts_node_end_byte(node);
		f->parent = parent;
		f->kind = ts_node_symbol(node);
		f->field = ts_tree_cursor_current_field_id(&c);
		f->children = 0;
		f->flags = ts_node_is_named(node) | ts_node_is_extra(node) << 1 | ts_node_is_missing(node) << 2 | ts_node_has_error(node) << 3;
		f->unused = 0;
		if (parent != UINT32_MAX && a[parent].children < UINT16_MAX) {
			a[parent].children++;
		}
		uint32_t me = n++;
		if (ts_tree_cursor_goto_first_child(&c)) {
			parent = me;
			continue;
		}
		f->next = n;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (parent == UINT32_MAX || !ts_tree_cursor_goto_parent(&c)) {
				done = true;
				break;
			}
			a[parent].next = n;
			parent = a[parent].parent;
		}
	}
	ts_tree_cursor_delete(&c);
	ts_tree_delete(tree);
	return n == capacity ? n : 0;
}
