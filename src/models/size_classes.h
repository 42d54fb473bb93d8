/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size_classes.h - sizes in classes that are delimited by powers of two: 1, 2, 3 to 4, 5 to 8, ...
 */
#ifndef LOOM_MODELS_SIZE_CLASSES_H
#define LOOM_MODELS_SIZE_CLASSES_H

#include <stddef.h>
#include <stdint.h>

enum { LOOM_SIZE_CLASSES = 32 };

/* The smallest size of each class, which is 1 of the first. Classes are joined from below until
 * each has at least `least` jobs. procs: n sizes of jobs; only of jobs `picked` if that is not
 * NULL. Returns how many there are. */
size_t loom_size_classes(int32_t from[LOOM_SIZE_CLASSES], const int32_t *procs,
                         const uint32_t *picked, size_t n, size_t least);

#endif
