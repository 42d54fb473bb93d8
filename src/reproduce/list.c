/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All chapters whose items are computed again. */
#include "reproduce/item.h"

extern const struct loom_chapter loom_chapter_feitelson2002, loom_chapter_lublin2003,
    loom_chapter_minh2010, loom_chapter_minh2012_3, loom_chapter_minh2012_4,
    loom_chapter_minh2012_5, loom_chapter_minh2012_6, loom_chapter_minh2012_7,
    loom_chapter_minh2012_8, loom_chapter_zakay2017_2, loom_chapter_zakay2017_3,
    loom_chapter_zakay2017_3_figures, loom_chapter_zakay2017_4, loom_chapter_zakay2017_5,
    loom_chapter_zakay2017_6;

/* clang-format off */
const struct loom_chapter *const loom_chapters[] = {
    &loom_chapter_feitelson2002,
    &loom_chapter_lublin2003,
    &loom_chapter_minh2010,
    &loom_chapter_minh2012_3,
    &loom_chapter_minh2012_4,
    &loom_chapter_minh2012_5,
    &loom_chapter_minh2012_6,
    &loom_chapter_minh2012_7,
    &loom_chapter_minh2012_8,
    &loom_chapter_zakay2017_2,
    &loom_chapter_zakay2017_3,
    &loom_chapter_zakay2017_3_figures,
    &loom_chapter_zakay2017_4,
    &loom_chapter_zakay2017_5,
    &loom_chapter_zakay2017_6,
    NULL,
};
/* clang-format on */
