// Which of these keys are new, by RocksDB: `seen_rocksdb FOLDER KEYS LINES BATCH` prints microseconds of CPU a line, and bytes a key on disk.
//
// `bench seen` runs it beside urlid's own store: c++ -O2 -o seen_rocksdb dev/bench/seen_rocksdb.cc -lrocksdb
// Keys have 16 bytes and no values, filters ten bits a key; each batch is looked up at once and written at once, synced.
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

using namespace rocksdb;

// As `urlid_generators::mix`.
static uint64_t mix(uint64_t n) {
    n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9;
    n = (n ^ n >> 27) * 0x94D049BB133111EB;
    return n ^ n >> 31;
}

static std::string key(uint64_t number) {
    const uint64_t halves[2] = {__builtin_bswap64(mix(number)), __builtin_bswap64(mix(number + (1ull << 40)))};
    return std::string(reinterpret_cast<const char *>(halves), 16);
}

static void check(const Status &status) {
    if (!status.ok()) fprintf(stderr, "%s\n", status.ToString().c_str()), exit(1);
}

static void write(DB *db, const std::vector<std::string> &keys, bool sync) {
    WriteBatch batch;
    for (auto &one : keys) check(batch.Put(one, ""));
    WriteOptions how;
    how.sync = sync;
    check(db->Write(how, &batch));
}

int main(int, char **arguments) {
    const uint64_t before = atoll(arguments[2]), lines = atoll(arguments[3]), size = atoll(arguments[4]);
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    Options options;
    options.create_if_missing = true;
    options.max_background_jobs = 2;
    options.table_factory.reset(NewBlockBasedTableFactory(table));
    DB *db;
    check(DB::Open(options, arguments[1], &db));
    std::vector<std::string> keys;
    for (uint64_t start = 0; start < before; start += 100'000) {
        keys.clear();
        for (uint64_t n = start; n < std::min(before, start + 100'000); n++) keys.push_back(key(n));
        write(db, keys, false);
    }
    uint64_t next = before, random = 7, found_new = 0;
    const clock_t begun = clock();
    for (uint64_t batch = 0; batch < lines / size; batch++) {
        keys.clear();
        for (uint64_t n = 0; n < size; n++) keys.push_back(key(n % 2 == 0 ? next++ : (random = mix(random)) % before));
        std::vector<std::string> values, fresh;
        const auto known = db->MultiGet(ReadOptions(), std::vector<Slice>(keys.begin(), keys.end()), &values);
        for (size_t n = 0; n < keys.size(); n++)
            if (known[n].IsNotFound()) fresh.push_back(keys[n]);
            else check(known[n]);
        write(db, fresh, true);
        found_new += fresh.size();
    }
    check(db->Close());
    const double cpu = double(clock() - begun) / CLOCKS_PER_SEC;
    if (found_new != lines / size * ((size + 1) / 2)) return fprintf(stderr, "%lu keys were new\n", found_new), 1;
    delete db;
    check(DB::Open(options, arguments[1], &db));
    check(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
    check(db->Close());
    uint64_t stored = 0;
    for (auto &file : std::filesystem::directory_iterator(arguments[1])) stored += file.file_size();
    printf("%f %f RocksDB %d.%d.%d\n", cpu / lines * 1e6, double(stored) / next, ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH);
}
