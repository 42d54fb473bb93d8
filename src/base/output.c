/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.c - buffered output that is whole or not there.
 *
 * A regular file is written as .NAME.XXXXXX beside its final name and renamed over it at commit,
 * after its bytes have reached the disk. The directory is held open, so neither a change of the
 * working directory nor a renamed parent comes between. A symbolic link is followed and stays a
 * link; a file that is replaced hands its permissions on, and one that may not be written is not
 * replaced. What cannot be renamed (devices, pipes, stdout) is written in place.
 *
 * The first failure stays: every later call reports it again, and commit refuses, so that a caller
 * may look at the end only and still never gets half a file under the final name.
 */
#include "base/output.h"

#include "base/error.h"
#include "base/gzip.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER_BYTES = 128 * 1024,
    SUFFIX_LENGTH = 20,                         /* numbers of process and attempt */
    STEM_LENGTH = NAME_MAX - SUFFIX_LENGTH - 2, /* a long name is cut to leave room for the rest */
    MAX_LINKS = 40,                             /* as the kernel */
    MAX_ATTEMPTS = 100,
};

struct loom_output {
    int fd;
    bool borrowed; /* fd is the process's own stdout or stderr: never closed here */
    bool finished; /* all bytes have reached the disk */
    bool committed;
    bool probing;            /* only to see whether it could be opened */
    char *name;              /* for people */
    char *base;              /* final name inside dir_fd; NULL if written in place */
    int dir_fd;              /* -1 if written in place */
    bool dir_readable;       /* dir_fd can be synced */
    bool is_new;             /* there was no file of that name */
    char temp[NAME_MAX + 1]; /* inside dir_fd; empty if there is no temporary file */
    struct loom_slot *slot;  /* NULL if the table was full */
    int failed;              /* code of the first failure, 0 if none */
    struct loom_error failure;
    struct loom_gzip *gzip; /* NULL if written as it is */
    bool packed_some;       /* at least one gzip member is written */
    size_t used;
    char buffer[BUFFER_BYTES];
};

/* ---- opening --------------------------------------------------------------------------------- */

/* What the symbolic link at path points to, as a path that can be opened; NULL with errno if path
 * is no link (EINVAL), does not exist, or memory is out. */
static char *read_link(const char *path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text);
    if (length < 0)
        return NULL;
    if ((size_t)length == sizeof text) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    text[length] = '\0';
    const char *slash = strrchr(path, '/');
    size_t dir_length = text[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
    size_t size = dir_length + (size_t)length + 1;
    char *target = malloc(size);
    if (!target)
        return NULL;
    memcpy(target, path, dir_length);
    memcpy(target + dir_length, text, (size_t)length + 1);
    return target;
}

/* The path at the end of a chain of links, whether it exists or not. NULL with errno on failure. */
static char *follow_links(const char *path)
{
    char *at = strdup(path);
    for (int links = 0; at && links < MAX_LINKS; links++) {
        char *next = read_link(at);
        if (!next && (errno == EINVAL || errno == ENOENT))
            return at;
        int saved = errno;
        free(at);
        at = next;
        errno = saved;
    }
    if (at)
        errno = ELOOP;
    free(at);
    return NULL;
}

/* Create the temporary file; 0 or an errno. Its name is armed before it exists, so that a signal
 * just after cannot leave it behind. */
static int create_temp(struct loom_output *out, mode_t mode)
{
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        snprintf(out->temp, sizeof out->temp, ".%.*s.%d-%u", STEM_LENGTH, out->base, (int)getpid(),
                 attempt);
        out->slot = loom_slot_claim(out->dir_fd, out->temp, NULL);
        out->fd = openat(out->dir_fd, out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (out->fd >= 0)
            return 0;
        int reason = errno;
        loom_slot_release(out->slot);
        out->slot = NULL;
        out->temp[0] = '\0';
        if (reason != EEXIST && reason != EINTR)
            return reason;
    }
    return EEXIST;
}

