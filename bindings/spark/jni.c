/*
 * The library for C under the names that Java calls. Functions that are called for rows have addresses and numbers as
 * parameters, so that nothing is copied on the way and no Java object is held. Native.java documents the parameters.
 */
#include <jni.h>
#include <stddef.h>
#include <stdio.h>
#include <urlid.h>

/* Call.java and Encoder.java write and read memory of this layout. */
_Static_assert(sizeof(void *) == 8 && sizeof(urlid_value) == 32, "the layout of values in Call.java");
_Static_assert(offsetof(urlid_value, kind) == 0 && offsetof(urlid_value, integer) == 8, "the layout of values in Call.java");
_Static_assert(offsetof(urlid_value, bytes.data) == 16 && offsetof(urlid_value, bytes.length) == 24, "the layout of values in Call.java");

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_urlid_spark_Native_##name

static void *at(jlong address) { return (void *)(intptr_t)address; }

static jbyteArray to_java(JNIEnv *env, urlid_bytes bytes) {
    jbyteArray array = (*env)->NewByteArray(env, (jsize)bytes.length);
    if (array != NULL) (*env)->SetByteArrayRegion(env, array, 0, (jsize)bytes.length, (const jbyte *)bytes.data);
    return array;
}

NATIVE(jstring, describe)(JNIEnv *env, jclass class, jint number) {
    urlid_function function;
    char text[1024];
    int end;
    if (number < 0 || urlid_function_at((size_t)number, &function) != URLID_OK) return NULL;
    end = snprintf(text, sizeof text, "%.*s %d", (int)function.name.length, (const char *)function.name.data, (int)function.result);
    for (size_t i = 0; i < function.argument_count && (size_t)end < sizeof text; i++)
        end += snprintf(text + end, sizeof text - (size_t)end, " %d", (int)function.arguments[i].kind);
    return (*env)->NewStringUTF(env, text);
}

NATIVE(jbyteArray, about)(JNIEnv *env, jclass class, jint number) {
    urlid_function function;
    if (number < 0 || urlid_function_at((size_t)number, &function) != URLID_OK) return NULL;
    return to_java(env, function.about);
}

NATIVE(jbyteArray, codeText)(JNIEnv *env, jclass class, jint code) { return to_java(env, urlid_code_text(code)); }

NATIVE(jlong, newEncoder)(JNIEnv *env, jclass class, jint identifier) {
    urlid_encoder *encoder = NULL;
    return urlid_encoder_new(identifier, &encoder) == URLID_OK ? (jlong)(intptr_t)encoder : 0;
}

NATIVE(void, freeEncoder)(JNIEnv *env, jclass class, jlong encoder) { urlid_encoder_free(at(encoder)); }

NATIVE(jint, encodeColumn)
(JNIEnv *env, jclass class, jlong encoder, jlong data, jlong length, jlong offsets, jint count, jlong ids, jlong codes) {
    if (length < 0 || count < 0) return URLID_MISUSE;
    return urlid_encoder_encode_column(at(encoder), at(data), (size_t)length, at(offsets), (size_t)count, at(ids), at(codes));
}

NATIVE(jlong, newCall)(JNIEnv *env, jclass class, jlong name, jint length) {
    urlid_call *call = NULL;
    urlid_bytes text = {at(name), (size_t)length};
    return length >= 0 && urlid_call_new(text, &call) == URLID_OK ? (jlong)(intptr_t)call : 0;
}

NATIVE(void, freeCall)(JNIEnv *env, jclass class, jlong call) { urlid_call_free(at(call)); }

NATIVE(jint, run)(JNIEnv *env, jclass class, jlong call, jlong arguments, jint count, jlong result) {
    return count < 0 ? URLID_MISUSE : urlid_call_run(at(call), at(arguments), (size_t)count, at(result));
}

NATIVE(jbyteArray, message)(JNIEnv *env, jclass class, jlong call) { return to_java(env, urlid_call_message(at(call))); }
