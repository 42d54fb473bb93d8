/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timestamps. */
#include "trace/formats/csv/times.h"

#include "base/civil.h"

#include <string.h>

/* Where the zone of a timestamp begins: Z or a sign somewhere behind "YYYY-MM-DDT". */
static size_t zone_start(const char *text, size_t length)
{
    size_t at = sizeof "YYYY-MM-DDT" - 1;

    while (at < length && text[at] != 'Z' && text[at] != '+' && text[at] != '-')
        at++;
    return at < length ? at : length;
}

enum loom_number loom_csv_timestamp(int64_t *out, bool *zoned, const char *text, size_t length)
{
    const size_t zone = zone_start(text, length);
    int64_t east_s = 0, second = 0;
    enum loom_number fraction = LOOM_NUMBER_OK;

    *zoned = zone < length;
    if (zone < length && !loom_civil_parse_zone(&east_s, text + zone, length - zone))
        return LOOM_NUMBER_BAD;
    length = zone;
    const char *point = memchr(text, '.', length);
    if (point) {
        const size_t n = length - (size_t)(point - text);
        fraction = n > 1 ? loom_number_whole(&second, point, n, 0, 1) : LOOM_NUMBER_BAD;
        length -= n;
    }
    if (fraction < 0 || !loom_civil_parse(out, text, length))
        return LOOM_NUMBER_BAD;
    *out += second - east_s;
    return fraction;
}
