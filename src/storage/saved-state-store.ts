import {promisify} from 'node:util';
import {constants, crc32, zstdCompress, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import type {SavedStatePart, SavedStateStore} from '#state/account-store.ts';
import type {AccountFile} from './account-file.ts';
import type {StoredRow} from './database.ts';
import {isString} from './row-decoders.ts';
import type {LogFunction} from './store-failures.ts';

/** Below this size compression is not worthwhile. */
const minCompressedSize = 16 * 1024;

/** The fastest level compresses well: 20 MB of users take about 50 ms each way and a tenth of the space. */
const fastLevel = {params: {[constants.ZSTD_c_compressionLevel]: 1}};

const compress = promisify(zstdCompress);

/** The store of the saved state, in the table `snapshot`. */
export function createSavedStateStore(file: AccountFile, log: LogFunction): SavedStateStore {
  return {
    async pack(json) {
      return json.length < minCompressedSize ? plain(json) : part('zstd', await compress(json, fastLevel));
    },
    packNow: (json) =>
      json.length < minCompressedSize ? plain(json) : part('zstd', zstdCompressSync(json, fastLevel)),
    save(parts, savedAt) {
      file.tryWrite('Saving the state', (db) => {
        db.run('DELETE FROM snapshot');
        for (const [name, {codec, checksum, body}] of parts) {
          db.run(
            'INSERT INTO snapshot (name, codec, checksum, saved_at, body) VALUES (?, ?, ?, ?, ?)',
            name,
            codec,
            checksum,
            savedAt,
            body,
          );
        }
      });
    },
    load() {
      const rows = file.tryRead('Loading the state', [], (db) => db.all('SELECT * FROM snapshot'));
      const savedAt = rows[0]?.saved_at;
      if (typeof savedAt !== 'number') return undefined;
      const parts = new Map<string, string>();
      for (const row of rows) {
        const text = unpack(row);
        if (!isString(row.name) || text === undefined) {
          log(`The part ${String(row.name)} of the saved state is damaged; the saved state is not used`);
          return undefined;
        }
        parts.set(row.name, text);
      }
      return {parts: Object.fromEntries(parts), savedAt};
    },
  };
}

function plain(json: Uint8Array): SavedStatePart {
  return part('plain', json);
}

function part(codec: SavedStatePart['codec'], body: Uint8Array): SavedStatePart {
  return {codec, checksum: crc32(body), body};
}

function unpack(row: StoredRow): string | undefined {
  const {codec, checksum, body} = row;
  if (!(body instanceof Uint8Array) || crc32(body) !== checksum) return undefined;
  try {
    if (codec === 'plain') return Buffer.from(body).toString();
    return codec === 'zstd' ? zstdDecompressSync(body).toString() : undefined;
  } catch {
    return undefined;
  }
}