/* Take over owner and permissions of the file to be replaced, as far as the system lets us. The
 * file was created with no more than these permissions, so a refusal opens nothing. */
static void inherit(int fd, const struct stat *old)
{
    struct stat own;
    if (fstat(fd, &own) != 0)
        return;
    bool same_owner = own.st_uid == old->st_uid && own.st_gid == old->st_gid;
    if (!same_owner && fchown(fd, old->st_uid, old->st_gid) != 0 &&
        fchown(fd, (uid_t)-1, old->st_gid) != 0)
        return;
    (void)fchmod(fd, old->st_mode & 0777);
}

/* Hold the directory of target open; 0 or an errno. */
static int open_directory(struct loom_output *out, const char *target)
{
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    if (!*base)
        return *target ? EISDIR : ENOENT;
    out->base = strdup(base);
    char *dir = slash ? strndup(target, (size_t)(slash - target) + 1) : strdup(".");
    if (!out->base || !dir) {
        free(dir);
        return ENOMEM;
    }
    out->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    out->dir_readable = out->dir_fd >= 0;
    if (out->dir_fd < 0 && errno == EACCES)
        out->dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int reason = out->dir_fd < 0 ? errno : 0;
    free(dir);
    return reason;
}

/* old: the file to be replaced, NULL if there is none. 0 or an errno. */
static int open_regular(struct loom_output *out, const char *target, const struct stat *old)
{
    int reason = open_directory(out, target);
    if (reason != 0)
        return reason;
    if (old && faccessat(out->dir_fd, out->base, W_OK, AT_EACCESS) != 0)
        return errno;
    out->is_new = !old;
    reason = create_temp(out, old ? old->st_mode & 0777 : 0666);
    if (reason == 0 && old)
        inherit(out->fd, old);
    return reason;
}

/* To open a pipe would be noticed at its other end, and what is truncated is lost. */
static int open_in_place(struct loom_output *out, const char *path)
{
    if (out->probing)
        return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? 0 : errno;
    do
        out->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    while (out->fd < 0 && errno == EINTR);
    return out->fd < 0 ? errno : 0;
}

static bool is_same_file(const char *path, const struct stat *other)
{
    struct stat own;
    return stat(path, &own) == 0 && own.st_dev == other->st_dev && own.st_ino == other->st_ino;
}

/* 0 or an errno. The links of /proc do not say what they lead to: if following them by name ends at
 * another file, the path itself is opened and written in place. */
static int open_path(struct loom_output *out, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT)
        return errno;
    if (exists && S_ISDIR(old.st_mode))
        return EISDIR;
    if (exists && !S_ISREG(old.st_mode))
        return open_in_place(out, path);
    char *target = follow_links(path);
    if (!target)
        return errno;
    int reason = exists && !is_same_file(target, &old)
                     ? open_in_place(out, path)
                     : open_regular(out, target, exists ? &old : NULL);
    free(target);
    return reason;
}

static int open_output(struct loom_output **out, const char *path, bool probing,
                       struct loom_error *err)
{
    *out = NULL;
    if (!path || !*path)
        return loom_fail(err, LOOM_EUSAGE, "the name of an output is empty; '-' is stdout");
    struct loom_output *output = malloc(sizeof *output);
    if (!output)
        return loom_fail_memory(err);
    memset(output, 0, offsetof(struct loom_output, buffer));
    output->dir_fd = -1;
    output->probing = probing;
    bool standard = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    output->fd = standard ? STDOUT_FILENO : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO : -1;
    output->borrowed = output->fd >= 0;
    output->name = strdup(strcmp(path, "-") == 0 ? "<stdout>" : path);
    int reason = !output->name ? ENOMEM : output->borrowed ? 0 : open_path(output, path);
    if (reason != 0) {
        loom_output_destroy(output);
        return reason == ENOMEM ? loom_fail_memory(err)
                                : loom_fail_errno(err, reason, "open for writing", path);
    }
    *out = output;
    return 0;
}

