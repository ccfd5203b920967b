// A file system for SQLite that has one file, which is read in place and never written.

/** The name under which a database is opened: `file:/index?vfs=…`. */
export const VFS = "one-file";

/** Registers the file system. */
export function installVfs(sqlite3, source) {
  const { capi, wasm } = sqlite3;
  const io = new capi.sqlite3_io_methods();
  io.$iVersion = 1;
  const vfs = new capi.sqlite3_vfs();
  vfs.$iVersion = 1;
  vfs.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  vfs.$mxPathname = 64;

  const ok = () => capi.SQLITE_OK;
  const readOnly = () => capi.SQLITE_READONLY;
  const put32 = (place, value) => {
    wasm.poke32(place, value);
    return capi.SQLITE_OK;
  };

  sqlite3.vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose: ok,
        xRead(_file, place, length, offset) {
          const start = Number(place);
          try {
            // The heap is asked for each time: memory that has grown is in another buffer.
            const isWhole = source.read(Number(offset), wasm.heap8u().subarray(start, start + length));
            return isWhole ? capi.SQLITE_OK : capi.SQLITE_IOERR_SHORT_READ;
          } catch {
            // The file changed or went away: the browser refuses to read it.
            return capi.SQLITE_IOERR_READ;
          }
        },
        xWrite: readOnly,
        xTruncate: readOnly,
        xSync: ok,
        xFileSize(_file, place) {
          wasm.poke64(place, BigInt(source.size));
          return capi.SQLITE_OK;
        },
        xLock: ok,
        xUnlock: ok,
        xCheckReservedLock: (_file, place) => put32(place, 0),
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => 4096,
        // SQLite then takes no locks, and looks for no journal.
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE,
      },
    },
    vfs: {
      struct: vfs,
      name: VFS,
      methods: {
        xOpen(_vfs, name, file, flags, outFlags) {
          // Journals and temporary files: none are needed to read.
          if (!(flags & capi.SQLITE_OPEN_MAIN_DB)) return capi.SQLITE_CANTOPEN;
          new capi.sqlite3_file(file).$pMethods = io.pointer;
          return outFlags ? put32(outFlags, flags) : capi.SQLITE_OK;
        },
        xDelete: readOnly,
        xAccess: (_vfs, _name, _flags, out) => put32(out, 0),
        xFullPathname: (_vfs, name, size, out) => (wasm.cstrncpy(out, name, size) < size ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN),
        xRandomness: (_vfs, size) => size,
        xSleep: () => 0,
        xCurrentTime(_vfs, out) {
          wasm.poke(out, 0, "double");
          return capi.SQLITE_OK;
        },
        xGetLastError: ok,
      },
    },
  });
}
