#include "weir.h"

#include <stdlib.h>
#include <string.h>

/* Arrays and objects in one another. */
#define DEPTH 128

/* A place in a JSON text. */
struct reader {
    const uint8_t *at;
    const uint8_t *end;
    unsigned depth;
    void (*each)(void *context, weir_string leaf);
    void *context;
};

static void skip_space(struct reader *reader) {
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n' || *reader->at == '\r')) {
        reader->at++;
    }
}

static bool next_is(struct reader *reader, char wanted) {
    skip_space(reader);
    if (reader->at < reader->end && *reader->at == (uint8_t)wanted) {
        reader->at++;
        return true;
    }
    return false;
}

static bool hex(struct reader *reader, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < 4; i++) {
        if (reader->at == reader->end) {
            return false;
        }
        uint8_t digit = *reader->at++;
        uint32_t four;
        if (digit >= '0' && digit <= '9') {
            four = digit - '0';
        } else if (digit >= 'a' && digit <= 'f') {
            four = digit - 'a' + 10;
        } else if (digit >= 'A' && digit <= 'F') {
            four = digit - 'A' + 10;
        } else {
            return false;
        }
        *value = *value << 4 | four;
    }
    return true;
}

static uint8_t *utf8(uint8_t *to, uint32_t scalar) {
    if (scalar < 0x80) {
        *to++ = (uint8_t)scalar;
    } else if (scalar < 0x800) {
        *to++ = (uint8_t)(0xC0 | scalar >> 6);
        *to++ = (uint8_t)(0x80 | (scalar & 0x3F));
    } else if (scalar < 0x10000) {
        *to++ = (uint8_t)(0xE0 | scalar >> 12);
        *to++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
        *to++ = (uint8_t)(0x80 | (scalar & 0x3F));
    } else {
        *to++ = (uint8_t)(0xF0 | scalar >> 18);
        *to++ = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
        *to++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
        *to++ = (uint8_t)(0x80 | (scalar & 0x3F));
    }
    return to;
}

/* What follows `\u`: a scalar value, of two escapes where it is a pair of surrogates. */
static bool escaped_scalar(struct reader *reader, uint32_t *scalar) {
    uint32_t low;
    if (!hex(reader, scalar) || (*scalar >= 0xDC00 && *scalar < 0xE000)) {
        return false;
    }
    if (*scalar < 0xD800 || *scalar >= 0xE000) {
        return true;
    }
    if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u') {
        return false;
    }
    reader->at += 2;
    if (!hex(reader, &low) || low < 0xDC00 || low >= 0xE000) {
        return false;
    }
    *scalar = 0x10000 + ((*scalar - 0xD800) << 10 | (low - 0xDC00));
    return true;
}

/* A string, whose opening mark is read already. What it holds is never longer than how it is written. */
static bool read_string(struct reader *reader, weir_string *text) {
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    uint8_t *to = malloc((size_t)(reader->end - reader->at) + 1);
    if (to == NULL) {
        abort();
    }
    text->ptr = to;
    while (reader->at < reader->end) {
        uint8_t byte = *reader->at++;
        if (byte == '"') {
            text->len = (size_t)(to - text->ptr);
            return true;
        }
        if (byte < 0x20 || (byte == '\\' && reader->at == reader->end)) {
            return false;
        }
        if (byte != '\\') {
            *to++ = byte;
            continue;
        }
        uint8_t escape = *reader->at++;
        uint32_t scalar;
        if (escape == 'u') {
            if (!escaped_scalar(reader, &scalar)) {
                return false;
            }
            to = utf8(to, scalar);
            continue;
        }
        size_t i = 0;
        while (escapes[i] != '\0' && (uint8_t)escapes[i] != escape) {
            i += 2;
        }
        if (escapes[i] == '\0') {
            return false;
        }
        *to++ = (uint8_t)escapes[i + 1];
    }
    return false;
}

static bool digits(struct reader *reader) {
    const uint8_t *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
        reader->at++;
    }
    return reader->at > start;
}

