import type {NoteStore} from '#state/ports.ts';
import type {AccountFile} from './account-file.ts';

export function notesIn(file: AccountFile): NoteStore {
  return {
    get: (name) =>
      file.read((db) => {
        const body = db.first('SELECT body FROM note WHERE name = ?', name)?.body;
        return typeof body === 'string' ? body : undefined;
      }),
    set: (name, json) =>
      file.change((db) => {
        db.run(
          `INSERT INTO note (name, body) VALUES (?, ?)
           ON CONFLICT (name) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
          name,
          json,
        );
      }),
    remove: (name) => file.change((db) => void db.run('DELETE FROM note WHERE name = ?', name)),
  };
}
