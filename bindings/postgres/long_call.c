/*
 * Runs calls with long texts in a thread, so that the query can be cancelled meanwhile. An error of PostgreSQL is a
 * longjmp, which must not cross frames of Rust, and a call of the library cannot be interrupted.
 *
 * The thread does not call PostgreSQL, whose functions are for one thread, and it does not receive signals. It reads
 * copies, because PostgreSQL frees the arguments of a cancelled query. A server process has at most one such thread.
 * After a cancelled call, the next long call waits for the end of the thread, so cancelled queries cannot pile up
 * work.
 */
#include "postgres.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "miscadmin.h"

#include "long_call.h"

/* The bytes of arguments from which a call runs in a thread. A shorter call ends within a fraction of a second. */
#define LONG (1 << 16)

/* The nanoseconds between two checks for cancellation. PostgreSQL's signal handlers only set a flag. */
#define LOOK 10000000L

typedef struct Work {
    urlid_call *call;
    urlid_value arguments[URLID_MOST_ARGUMENTS];
    size_t count;
    urlid_value result;
    urlid_code code;
    /* The query was cancelled, so the thread frees the work and the call. Read and written under the lock. */
    bool is_abandoned;
} Work;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_ended = PTHREAD_COND_INITIALIZER;
/* Written under the lock while a thread exists. */
static bool is_running = false;

static void free_work(Work *work) {
    for (size_t i = 0; i < work->count; i++) free((void *)work->arguments[i].bytes.data);
    free(work);
}

static void *work_in_thread(void *of) {
    Work *work = of;
    bool is_abandoned;

    work->code = urlid_call_run(work->call, work->arguments, work->count, &work->result);
    /* One critical section. The second of this function and abandon() to take the lock frees the work. */
    pthread_mutex_lock(&lock);
    is_abandoned = work->is_abandoned;
    if (is_abandoned) {
        urlid_call_free(work->call);
        free_work(work);
    }
    is_running = false;
    pthread_cond_signal(&has_ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Returns a call with copies of its arguments, or NULL without memory. Allocated by malloc, because memory of
   PostgreSQL ends with the query. */
static Work *new_work(urlid_call *call, const urlid_value *arguments, size_t count) {
    Work *work = calloc(1, sizeof(Work));

    if (work == NULL) return NULL;
    work->call = call;
    for (; work->count < count; work->count++) {
        urlid_value value = arguments[work->count];
        /* malloc(0) may return NULL. */
        void *copy = malloc(Max(value.bytes.length, 1));

        if (copy == NULL) {
            free_work(work);
            return NULL;
        }
        memcpy(copy, value.bytes.data, value.bytes.length);
        value.bytes.data = copy;
        work->arguments[work->count] = value;
    }
    return work;
}

static bool start(Work *work) {
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;

    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* A thread inherits the signal mask. With all signals blocked in it, PostgreSQL's handlers run only in the main
       thread. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* Set before the thread exists, which could otherwise set it to false first. */
    is_running = true;
    if (pthread_create(&thread, &attributes, work_in_thread, work) != 0) is_running = false;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_running;
}

/* Waits until no thread runs, or raises the error of a cancelled query. */
static void wait_for_thread(void) {
    for (;;) {
        struct timespec until;
        bool is_over;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_mutex_lock(&lock);
        if (is_running) pthread_cond_timedwait(&has_ended, &lock, &until);
        is_over = !is_running;
        pthread_mutex_unlock(&lock);
        if (is_over) return;
        /* It does not return if the query is cancelled, so the lock is released first. */
        CHECK_FOR_INTERRUPTS();
    }
}

/* Leaves work to its thread, or frees it if the thread has ended. */
static void abandon(Work *work) {
    bool is_over;

    pthread_mutex_lock(&lock);
    is_over = !is_running;
    work->is_abandoned = true;
    pthread_mutex_unlock(&lock);
    if (is_over) {
        urlid_call_free(work->call);
        free_work(work);
    }
}

urlid_code run_call(urlid_call **call, const urlid_value *arguments, size_t count, urlid_value *result) {
    size_t length = 0;
    Work *work;
    urlid_code code;

    for (size_t i = 0; i < count; i++) length += arguments[i].bytes.length;
    if (length < LONG) return urlid_call_run(*call, arguments, count, result);

    wait_for_thread();
    work = new_work(*call, arguments, count);
    if (work == NULL) ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
    if (!start(work)) {
        /* Without a thread the call cannot be cancelled, but it has a result. */
        free_work(work);
        return urlid_call_run(*call, arguments, count, result);
    }
    PG_TRY();
    {
        wait_for_thread();
    }
    PG_CATCH();
    {
        abandon(work);
        /* The call now belongs to the thread. The next row of this expression makes a new one. */
        *call = NULL;
        PG_RE_THROW();
    }
    PG_END_TRY();
    *result = work->result;
    code = work->code;
    free_work(work);
    return code;
}