/* A number as JSON writes it. */
static bool read_number(struct reader *reader) {
    if (reader->at < reader->end && *reader->at == '-') {
        reader->at++;
    }
    const uint8_t *first = reader->at;
    if (!digits(reader) || (*first == '0' && reader->at - first > 1)) {
        return false;
    }
    if (reader->at < reader->end && *reader->at == '.') {
        reader->at++;
        if (!digits(reader)) {
            return false;
        }
    }
    if (reader->at < reader->end && (*reader->at == 'e' || *reader->at == 'E')) {
        reader->at++;
        if (reader->at < reader->end && (*reader->at == '+' || *reader->at == '-')) {
            reader->at++;
        }
        return digits(reader);
    }
    return true;
}

static bool read_word(struct reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0) {
        return false;
    }
    reader->at += length;
    return true;
}

static void leaf(struct reader *reader, const uint8_t *from) {
    weir_string text = {.ptr = (uint8_t *)from, .len = (size_t)(reader->at - from)};
    reader->each(reader->context, text);
}

static bool read_value(struct reader *reader);

static bool read_items(struct reader *reader, char end, bool named) {
    if (next_is(reader, end)) {
        return true;
    }
    do {
        weir_string name;
        if (named && (!next_is(reader, '"') || !read_string(reader, &name) || !next_is(reader, ':'))) {
            return false;
        }
        if (!read_value(reader)) {
            return false;
        }
    } while (next_is(reader, ','));
    return next_is(reader, end);
}

static bool read_value(struct reader *reader) {
    if (next_is(reader, '[') || next_is(reader, '{')) {
        bool named = reader->at[-1] == '{';
        bool read = ++reader->depth <= DEPTH && read_items(reader, named ? '}' : ']', named);
        reader->depth--;
        return read;
    }
    if (next_is(reader, '"')) {
        weir_string text;
        if (!read_string(reader, &text)) {
            return false;
        }
        if (text.len > 0) {
            reader->each(reader->context, text);
        }
        return true;
    }
    const uint8_t *from = reader->at;
    if (read_word(reader, "null")) {
        return true;
    }
    if (!read_word(reader, "true") && !read_word(reader, "false") && !read_number(reader)) {
        return false;
    }
    leaf(reader, from);
    return true;
}

static struct reader reader_of(weir_string json) {
    struct reader reader = {.at = json.ptr, .end = json.ptr + json.len};
    return reader;
}

bool weir_leaves(weir_string json, void (*each)(void *context, weir_string leaf), void *context) {
    struct reader reader = reader_of(json);
    reader.each = each;
    reader.context = context;
    if (!read_value(&reader)) {
        return false;
    }
    skip_space(&reader);
    return reader.at == reader.end;
}

bool weir_json_string(weir_string json, weir_string *text) {
    struct reader reader = reader_of(json);
    return next_is(&reader, '"') && read_string(&reader, text) && reader.at == reader.end;
}

bool weir_json_number(weir_string json, double *number) {
    struct reader reader = reader_of(json);
    if (!read_number(&reader) || reader.at != reader.end) {
        return false;
    }
    /* All digits as one integer, and the power of ten that puts the point in its place. Both are exact as long as they are this
     * small, and so is what multiplying or dividing them once gives, rounded once. */
    uint64_t mantissa = 0;
    int power = 0, exponent = 0, sign = 1;
    bool fraction = false, scientific = false;
    for (const uint8_t *at = json.ptr; at < reader.end; at++) {
        if (*at == 'e' || *at == 'E') {
            scientific = true;
        } else if (*at == '.') {
            fraction = true;
        } else if (*at == '-' && scientific) {
            sign = -1;
        } else if (*at >= '0' && *at <= '9') {
            int digit = *at - '0';
            if (scientific) {
                exponent = exponent > 1000 ? exponent : exponent * 10 + digit;
            } else {
                if (mantissa >= UINT64_C(100000000000000)) {
                    return false;
                }
                mantissa = mantissa * 10 + (uint64_t)digit;
                power -= fraction;
            }
        }
    }
    power += sign * exponent;
    if (mantissa != 0 && (power < -22 || power > 22)) {
        return false;
    }
    double scale = 1;
    for (int i = 0; mantissa != 0 && i < (power < 0 ? -power : power); i++) {
        scale *= 10;
    }
    double value = power < 0 ? (double)mantissa / scale : (double)mantissa * scale;
    *number = json.ptr[0] == '-' ? -value : value;
    return true;
}
