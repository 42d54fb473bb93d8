/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All texts whose items are computed again. */
#include "reproduce/item.h"

extern const struct loom_text loom_text_minh2010;

const struct loom_text *const loom_texts[] = {&loom_text_minh2010, NULL};
