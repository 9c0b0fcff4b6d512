import type {DraftStore} from '#state/account-store.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {AccountFile} from './account-file.ts';
import type {Database} from './database.ts';
import {draftFromRow, encodeDraft} from './row-decoders.ts';

/** The store of drafts, in the table `draft`. */
export function createDraftStore(file: AccountFile): DraftStore {
  return {
    all: () =>
      file.read((db) =>
        db.all('SELECT * FROM draft ORDER BY position').flatMap((row) => {
          const draft = draftFromRow(row);
          return draft === undefined ? [] : [draft];
        }),
      ),
    put: (draft) => file.write((db) => putDraft(db, draft), 'soon'),
    replace: (before, after) =>
      file.write((db) => {
        const stored = db.first('SELECT body FROM draft WHERE id = ?', before.id);
        if (stored?.body !== encodeDraft(before)) return false;
        if (after?.id !== before.id) db.run('DELETE FROM draft WHERE id = ?', before.id);
        if (after !== undefined) putDraft(db, after);
        return true;
      }, 'soon'),
    remove: (id) => file.write((db) => void db.run('DELETE FROM draft WHERE id = ?', id), 'soon'),
  };
}

export function putDraft(db: Database, draft: LocalDraft): void {
  db.run(
    `INSERT INTO draft (id, body) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
    draft.id,
    encodeDraft(draft),
  );
}