int loom_output_create(struct loom_output **out, const char *path, struct loom_error *err)
{
    return open_output(out, path, false, err);
}

int loom_output_check(const char *path, struct loom_error *err)
{
    struct loom_output *probe = NULL;
    int rc = open_output(&probe, path, true, err);
    loom_output_destroy(probe);
    return rc;
}

/* What is not there yet could be made if a file could. */
int loom_output_check_directory(const char *path, struct loom_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return loom_output_check(path, err);
    int reason = !S_ISDIR(info.st_mode)                                    ? ENOTDIR
                 : faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) != 0 ? errno
                                                                           : 0;
    return reason ? loom_fail_errno(err, reason, "write into the directory", path) : 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int repeat_failure(const struct loom_output *out, struct loom_error *err)
{
    if (err)
        *err = out->failure;
    return out->failed;
}

static int give_up(struct loom_output *out, int reason, const char *doing, struct loom_error *err)
{
    out->failed = loom_fail_errno(&out->failure, reason, doing, out->name);
    return repeat_failure(out, err);
}

/* Wait for a descriptor that another process has made non-blocking. */
static void wait_until_writable(int fd)
{
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    poll(&waiting, 1, -1);
}

static int write_bytes(struct loom_output *out, const char *data, size_t size,
                       struct loom_error *err)
{
    while (size > 0) {
        ssize_t written = write(out->fd, data, size);
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        } else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            wait_until_writable(out->fd);
        } else if (written == 0 || errno != EINTR) {
            return give_up(out, written == 0 ? EIO : errno, "write", err);
        }
    }
    return 0;
}

static int write_through(struct loom_output *out, const char *data, size_t size,
                         struct loom_error *err)
{
    if (out->gzip) {
        if (loom_gzip_pack(out->gzip, data, size, &data, &size))
            return give_up(out, ENOMEM, "pack", err);
        out->packed_some = true;
    }
    return write_bytes(out, data, size, err);
}

static int flush(struct loom_output *out, struct loom_error *err)
{
    size_t size = out->used;
    out->used = 0;
    return size > 0 ? write_through(out, out->buffer, size, err) : 0;
}

/* 0 if out can take more. */
static int check_open(struct loom_output *out, struct loom_error *err)
{
    if (out->failed != 0)
        return repeat_failure(out, err);
    if (out->finished)
        return loom_fail_at(err, LOOM_EUSAGE, out->name, 0, 0,
                            "cannot write: the output was completed before");
    return 0;
}

int loom_output_write(struct loom_output *out, const void *data, size_t size,
                      struct loom_error *err)
{
    int code = check_open(out, err);
    if (code != 0 || size == 0)
        return code;
    if (size > BUFFER_BYTES - out->used) {
        code = flush(out, err);
        if (code != 0)
            return code;
    }
    if (size >= BUFFER_BYTES)
        return write_through(out, data, size, err);
    memcpy(out->buffer + out->used, data, size);
    out->used += size;
    return 0;
}

/* A text of `length` bytes that did not fit into the rest of the buffer. */
LOOM_PRINTF(4, 0)
static int print_long(struct loom_output *out, size_t length, struct loom_error *err,
                      const char *format, va_list args)
{
    char *text = malloc(length + 1);
    if (!text)
        return give_up(out, ENOMEM, "write", err);
    int made = vsnprintf(text, length + 1, format, args);
    int code = made < 0 ? give_up(out, errno, "write", err)
                        : loom_output_write(out, text, (size_t)made, err);
    free(text);
    return code;
}

int loom_output_printf(struct loom_output *out, struct loom_error *err, const char *format, ...)
{
    int code = check_open(out, err);
    if (code != 0)
        return code;
    size_t room = BUFFER_BYTES - out->used;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(out->buffer + out->used, room, format, args);
    if (length < 0)
        code = give_up(out, errno, "write", err);
    else if ((size_t)length < room)
        out->used += (size_t)length;
    else
        code = print_long(out, (size_t)length, err, format, again);
    va_end(again);
    va_end(args);
    return code;
}

