/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "Did you mean": the nearest of a list of words by edit distance with transpositions (optimal
 * string alignment). A word is near enough when at most a third of its letters, rounded up, were
 * mistyped.
 */
#include <workloom/base.h>

#include <ctype.h>
#include <string.h>

enum { MAX_WORD = 48 };

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t edit_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][MAX_WORD + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        before[j] = last[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            row[j] = min3(last[j] + 1, row[j - 1] + 1, change);
            bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                           same_letter(a[i - 2], b[j - 1]);
            if (swapped && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

const char *loom_nearest(const char *word, const char *const *list)
{
    size_t length = strlen(word);
    if (length == 0 || length > MAX_WORD)
        return NULL;
    const char *nearest = NULL;
    size_t least = (length + 2) / 3 + 1;
    for (; *list; list++) {
        size_t other = strlen(*list);
        if (other > MAX_WORD)
            continue;
        size_t distance = edit_distance(word, length, *list, other);
        if (distance < least) {
            least = distance;
            nearest = *list;
        }
    }
    return nearest;
}
