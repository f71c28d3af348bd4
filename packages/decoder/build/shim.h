// WASI has no temporary files; FFmpeg's configuration assumes tempnam where mkstemp is missing.
#ifndef __ASSEMBLER__
#define tempnam(directory, prefix) ((char *)0)
#endif
