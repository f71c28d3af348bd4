// WASI has no setjmp; the libraries use it only to leave on fatal errors.
#include <stdlib.h>
typedef int jmp_buf[1];
#define setjmp(environment) 0
#define longjmp(environment, value) abort()
