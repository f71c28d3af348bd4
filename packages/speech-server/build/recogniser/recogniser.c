// PocketSphinx behind a few exports. One decoder a module instance; strings are NUL-terminated UTF-8.
#include <pocketsphinx.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/err.h>
#include <sphinxbase/ngram_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define MAX_ARGUMENTS 64

static ps_decoder_t *decoder;
static char *text;
static size_t capacity, length;

EXPORT("recogniser_allocate") void *allocate(int size) { return malloc(size); }
EXPORT("recogniser_free") void release(void *memory) { free(memory); }

// Takes "-name\nvalue\n-name\nvalue"; the strings stay in use.
EXPORT("recogniser_open") int open_decoder(char *arguments) {
	char *argv[MAX_ARGUMENTS] = {"recogniser"};
	int argc = 1;
	for (char *part = strtok(arguments, "\n"); part && argc < MAX_ARGUMENTS; part = strtok(NULL, "\n"))
		argv[argc++] = part;
	err_set_logfp(NULL);
	cmd_ln_t *config = cmd_ln_parse_r(NULL, ps_args(), argc, argv, TRUE);
	if (!config) return -1;
	decoder = ps_init(config);
	return decoder ? 0 : -2;
}

EXPORT("recogniser_knows") int knows(const char *word) {
	char *phones = ps_lookup_word(decoder, word);
	ckd_free(phones);
	return phones != NULL;
}

// The language model knows nothing of the word: it is as likely anywhere, `weight` times as likely as the average word.
// The search is rebuilt when asked to: once, with the last word.
EXPORT("recogniser_add_word") int add_word(const char *word, const char *phones, double weight, int rebuild) {
	ngram_model_t *models = ps_get_lm(decoder, ps_get_search(decoder));
	ngram_model_t *model = ngram_model_set_lookup(models, "default");
	if (!model) return -1;
	// Adding a word twice would corrupt the model.
	if (ngram_wid(model, word) == NGRAM_INVALID_WID && ngram_model_add_word(model, word, weight) < 0) return -1;
	return ps_add_word(decoder, word, phones, rebuild);
}

// One whole utterance of 16 kHz samples.
EXPORT("recogniser_listen") int listen(const int16 *samples, int count) {
	if (ps_start_utt(decoder) < 0) return -1;
	int frames = ps_process_raw(decoder, samples, count, FALSE, TRUE);
	return ps_end_utt(decoder) < 0 ? -1 : frames;
}

static void append(const char *line) {
	size_t size = strlen(line);
	if (length + size + 1 > capacity) text = realloc(text, capacity = (length + size + 1) * 2);
	memcpy(text + length, line, size + 1);
	length += size;
}

// What was heard: a line for each word with its first and last frame (100 a second) and its posterior probability.
EXPORT("recogniser_words") const char *words(void) {
	char line[512];
	logmath_t *logmath = ps_get_logmath(decoder);
	length = 0;
	append("");
	for (ps_seg_t *word = ps_seg_iter(decoder); word; word = ps_seg_next(word)) {
		int first, last, acoustic, language, backoff;
		ps_seg_frames(word, &first, &last);
		double probability = logmath_exp(logmath, ps_seg_prob(word, &acoustic, &language, &backoff));
		snprintf(line, sizeof line, "%s %d %d %.4f\n", ps_seg_word(word), first, last, probability);
		append(line);
	}
	return text;
}

// The language model reader can unpack files by running a program. Not here.
int system(const char *command) { return -1; }
FILE *popen(const char *command, const char *mode) { return NULL; }
int pclose(FILE *stream) { return -1; }
