/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h - the text of the manual pages in section 7; each ends with NULL. */
#ifndef WORKLOOM_CLI_PAGES_H
#define WORKLOOM_CLI_PAGES_H

extern const char *const page_simulation[],
    *const page_feedback[], *const page_platforms[], *const page_models[],
                                                         *const page_scores[],
                                                             *const page_resampling[],
                                                                 *const page_formats[],
                                                                     *const page_json[];

#endif
