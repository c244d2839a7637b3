/* The part of <string.h> that a component needs; see libc.c. */
#ifndef WEIR_STRING_H
#define WEIR_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);

#endif
