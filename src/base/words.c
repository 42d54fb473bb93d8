/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "Did you mean": the nearest of a list of words by edit distance with transpositions (optimal
 * string alignment). A word is near enough when at most a third of its letters, rounded up, were
 * mistyped. Where several are as likely meant, all of them are named, and the words that a
 * shortened one may stand for as well. Dashes before a word do not count.
 */
#include "base/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_WORD = 48, MOST_NAMED = 5 };

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

static const char *without_dashes(const char *word)
{
    return word + strspn(word, "-");
}

/* The distance of a word that was not meant: above all that are near enough for this length. */
static size_t too_far(size_t length)
{
    return (length + 2) / 3 + 1;
}

/* How far `other` is from what was typed, too_far() if that is too far. */
static size_t distance_to(const char *other, const char *word, size_t length)
{
    other = without_dashes(other);
    size_t n = strlen(other), far = too_far(length);
    size_t distance = n > MAX_WORD ? far : edit_distance(word, length, other, n);
    return distance < far ? distance : far;
}

const char *loom_nearest(const char *word, const char *const *list)
{
    word = without_dashes(word);
    size_t length = strlen(word), least = too_far(length);
    const char *nearest = NULL;
    if (length == 0 || length > MAX_WORD)
        return NULL;
    for (; *list; list++) {
        size_t distance = distance_to(*list, word, length);
        if (distance < least) {
            least = distance;
            nearest = *list;
        }
    }
    return nearest;
}

static bool begins_with(const char *text, const char *word, size_t length)
{
    return length > 1 && strncasecmp(without_dashes(text), word, length) == 0;
}

/* The first MOST_NAMED words that may be meant. */
static size_t find_meant(const char *meant[MOST_NAMED], const char *word, const char *const *list)
{
    word = without_dashes(word);
    size_t length = strlen(word), n = 0;
    const char *nearest = loom_nearest(word, list);
    size_t least = nearest ? distance_to(nearest, word, length) : 0;
    for (; length <= MAX_WORD && *list && n < MOST_NAMED; list++)
        if (begins_with(*list, word, length) ||
            (nearest && distance_to(*list, word, length) == least))
            meant[n++] = *list;
    return n;
}

const char *loom_did_you_mean(char *buf, size_t size, const char *word, const char *const *list)
{
    const char *meant[MOST_NAMED];
    size_t n = find_meant(meant, word, list), used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < n && used < size; i++) {
        const char *before = i == 0 ? "did you mean " : i + 1 < n ? ", " : " or ";
        used += (size_t)snprintf(buf + used, size - used, "%s'%s'%s", before, meant[i],
                                 i + 1 < n ? "" : "?");
    }
    return buf;
}

int loom_fail_unknown(struct loom_error *err, const char *kind, const char *word,
                      const char *const *list, const char *otherwise)
{
    char meant[MOST_NAMED * (MAX_WORD + 8) + 16];
    loom_did_you_mean(meant, sizeof meant, word, list);
    return loom_fail(err, LOOM_EUSAGE, "there is no %s '%s'; %s", kind, word,
                     meant[0] ? meant : otherwise);
}
