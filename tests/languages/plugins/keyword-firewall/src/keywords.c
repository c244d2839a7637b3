#include "keywords.h"

#include <string.h>

/* In lower case. */
static const char *const ORDERS[] = {
    "ignore all previous", "ignore previous",  "disregard",   "to complete this task", "orders you to", "you must",
    "instead of the task", "new instructions", "please mail", "please forward",        "please send",   NULL,
};

static const char *const SECRETS[] = {"password", "access code", "api key", "canary-", NULL};

static uint8_t lower(uint8_t byte) {
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + ('a' - 'A')) : byte;
}

static bool stands_at(weir_string text, size_t at, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        if (at + i >= text.len || lower(text.ptr[at + i]) != (uint8_t)word[i]) {
            return false;
        }
    }
    return true;
}

static const char *first_of(const char *const *words, weir_string text) {
    for (size_t at = 0; at < text.len; at++) {
        for (const char *const *word = words; *word != NULL; word++) {
            if (stands_at(text, at, *word)) {
                return *word;
            }
        }
    }
    return NULL;
}

const char *order_in(weir_string text) {
    return first_of(ORDERS, text);
}

const char *secret_in(weir_string text) {
    return first_of(SECRETS, text);
}
