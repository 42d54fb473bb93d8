/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing by gnuplot. One process draws many figures, since most of the time goes into starting it.
 * It runs without a shell and without the user's settings, reads one script with the data inside
 * and writes each image into memory that it inherits, so that no file is touched and a failure
 * leaves nothing behind. If that process fails, its figures are drawn again one by one, and those
 * that fail alone keep the reason in place of an image.
 *
 * The style of all figures is set here: Okabe and Ito's colours, which people who see colours
 * differently can tell apart, together with dashes and markers for print without colours; two axes,
 * a thin grid, nothing else. Of lines that may coincide, those drawn later are thinner and have
 * more gaps, so that all are seen. svg.c knows the colours.
 */
#include "base/error.h"
#include "report/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define USUAL_HEIGHT 0.64

static const struct loom_image_format formats[] = {
    {"svg", "svg", 520, "", "dynamic enhanced font 'sans-serif,13'"},
    {"pdf", "pdfcairo", 14, "cm", "enhanced font 'sans,10'"},
    {"png", "pngcairo", 1680, "", "enhanced font 'sans,13' fontscale 2.2 linewidth 3 pointscale 3"},
};

static const char style[] =
    "set encoding utf8\n"
    "set datafile separator '\\t'\n"
    "set datafile columnheaders\n"
    "set border 3 linecolor rgb '#444444' linewidth 0.8\n"
    "set tics nomirror out scale 0.5\n"
    "set grid back linecolor rgb '#dddddd' linewidth 0.6 dashtype 1\n"
    "set key samplen 2.5 spacing 1.1\n"
    "set style line 1 linecolor rgb '#0072B2' linewidth 1.8 dashtype 1 pointtype 7 pointsize 0.4\n"
    "set style line 2 linecolor rgb '#D55E00' linewidth 1.8 dashtype (12,4) pointtype 5 pointsize "
    "0.4\n"
    "set style line 3 linecolor rgb '#009E73' linewidth 1.8 dashtype (12,3,2,3) pointtype 9 "
    "pointsize 0.5\n"
    "set style line 4 linecolor rgb '#CC79A7' linewidth 1.8 dashtype (6,4) pointtype 13 pointsize "
    "0.5\n"
    "set style line 5 linecolor rgb '#E69F00' linewidth 1.8 dashtype (2,4) pointtype 11 pointsize "
    "0.5\n"
    "set style line 6 linecolor rgb '#56B4E9' linewidth 1.8 dashtype (10,9) pointtype 4 "
    "pointsize 0.5\n"
    "set style line 7 linecolor rgb '#000000' linewidth 1.8 dashtype (3,8) pointtype 6 "
    "pointsize 0.5\n"
    "set style line 9 linecolor rgb '#666666' linewidth 0.9 dashtype (4,4)\n"
    "set style fill solid 0.6 noborder\n"
    "wide(i, n) = 1.5 + (n > 4 ? 0.5 : 0.7) * (n - 1 - i)\n";

const struct loom_image_format *loom_image_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* ---- scripts --------------------------------------------------------------------------------- */

/* Write the commands that draw a figure into an image, with the data inside. */
static void write_commands(FILE *out, const struct loom_drawing *drawing,
                           const struct loom_image_format *format, const char *image)
{
    const struct loom_figure_ops *ops = drawing->ops;
    double width = format->width * (ops->width > 0 ? ops->width : 1);
    double height = width * (ops->height > 0 ? ops->height : USUAL_HEIGHT);
    fprintf(out, "set terminal %s size %g%s,%.4g%s %s\n", format->terminal, width, format->unit,
            height, format->unit, format->options);
    fprintf(out, "set output '%s'\n\n%s%s\n$data << END_OF_DATA\n", image, style,
            drawing->settings);
    fwrite(drawing->data, 1, drawing->data_size, out);
    fprintf(out, "END_OF_DATA\ndata = '$data'\n\n%sunset output\n", drawing->ops->script);
}

char *loom_gnuplot_script(const struct loom_drawing *drawing,
                          const struct loom_image_format *format)
{
    const struct loom_figure_ops *ops = drawing->ops;
    struct loom_text *text;
    size_t size;
    char image[80];
    FILE *out = loom_text_open(&text);
    if (!out)
        return NULL;
    fprintf(out, "# %s\n# Draws %s.%s: gnuplot %s.gp. %s.csv has the data as a table.\n\n",
            ops->title, ops->name, format->name, ops->name, ops->name);
    snprintf(image, sizeof image, "%s.%s", ops->name, format->name);
    write_commands(out, drawing, format, image);
    return loom_text_close(out, text, &size);
}

