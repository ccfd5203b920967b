/*
 * Calls that can be cancelled.
 */
#ifndef URLID_LONG_CALL_H
#define URLID_LONG_CALL_H

#include <urlid.h>

/*
 * Runs a call as urlid_call_run does. If the query is cancelled meanwhile, the error of PostgreSQL is raised and `*call` is NULL: what
 * still runs owns the call.
 */
urlid_code run_call(urlid_call **call, const urlid_value *arguments, size_t count, urlid_value *result);

#endif
