import type {Deed, DeedStore} from '#state/account-store.ts';
import type {AccountFile} from './account-file.ts';
import type {Database} from './database.ts';
import {putAll} from './key-value-store.ts';
import type {Sessions} from './process-registry.ts';
import {deedOf} from './row-decoders.ts';

export function deedsIn(file: AccountFile, sessions: Sessions): DeedStore {
  return {
    add: (body, createdAt) => file.change((db) => insert(db, body, createdAt)),
    addAll: (bodies, createdAt, notes) =>
      file.change((db) => {
        if (notes !== undefined) putAll(db, notes);
        return bodies.map((body) => insert(db, body, createdAt));
      }),
    all: () =>
      file.read((db) =>
        db.all('SELECT * FROM deed ORDER BY id').flatMap((row) => {
          const deed = deedOf(row);
          return deed === undefined ? [] : [deed];
        }),
      ),
    // A deed that comes back after a power cut is done once more, which does no harm: only adding one waits for the disk.
    claim: (id) => file.change((db) => claim(db, sessions, id), 'normal'),
    release: (id) =>
      file.change(
        (db) => void db.run('UPDATE deed SET owner = NULL WHERE id = ? AND owner = ?', id, sessions.id),
        'normal',
      ),
    replace: ({id, body: before}, body, notes) =>
      file.change((db) => {
        const isIt = db.run('UPDATE deed SET body = ? WHERE id = ? AND body = ?', body, id, before) > 0;
        if (isIt && notes !== undefined) putAll(db, notes);
        return isIt;
      }),
    remove: (id) => file.change((db) => void db.run('DELETE FROM deed WHERE id = ?', id), 'normal'),
  };
}

function insert(db: Database, body: string, createdAt: number): Deed {
  const id = db.insert('INSERT INTO deed (body, created_at) VALUES (?, ?)', body, createdAt);
  return {id, body, createdAt};
}

function claim(db: Database, sessions: Sessions, id: number): boolean {
  const deed = db.first('SELECT owner FROM deed WHERE id = ?', id);
  if (deed === undefined) return false;
  const {owner} = deed;
  if (typeof owner === 'string' && !sessions.isGone(db, owner)) return false;
  sessions.enlist(db);
  db.run('UPDATE deed SET owner = ? WHERE id = ?', sessions.id, id);
  return true;
}
