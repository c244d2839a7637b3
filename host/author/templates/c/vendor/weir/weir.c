#include "weir.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static weir_plugin_types_reason_t reason(const char *rule, weir_string message) {
    weir_plugin_types_reason_t reason = {.rule = weir_string_of(rule), .message = message};
    return reason;
}

bool weir_allow(weir_decision *decision, const char *rule, weir_string message) {
    decision->tag = EXPORTS_WEIR_PLUGIN_POLICY_DECISION_ALLOW;
    decision->val.allow.is_some = true;
    decision->val.allow.val = reason(rule, message);
    return true;
}

bool weir_block(weir_decision *decision, const char *rule, weir_string message) {
    decision->tag = EXPORTS_WEIR_PLUGIN_POLICY_DECISION_BLOCK;
    decision->val.block = reason(rule, message);
    return true;
}

bool weir_confirm(weir_decision *decision, const char *rule, weir_string message) {
    decision->tag = EXPORTS_WEIR_PLUGIN_POLICY_DECISION_CONFIRM;
    decision->val.confirm = reason(rule, message);
    return true;
}

bool weir_pass(weir_filtered *filtered) {
    filtered->tag = EXPORTS_WEIR_PLUGIN_POLICY_FILTERED_PASS;
    return true;
}

bool weir_replace(weir_filtered *filtered, weir_string text) {
    filtered->tag = EXPORTS_WEIR_PLUGIN_POLICY_FILTERED_REPLACE;
    filtered->val.replace = text;
    return true;
}

bool weir_withhold(weir_filtered *filtered, const char *rule, weir_string message) {
    filtered->tag = EXPORTS_WEIR_PLUGIN_POLICY_FILTERED_WITHHOLD;
    filtered->val.withhold = reason(rule, message);
    return true;
}

bool weir_fail(weir_error *error, weir_string message) {
    error->tag = WEIR_PLUGIN_TYPES_ERROR_OTHER;
    error->val.other = message;
    return false;
}

weir_string weir_string_of(const char *text) {
    weir_string string = {.ptr = (uint8_t *)text, .len = strlen(text)};
    return string;
}

/* A text of this length, to be filled. */
static weir_string room(size_t length) {
    weir_string string = {.ptr = malloc(length == 0 ? 1 : length), .len = length};
    if (string.ptr == NULL) {
        abort();
    }
    return string;
}

static weir_string decimal(unsigned number) {
    weir_string digits = room(10);
    size_t start = digits.len;
    do {
        digits.ptr[--start] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    digits.ptr += start;
    digits.len -= start;
    return digits;
}

static weir_string joined(weir_string left, const uint8_t *right, size_t length) {
    weir_string both = room(left.len + length);
    memcpy(both.ptr, left.ptr, left.len);
    memcpy(both.ptr + left.len, right, length);
    return both;
}

weir_string weir_format(const char *format, ...) {
    weir_string text = {.ptr = (uint8_t *)format, .len = 0};
    va_list values;
    va_start(values, format);
    for (const char *at = format; *at != '\0'; at++) {
        weir_string next = {.ptr = (uint8_t *)at, .len = 1};
        if (*at == '%' && at[1] != '\0') {
            switch (*++at) {
            case 's':
                next = weir_string_of(va_arg(values, const char *));
                break;
            case 't':
                next = va_arg(values, weir_string);
                break;
            case 'u':
                next = decimal(va_arg(values, unsigned));
                break;
            default:
                next.ptr = (uint8_t *)at;
            }
        }
        text = joined(text, next.ptr, next.len);
    }
    va_end(values);
    return text;
}

bool weir_equal(weir_string left, weir_string right) {
    return left.len == right.len && (left.len == 0 || memcmp(left.ptr, right.ptr, left.len) == 0);
}

bool weir_is(weir_string text, const char *word) {
    return weir_equal(text, weir_string_of(word));
}

void weir_log(weir_string message) {
    weir_plugin_log_write(WEIR_PLUGIN_LOG_LEVEL_INFO, &message);
}

bool weir_text(uint32_t event, weir_string *text) {
    return weir_plugin_transcript_text(event, text);
}

weir_found weir_find(weir_string text, uint32_t limit) {
    weir_found found;
    weir_plugin_transcript_find(&text, limit, &found);
    return found;
}