/* ---- one process ----------------------------------------------------------------------------- */

enum { MOST_AT_ONCE = 64 };

/* Figures of one process: all with index % step == start. */
struct batch {
    struct loom_drawing *drawings[MOST_AT_ONCE];
    int images[MOST_AT_ONCE];
    size_t n;
    int script, messages; /* descriptors of memory, as the images; -1 if none */
};

static int memory_file(struct loom_error *err)
{
    int fd = memfd_create("workloom", MFD_CLOEXEC);
    if (fd < 0)
        loom_fail_errno(err, errno, "make", "memory for gnuplot");
    return fd;
}

static int open_batch(struct batch *batch, struct loom_error *err)
{
    batch->script = memory_file(err);
    batch->messages = batch->script < 0 ? -1 : memory_file(err);
    for (size_t i = 0; i < batch->n; i++)
        batch->images[i] =
            batch->messages < 0 || (i > 0 && batch->images[i - 1] < 0) ? -1 : memory_file(err);
    if (batch->messages < 0 || (batch->n > 0 && batch->images[batch->n - 1] < 0))
        return LOOM_EIO;
    return 0;
}

static void close_batch(struct batch *batch)
{
    if (batch->script >= 0)
        close(batch->script);
    if (batch->messages >= 0)
        close(batch->messages);
    for (size_t i = 0; i < batch->n; i++)
        if (batch->images[i] >= 0)
            close(batch->images[i]);
}

static int write_script(const struct batch *batch, const struct loom_image_format *format,
                        struct loom_error *err)
{
    int copy = fcntl(batch->script, F_DUPFD_CLOEXEC, 3);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    if (!out) {
        int reason = errno;
        if (copy >= 0)
            close(copy);
        return loom_fail_errno(err, reason, "write", "gnuplot's script");
    }
    for (size_t i = 0; i < batch->n; i++) {
        char image[32];
        snprintf(image, sizeof image, "/dev/fd/%d", batch->images[i]);
        fputs("reset session\n", out);
        write_commands(out, batch->drawings[i], format, image);
    }
    bool failed = ferror(out);
    if (fclose(out) || failed)
        return loom_fail(err, LOOM_EIO, "gnuplot's script could not be written");
    return 0;
}

/* All bytes of a memory file and a NUL; NULL when memory is out. */
static char *take_bytes(int fd, size_t *size)
{
    struct stat status;
    if (fstat(fd, &status))
        return NULL;
    size_t wanted = (size_t)status.st_size, have = 0;
    char *bytes = malloc(wanted + 1);
    while (bytes && have < wanted) {
        ssize_t got = pread(fd, bytes + have, wanted - have, (off_t)have);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        have += got > 0 ? (size_t)got : 0;
    }
    if (bytes)
        bytes[have] = '\0';
    *size = have;
    return bytes;
}

/* The last line of gnuplot's messages, into a reason. Returns LOOM_ENOMEM when memory is out. */
static int take_message(const struct batch *batch, char reason[LOOM_REASON_SIZE],
                        struct loom_error *err)
{
    size_t size = 0;
    char *messages = take_bytes(batch->messages, &size);
    if (!messages)
        return loom_fail_memory(err);
    while (size > 0 && (unsigned char)messages[size - 1] <= ' ')
        messages[--size] = '\0';
    const char *last = strrchr(messages, '\n');
    snprintf(reason, LOOM_REASON_SIZE, "gnuplot could not draw it: %.200s",
             size == 0 ? "no message"
             : last    ? last + 1
                       : messages);
    free(messages);
    return 0;
}

static void name_signal(int number, char reason[LOOM_REASON_SIZE])
{
    const char *name = sigabbrev_np(number), *words = sigdescr_np(number);
    snprintf(reason, LOOM_REASON_SIZE, "gnuplot crashed: signal %d, SIG%s (%s)", number,
             name ? name : "?", words ? words : "unknown");
}

static int spawn_failed(int reason, struct loom_error *err)
{
    if (reason == ENOMEM)
        return loom_fail_memory(err);
    if (reason == ENOENT)
        return loom_fail(err, LOOM_EIO,
                         "figures are drawn by gnuplot, which is not on the PATH; install it (on "
                         "Debian, the package gnuplot-nox)");
    return loom_fail_errno(err, reason, "run", "gnuplot");
}

