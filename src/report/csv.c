/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/csv.h"

#include "trace/number.h"

#include <math.h>
#include <string.h>

void loom_csv_put(struct loom_csv *to, const char *text, size_t length)
{
    if (!to->out)
        fwrite(text, 1, length, to->stream);
    else if (!to->rc)
        to->rc = loom_output_write(to->out, text, length, to->err);
}

void loom_csv_text(struct loom_csv *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        loom_csv_put(to, text, strlen(text));
        return;
    }
    loom_csv_put(to, "\"", 1);
    for (const char *at = text; *at; at++)
        loom_csv_put(to, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    loom_csv_put(to, "\"", 1);
}

void loom_csv_number(struct loom_csv *to, double value)
{
    char text[LOOM_NUMBER_PRINT];
    if (isfinite(value))
        loom_csv_put(to, text, loom_number_print_real(text, value));
}
