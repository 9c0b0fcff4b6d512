import type {PendingChangeStore, StoredPendingChange} from '#state/account-store.ts';
import type {AccountFile} from './account-file.ts';
import type {Database} from './database.ts';
import {putAllValues} from './key-value-store.ts';
import type {ProcessRegistry} from './process-registry.ts';
import {pendingChangeFromRow} from './row-decoders.ts';

/** The store of pending changes, in the table `deed`. */
export function createPendingChangeStore(file: AccountFile, processes: ProcessRegistry): PendingChangeStore {
  return {
    add: (body, createdAt) => file.write((db) => insert(db, body, createdAt), 'soon'),
    addAll: (bodies, createdAt, keyValues) =>
      file.write((db) => {
        if (keyValues !== undefined) putAllValues(db, keyValues);
        return bodies.map((body) => insert(db, body, createdAt));
      }, 'soon'),
    all: () =>
      file.read((db) =>
        db.all('SELECT * FROM deed ORDER BY id').flatMap((row) => {
          const change = pendingChangeFromRow(row);
          return change === undefined ? [] : [change];
        }),
      ),
    // A change that reappears after a power cut is repeated, which is harmless.
    claim: (id) => file.write((db) => claim(db, processes, id), 'normal'),
    release: (id) =>
      file.write(
        (db) => void db.run('UPDATE deed SET owner = NULL WHERE id = ? AND owner = ?', id, processes.id),
        'normal',
      ),
    replace: ({id, body: before}, body, keyValues) =>
      file.write((db) => {
        const hasReplaced = db.run('UPDATE deed SET body = ? WHERE id = ? AND body = ?', body, id, before) > 0;
        if (hasReplaced && keyValues !== undefined) putAllValues(db, keyValues);
        return hasReplaced;
      }, 'soon'),
    remove: (id) => file.write((db) => void db.run('DELETE FROM deed WHERE id = ?', id), 'normal'),
  };
}

function insert(db: Database, body: string, createdAt: number): StoredPendingChange {
  const id = db.insert('INSERT INTO deed (body, created_at) VALUES (?, ?)', body, createdAt);
  return {id, body, createdAt};
}

function claim(db: Database, processes: ProcessRegistry, id: number): boolean {
  const change = db.first('SELECT owner FROM deed WHERE id = ?', id);
  if (change === undefined) return false;
  const {owner} = change;
  if (typeof owner === 'string' && !processes.isDead(db, owner)) return false;
  processes.register(db);
  db.run('UPDATE deed SET owner = ? WHERE id = ?', processes.id, id);
  return true;
}
