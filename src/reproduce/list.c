/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All texts whose items are computed again. */
#include "reproduce/item.h"

extern const struct loom_paper loom_paper_minh2010;

const struct loom_paper *const loom_papers[] = {&loom_paper_minh2010, NULL};
