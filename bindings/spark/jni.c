/*
 * The library for C under the names that Java calls. What is called for rows takes addresses and numbers, so that nothing is copied on the
 * way and no Java object is held. Native.java says what each function takes.
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

NATIVE(jlong, newKeys)(JNIEnv *env, jclass class) {
    urlid_dataset_keys *keys = NULL;
    return urlid_dataset_keys_new(&keys) == URLID_OK ? (jlong)(intptr_t)keys : 0;
}

NATIVE(void, freeKeys)(JNIEnv *env, jclass class, jlong keys) { urlid_dataset_keys_free(at(keys)); }

NATIVE(jint, keysOfColumn)
(JNIEnv *env, jclass class, jlong keys, jlong data, jlong length, jlong offsets, jint count, jlongArray result) {
    urlid_dataset_key_column made;
    urlid_code code;
    if (length < 0 || count < 0) return URLID_MISUSE;
    code = urlid_dataset_keys_of_column(at(keys), at(data), (size_t)length, at(offsets), (size_t)count, &made);
    if (code == URLID_OK) {
        jlong addresses[] = {(jlong)(intptr_t)made.data, (jlong)(intptr_t)made.offsets};
        (*env)->SetLongArrayRegion(env, result, 0, 2, addresses);
    }
    return code;
}

NATIVE(jlong, newBuilder)(JNIEnv *env, jclass class) {
    urlid_dataset_builder *builder = NULL;
    return urlid_dataset_builder_new(&builder) == URLID_OK ? (jlong)(intptr_t)builder : 0;
}

NATIVE(void, freeBuilder)(JNIEnv *env, jclass class, jlong builder) { urlid_dataset_builder_free(at(builder)); }

NATIVE(jint, beginDataset)(JNIEnv *env, jclass class, jlong builder, jbyteArray path, jlong memory) {
    jbyte *bytes = (*env)->GetByteArrayElements(env, path, NULL);
    urlid_code code;
    if (bytes == NULL) return URLID_MISUSE;
    urlid_bytes text = {(const uint8_t *)bytes, (size_t)(*env)->GetArrayLength(env, path)};
    code = urlid_dataset_builder_begin(at(builder), text, (uint64_t)memory);
    (*env)->ReleaseByteArrayElements(env, path, bytes, JNI_ABORT);
    return code;
}

NATIVE(jint, addColumn)(JNIEnv *env, jclass class, jlong builder, jlong data, jlong length, jlong offsets, jint count) {
    if (length < 0 || count < 0) return URLID_MISUSE;
    return urlid_dataset_builder_push_column(at(builder), at(data), (size_t)length, at(offsets), (size_t)count);
}

NATIVE(jint, finishDataset)(JNIEnv *env, jclass class, jlong builder, jlongArray counts) {
    urlid_dataset_counts built;
    urlid_code code = urlid_dataset_builder_finish(at(builder), &built);
    if (code == URLID_OK) {
        jlong numbers[] = {(jlong)built.lines, (jlong)built.blank, (jlong)built.refused,
                           (jlong)built.taken, (jlong)built.rows,  (jlong)built.bytes};
        (*env)->SetLongArrayRegion(env, counts, 0, 6, numbers);
    }
    return code;
}

NATIVE(jbyteArray, builderMessage)(JNIEnv *env, jclass class, jlong builder) {
    return to_java(env, urlid_dataset_builder_message(at(builder)));
}

NATIVE(jlong, newJoin)(JNIEnv *env, jclass class) {
    urlid_dataset_join *join = NULL;
    return urlid_dataset_join_new(&join) == URLID_OK ? (jlong)(intptr_t)join : 0;
}

NATIVE(void, freeJoin)(JNIEnv *env, jclass class, jlong join) { urlid_dataset_join_free(at(join)); }

NATIVE(jint, addDescription)(JNIEnv *env, jclass class, jlong join, jbyteArray description) {
    jbyte *bytes = (*env)->GetByteArrayElements(env, description, NULL);
    urlid_code code;
    if (bytes == NULL) return URLID_MISUSE;
    urlid_bytes text = {(const uint8_t *)bytes, (size_t)(*env)->GetArrayLength(env, description)};
    code = urlid_dataset_join_add(at(join), text);
    (*env)->ReleaseByteArrayElements(env, description, bytes, JNI_ABORT);
    return code;
}

NATIVE(jint, join)(JNIEnv *env, jclass class, jlong join) { return urlid_dataset_join_run(at(join)); }

NATIVE(jbyteArray, joinText)(JNIEnv *env, jclass class, jlong join) { return to_java(env, urlid_dataset_join_text(at(join))); }
