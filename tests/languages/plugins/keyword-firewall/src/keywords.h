/* Words that give an attack away, and where they are looked for. */
#ifndef KEYWORDS_H
#define KEYWORDS_H

#include "weir.h"

/* The first word of orders in a text, whatever its capitals; NULL where there is none. */
const char *order_in(weir_string text);
/* The first word of secrets in a text, whatever its capitals; NULL where there is none. */
const char *secret_in(weir_string text);

#endif
