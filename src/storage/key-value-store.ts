import type {KeyValueStore} from '#state/account-store.ts';
import type {AccountFile} from './account-file.ts';
import type {Database} from './database.ts';

/** The store of small values by name, in the table `note`. */
export function createKeyValueStore(file: AccountFile): KeyValueStore {
  return {
    get: (name) =>
      file.read((db) => {
        const body = db.first('SELECT body FROM note WHERE name = ?', name)?.body;
        return typeof body === 'string' ? body : undefined;
      }),
    keysWithPrefix: (prefix) =>
      file.read((db) =>
        db
          .all('SELECT name FROM note WHERE substr(name, 1, ?) = ? ORDER BY name', prefix.length, prefix)
          .flatMap(({name}) => (typeof name === 'string' ? [name] : [])),
      ),
    set: (name, json) => file.write((db) => put(db, name, json), 'soon'),
    setAll: (values) => file.write((db) => putAllValues(db, values), 'normal'),
    remove: (name) => file.write((db) => remove(db, name), 'soon'),
  };
}

export function putAllValues(db: Database, values: ReadonlyMap<string, string | undefined>): void {
  for (const [name, json] of values) {
    if (json === undefined) remove(db, name);
    else put(db, name, json);
  }
}

function put(db: Database, name: string, json: string): void {
  db.run(
    `INSERT INTO note (name, body) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
    name,
    json,
  );
}

function remove(db: Database, name: string): void {
  db.run('DELETE FROM note WHERE name = ?', name);
}
