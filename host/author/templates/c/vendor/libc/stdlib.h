/* The part of <stdlib.h> that a component needs; see libc.c. */
#ifndef WEIR_STDLIB_H
#define WEIR_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
_Noreturn void abort(void);

#endif
