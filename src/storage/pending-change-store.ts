import type {PendingChangeStore, StoredPendingChange} from '#state/account-store.ts';
import type {AccountFile} from './account-file.ts';
import type {Database} from './database.ts';
import {putAllValues} from './key-value-store.ts';
import type {ProcessRegistry} from './process-registry.ts';
import {pendingChangeFromRow} from './row-decoders.ts';

export function createPendingChangeStore(file: AccountFile, sessions: ProcessRegistry): PendingChangeStore {
  return {
    add: (body, createdAt) => file.write((db) => insert(db, body, createdAt)),
    addAll: (bodies, createdAt, notes) =>
      file.write((db) => {
        if (notes !== undefined) putAllValues(db, notes);
        return bodies.map((body) => insert(db, body, createdAt));
      }),
    all: () =>
      file.read((db) =>
        db.all('SELECT * FROM deed ORDER BY id').flatMap((row) => {
          const deed = pendingChangeFromRow(row);
          return deed === undefined ? [] : [deed];
        }),
      ),
    // A deed that comes back after a power cut is done once more, which does no harm: only adding one waits for the disk.
    claim: (id) => file.write((db) => claim(db, sessions, id), 'normal'),
    release: (id) =>
      file.write(
        (db) => void db.run('UPDATE deed SET owner = NULL WHERE id = ? AND owner = ?', id, sessions.id),
        'normal',
      ),
    replace: ({id, body: before}, body, notes) =>
      file.write((db) => {
        const isIt = db.run('UPDATE deed SET body = ? WHERE id = ? AND body = ?', body, id, before) > 0;
        if (isIt && notes !== undefined) putAllValues(db, notes);
        return isIt;
      }),
    remove: (id) => file.write((db) => void db.run('DELETE FROM deed WHERE id = ?', id), 'normal'),
  };
}

function insert(db: Database, body: string, createdAt: number): StoredPendingChange {
  const id = db.insert('INSERT INTO deed (body, created_at) VALUES (?, ?)', body, createdAt);
  return {id, body, createdAt};
}

function claim(db: Database, sessions: ProcessRegistry, id: number): boolean {
  const deed = db.first('SELECT owner FROM deed WHERE id = ?', id);
  if (deed === undefined) return false;
  const {owner} = deed;
  if (typeof owner === 'string' && !sessions.isDead(db, owner)) return false;
  sessions.register(db);
  db.run('UPDATE deed SET owner = ? WHERE id = ?', sessions.id, id);
  return true;
}
