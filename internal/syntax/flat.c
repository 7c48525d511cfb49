//go:build cgo && !notreesitter

#include "flat.h"
#include "grammar.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
TSNode ts_node_child_by_field_id(TSNode, TSFieldId);
const TSLanguage *ts_node_language(TSNode);
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

struct PolyGrammar {
	Grammar g; // what the runtime is given
	unsigned (*serialize)(void *, char *);
};

// Run is one parse.
typedef struct {
	const char *text;
	uint32_t length;
	uint64_t deadline; // nanoseconds of processor time of this thread
	uint32_t calls;
	bool stop;
	const PolyGrammar *grammar;
	char *state; // room for the state of the scanner
	jmp_buf broken;
} Run;

// current is the parse of this thread.
static _Thread_local Run *current;

enum { STATE = 1024 }; // bytes of a scanner's state that the runtime has room for

// Some scanners write a state larger than the runtime's buffer: one that keeps a
// stack does so in a text that is nested deeply enough. The state is written
// elsewhere, and the parse stops where it is too large.
static unsigned serialize(void *scanner, char *out) {
	Run *r = current;
	if (!r->state) {
		r->state = malloc((size_t)r->length * 8 + (1 << 16));
	}
	if (r->stop || !r->state) {
		r->stop = true;
		return 0;
	}
	unsigned n = r->grammar->serialize(scanner, r->state);
	if (n > STATE) {
		r->stop = true;
		return 0;
	}
	memcpy(out, r->state, n);
	return n;
}

// fail ends a parse in which an assertion does not hold: the runtime has some
// that hostile texts break, and so have scanners. Elsewhere the process ends.
static _Noreturn void fail(const char *what, const char *file, unsigned line) {
	if (current) {
		longjmp(current->broken, 1);
	}
	fprintf(stderr, "%s:%u: assertion failed: %s\n", file, line, what);
	abort();
}

// What assert calls, in the C libraries of Linux and of macOS.
#ifdef __APPLE__
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *what) {
	(void)function;
	fail(what, file, line);
}
#else
_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
	(void)function;
	fail(what, file, line);
}
#endif

PolyGrammar *poly_grammar(const TSLanguage *language) {
	const Grammar *g = (const void *)language;
	PolyGrammar *p = calloc(1, sizeof *p);
	size_t size = sizeof *g;
	if (g->abi < 15) {
		size = g->abi < 14 ? offsetof(Grammar, primary_states) : offsetof(Grammar, name);
	}
	memcpy(&p->g, g, size);
	if (g->scanner.serialize) {
		p->serialize = g->scanner.serialize;
		p->g.scanner.serialize = serialize;
	}
	return p;
}

const TSLanguage *poly_language(const PolyGrammar *g) { return (const void *)&g->g; }

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
		r->stop = true;
	}
	return r->stop;
}

PolyTree poly_parse(TSParser *p, const PolyGrammar *g, const char *text, uint32_t length, uint64_t nanoseconds) {
	PolyTree out = {0, 0, POLY_LANGUAGE};
	if (!ts_parser_set_language(p, poly_language(g))) {
		return out;
	}
	Run r = {.text = text, .length = length, .deadline = now() + nanoseconds, .grammar = g};
	TSInput in = {&r, read_all, 0, 0};
	TSParseOptions options = {&r, progress};
	current = &r;
	if (setjmp(r.broken)) {
		current = 0;
		free(r.state);
		return (PolyTree){0, 0, POLY_BROKEN};
	}
	out.tree = ts_parser_parse_with_options(p, 0, in, options);
	current = 0;
	free(r.state);
	if (out.tree && r.stop) {
		ts_tree_delete(out.tree);
		out.tree = 0;
	}
	out.status = POLY_LIMIT;
	if (out.tree) {
		out.count = ts_node_descendant_count(ts_tree_root_node(out.tree));
		out.status = POLY_OK;
	}
	return out;
}

// Fars are the fields that the runtime finds elsewhere than among the children
// that are known by them.
typedef struct {
	PolyFar *a;
	uint32_t count, room;
	bool failed; // there is no memory
} Fars;

static void add_far(Fars *f, PolyFar x) {
	if (f->count == f->room) {
		uint32_t room = f->room * 2 + 16;
		PolyFar *a = realloc(f->a, room * sizeof *a);
		if (!a) {
			f->failed = true;
			return;
		}
		f->a = a;
		f->room = room;
	}
	f->a[f->count++] = x;
}

// seek returns the first node below a parent that covers what another does and
// is of its kind, or UINT32_MAX.
static uint32_t seek(const PolyNode *a, uint32_t parent, TSNode node) {
	uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
	uint16_t kind = ts_node_symbol(node);
	for (uint32_t k = parent + 1; k < a[parent].next;) {
		if (a[k].start == start && a[k].end == end && a[k].kind == kind) {
			return k;
		}
		k = a[k].end < start ? a[k].next : k + 1;
	}
	return UINT32_MAX;
}

// compare notes each field of a node, all of whose children are written, that
// the runtime finds elsewhere.
static void compare(const PolyNode *a, uint32_t parent, TSNode node, uint32_t fields, Fars *out) {
	for (uint32_t field = 1; field <= fields; field++) {
		TSNode want = ts_node_child_by_field_id(node, (TSFieldId)field);
		uint32_t have = parent + 1;
		while (have < a[parent].next && a[have].field != field) {
			have = a[have].next;
		}
		if (have >= a[parent].next) {
			have = UINT32_MAX;
		}
		uint32_t is = want.id ? seek(a, parent, want) : UINT32_MAX;
		if (is != have) {
			add_far(out, (PolyFar){parent, is, (uint16_t)field, 0});
		}
	}
}

// poly_flatten writes the nodes of the tree in preorder and frees the tree. It
// tells how many there are, or 0 if that is not the capacity. Nodes of the kinds
// for which inherits is set are asked for each field.
PolyFlat poly_flatten(TSTree *tree, PolyNode *a, uint32_t capacity, const uint8_t *inherits) {
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	const uint32_t fields = ts_language_field_count(ts_node_language(ts_tree_root_node(tree)));
	uint32_t n = 0, parent = UINT32_MAX;
	bool done = false;
	Fars far = {0};
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
			if (inherits && a[parent].kind != UINT16_MAX && inherits[a[parent].kind]) {
				compare(a, parent, ts_tree_cursor_current_node(&c), fields, &far);
			}
			parent = a[parent].parent;
		}
	}
	ts_tree_cursor_delete(&c);
	ts_tree_delete(tree);
	if (n != capacity || far.failed) {
		free(far.a);
		return (PolyFlat){0};
	}
	return (PolyFlat){n, far.count, far.a};
}
