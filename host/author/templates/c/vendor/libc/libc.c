/* What a component needs of a C library, and no more: with it the component imports nothing but what it asks of Weir. It is not
 * part of the tests, which have the machine's own library. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PAGE ((size_t)65536)
/* No value of the contract needs more. */
#define ALIGNMENT ((size_t)8)

/* The linker's word for the end of data and stack. */
extern unsigned char __heap_base;

static size_t next;

static size_t aligned(size_t size) {
    return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/* A component lives for one rollout, so nothing is freed: allocating is then almost free. Before each block stands its size. */
void *malloc(size_t size) {
    if (next == 0) {
        next = aligned((size_t)&__heap_base);
    }
    /* Past this no block fits a memory of 32 bits, and the sums below stay in range. */
    if (size > SIZE_MAX / 2 || next > SIZE_MAX / 2 - 2 * ALIGNMENT) {
        return NULL;
    }
    size_t block = next + ALIGNMENT;
    size_t end = block + aligned(size);
    size_t have = __builtin_wasm_memory_size(0) * PAGE;
    if (end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == SIZE_MAX) {
        return NULL;
    }
    *(size_t *)next = size;
    next = end;
    return (void *)block;
}

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    /* Memory is zero until it is used, and it is never used twice. */
    return malloc(count * size);
}

void *realloc(void *block, size_t size) {
    void *moved = malloc(size);
    if (block != NULL && moved != NULL) {
        size_t old = *(size_t *)((size_t)block - ALIGNMENT);
        memcpy(moved, block, old < size ? old : size);
    }
    return moved;
}

void free(void *block) {
    (void)block;
}

_Noreturn void abort(void) {
    __builtin_trap();
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    return memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    if (target < source) {
        for (size_t i = 0; i < size; i++) {
            target[i] = source[i];
        }
    } else {
        for (size_t i = size; i > 0; i--) {
            target[i - 1] = source[i - 1];
        }
    }
    return to;
}

void *memset(void *to, int byte, size_t size) {
    unsigned char *target = to;
    for (size_t i = 0; i < size; i++) {
        target[i] = (unsigned char)byte;
    }
    return to;
}

int memcmp(const void *left, const void *right, size_t size) {
    const unsigned char *a = left, *b = right;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    return length;
}
