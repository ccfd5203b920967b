/*
 * Calls that can be cancelled.
 */
#ifndef URLID_LONG_CALL_H
#define URLID_LONG_CALL_H

#include <urlid.h>

/*
 * Runs a call like urlid_call_run. If the query is cancelled meanwhile, raises PostgreSQL's error and sets `*call` to
 * NULL. The thread, which still runs, then owns the call.
 */
urlid_code run_call(urlid_call **call, const urlid_value *arguments, size_t count, urlid_value *result);

#endif