int loom_output_gzip(struct loom_output *out, struct loom_error *err)
{
    int code = check_open(out, err);
    if (code == 0)
        code = flush(out, err);
    if (code != 0 || out->gzip)
        return code;
    out->gzip = loom_gzip_create();
    return out->gzip ? 0 : give_up(out, ENOMEM, "pack", err);
}

const char *loom_output_name(const struct loom_output *out)
{
    return out->name;
}

bool loom_output_same_file(const struct loom_output *a, const struct loom_output *b)
{
    struct stat one, other;
    return a->base && b->base && strcmp(a->base, b->base) == 0 && fstat(a->dir_fd, &one) == 0 &&
           fstat(b->dir_fd, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Some file systems have no sync to offer, and say so. */
static bool sync_descriptor(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

int loom_output_finish(struct loom_output *out, struct loom_error *err)
{
    if (out->finished && !out->committed)
        return out->failed ? repeat_failure(out, err) : 0;
    int code = check_open(out, err), fd = out->fd;
    if (code == 0)
        code = flush(out, err);
    if (code == 0 && out->gzip && !out->packed_some)
        code = write_through(out, "", 0, err); /* an empty member: no bytes are no gzip file */
    if (code != 0)
        return code;
    if (out->temp[0] && !sync_descriptor(fd))
        return give_up(out, errno, "write", err);
    if (!out->borrowed) {
        out->fd = -1; /* Linux closes it even if it reports an interruption */
        if (close(fd) != 0 && errno != EINTR)
            return give_up(out, errno, "write", err);
    }
    out->finished = true;
    return 0;
}

/* The file is whole and in place once it is renamed. */
static int put_in_place(struct loom_output *out, struct loom_error *err)
{
    if (out->temp[0] && renameat(out->dir_fd, out->temp, out->dir_fd, out->base) != 0)
        return give_up(out, errno, "move the finished file into place", err);
    out->temp[0] = '\0';
    loom_slot_release(out->slot);
    out->slot = NULL;
    out->committed = true;
    return 0;
}

/* Remove the files that were not there before, if the set cannot be complete. */
static void take_back(struct loom_output *out)
{
    if (out->base && out->is_new)
        unlinkat(out->dir_fd, out->base, 0);
}

/* A signal that ends the program waits until all names are there. Syncing its directory makes a new
 * name survive a power cut; where that is refused, there is nothing to undo and nothing to report.
 */
int loom_output_commit_all(struct loom_output *const *outs, size_t n, struct loom_error *err)
{
    sigset_t before;
    size_t done = 0;
    int code = 0;
    for (size_t i = 0; i < n && code == 0; i++)
        code = loom_output_finish(outs[i], err);
    if (code != 0)
        return code;
    loom_signals_hold(&before);
    while (done < n && (code = put_in_place(outs[done], err)) == 0)
        done++;
    while (code != 0 && done > 0)
        take_back(outs[--done]);
    loom_signals_release(&before);
    for (size_t i = 0; i < n && code == 0; i++)
        if (outs[i]->dir_readable)
            (void)sync_descriptor(outs[i]->dir_fd);
    return code;
}

int loom_output_commit(struct loom_output *out, struct loom_error *err)
{
    return loom_output_commit_all(&out, 1, err);
}

void loom_output_destroy(struct loom_output *out)
{
    if (!out)
        return;
    int saved = errno;
    if (out->temp[0])
        unlinkat(out->dir_fd, out->temp, 0);
    loom_slot_release(out->slot);
    if (out->fd >= 0 && !out->borrowed)
        close(out->fd);
    if (out->dir_fd >= 0)
        close(out->dir_fd);
    if (out->gzip)
        loom_gzip_destroy(out->gzip);
    free(out->base);
    free(out->name);
    free(out);
    errno = saved;
}
