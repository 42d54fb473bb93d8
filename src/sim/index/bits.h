/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bits.h - numbers in order: those of at least 0 are in the order of their bits, so that they can
 * be compared as whole numbers. */
#ifndef LOOM_SIM_INDEX_BITS_H
#define LOOM_SIM_INDEX_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int64_t loom_bits_of(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline double loom_number_of(int64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Let bits[k] be what it were if all n were sorted, with nothing larger before it and nothing
 * smaller behind it. What lies before `from` is in its place already. */
void loom_select_place(int64_t *bits, size_t from, size_t n, size_t k);

#endif