static int start(pid_t *child, const struct batch *batch)
{
    char program[] = "gnuplot", defaults[] = "-d", script[32];
    snprintf(script, sizeof script, "/dev/fd/%d", batch->script);
    char *arguments[] = {program, defaults, script, NULL};
    posix_spawn_file_actions_t actions;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason)
        return reason;
    reason = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, batch->messages, 1);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, batch->messages, 2);
    /* A descriptor put onto itself is handed on under its number. */
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, batch->script, batch->script);
    for (size_t i = 0; i < batch->n && !reason; i++)
        reason = posix_spawn_file_actions_adddup2(&actions, batch->images[i], batch->images[i]);
    if (!reason)
        reason = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* Run gnuplot on a batch. Returns 0 also where gnuplot fails, with the reason, else an empty one.
 */
static int run_gnuplot(const struct batch *batch, char reason[LOOM_REASON_SIZE],
                       struct loom_error *err)
{
    pid_t child;
    int failure = start(&child, batch), status = 0;
    reason[0] = '\0';
    if (failure)
        return spawn_failed(failure, err);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return loom_fail_errno(err, errno, "wait for", "gnuplot");
    /* What a shell says where there is no such program, and so do some systems' posix_spawn. */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return spawn_failed(ENOENT, err);
    if (WIFSIGNALED(status))
        name_signal(WTERMSIG(status), reason);
    else if (WEXITSTATUS(status) != 0)
        return take_message(batch, reason, err);
    return 0;
}

/* Read the images; an empty one is a failure of gnuplot, with its reason. */
static int take_images(const struct batch *batch, char reason[LOOM_REASON_SIZE],
                       struct loom_error *err)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct loom_drawing *drawing = batch->drawings[i];
        drawing->image = take_bytes(batch->images[i], &drawing->image_size);
        if (!drawing->image)
            return loom_fail_memory(err);
        if (drawing->image_size == 0)
            return take_message(batch, reason, err);
    }
    return 0;
}

static void drop_images(const struct batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        free(batch->drawings[i]->image);
        batch->drawings[i]->image = NULL;
    }
}

/* Draw a batch by one process. Returns 0 also where gnuplot fails, with the reason and no image. */
static int draw_together(struct batch *batch, const struct loom_image_format *format,
                         char reason[LOOM_REASON_SIZE], struct loom_error *err)
{
    drop_images(batch);
    int rc = open_batch(batch, err);
    if (!rc)
        rc = write_script(batch, format, err);
    if (!rc)
        rc = run_gnuplot(batch, reason, err);
    if (!rc && !reason[0])
        rc = take_images(batch, reason, err);
    if (rc || reason[0])
        drop_images(batch);
    close_batch(batch);
    return rc;
}

/* ---- all figures ----------------------------------------------------------------------------- */

struct drawing_room {
    struct loom_drawing *drawings;
    size_t n, step;
    const struct loom_image_format *format;
};

static int draw_alone(struct loom_drawing *drawing, const struct loom_image_format *format,
                      struct loom_error *err)
{
    struct batch batch = {.drawings = {drawing}, .n = 1, .script = -1, .messages = -1};
    char reason[LOOM_REASON_SIZE] = "";
    int rc = draw_together(&batch, format, reason, err);
    if (!rc && reason[0])
        memcpy(drawing->failure, reason, sizeof reason);
    return rc;
}

static int draw_batch(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct drawing_room *room = context;
    struct batch batch = {.script = -1, .messages = -1};
    char reason[LOOM_REASON_SIZE] = "";
    (void)worker;
    for (size_t i = index; i < room->n && batch.n < MOST_AT_ONCE; i += room->step)
        if (room->drawings[i].data && room->drawings[i].ops->script)
            batch.drawings[batch.n++] = &room->drawings[i];
    if (batch.n == 0)
        return 0;
    int rc = draw_together(&batch, room->format, reason, err);
    for (size_t i = 0; i < batch.n && !rc && reason[0]; i++)
        rc = draw_alone(batch.drawings[i], room->format, err);
    return rc;
}

int loom_gnuplot_draw(struct loom_drawing *drawings, size_t n,
                      const struct loom_image_format *format, struct loom_pool *pool,
                      struct loom_error *err)
{
    size_t step = pool ? loom_pool_threads(pool) : 1;
    if (step < (n + MOST_AT_ONCE - 1) / MOST_AT_ONCE)
        step = (n + MOST_AT_ONCE - 1) / MOST_AT_ONCE;
    if (step > 8)
        step = 8;
    struct drawing_room room = {drawings, n, step, format};
    return loom_pool_for(pool, step, draw_batch, &room, err);
}
