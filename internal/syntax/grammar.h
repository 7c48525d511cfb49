#include <stdbool.h>
#include <stdint.h>

// Grammar is TSLanguage as the C code of every grammar lays it out, ABI 13 to
// 15: each only adds to its end.
typedef struct {
	uint32_t abi, symbols, aliases, tokens, external_tokens, states, large_states, productions, fields;
	uint16_t longest_alias_sequence;
	const void *tables[13]; // parse_table up to lex_modes
	bool (*lex)(void *, uint16_t);
	bool (*lex_keyword)(void *, uint16_t);
	uint16_t keyword_token;
	struct {
		const bool *states;
		const uint16_t *symbols;
		void *(*create)(void);
		void (*destroy)(void *);
		bool (*scan)(void *, void *, const bool *);
		unsigned (*serialize)(void *, char *);
		void (*deserialize)(void *, const char *, unsigned);
	} scanner;
	const uint16_t *primary_states; // ABI 14
	const char *name;               // ABI 15, as all that follows
	const uint16_t *reserved_words;
	uint16_t largest_reserved_set;
	uint32_t supertypes;
	const void *supertype_tables[3];
	uint8_t version[3];
} Grammar;
