import type {DraftStore, NewOutboxEntry, OutboxPatch, OutboxStore} from '#state/account-store.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {AccountFile} from './account-file.ts';
import type {Database, SqlValue, StoredRow} from './database.ts';
import type {ProcessRegistry} from './process-registry.ts';
import {draftFromRow, encodeDraft, outboxEntryFromRow} from './stored-rows.ts';

/** The store of outgoing messages, in the table `outbox`. */
export function createOutboxStore(file: AccountFile, processes: ProcessRegistry): OutboxStore {
  return {
    add: (entry) =>
      file.write((db) => {
        const existing = entryWith(db, entry.id);
        if (existing !== undefined) return existing;
        const position = insert(db, entry);
        if (entry.draftId !== undefined) retireDraft(db, entry.draftId);
        return {...entry, ...initialFields, order: position};
      }, 'soon'),
    all: () => file.read((db) => db.all('SELECT * FROM outbox ORDER BY position').flatMap(validEntry)),
    claim: (id, {sentAt, afterMessageId}) =>
      file.write((db) => {
        const count = db.run(
          `UPDATE outbox SET status = 'sending', owner = ?, sent_at = ?, after_message_id = ?
           WHERE id = ? AND status = 'queued'`,
          processes.id,
          sentAt,
          afterMessageId,
          id,
        );
        if (count === 0) return undefined;
        processes.register(db);
        return entryWith(db, id);
      }, 'soon'),
    update: (id, from, patch) => file.write((db) => update(db, processes, id, from, patch), 'soon'),
    remove: (id) => file.write((db) => void db.run('DELETE FROM outbox WHERE id = ?', id), 'soon'),
    toDraft: (id, from, draft) =>
      file.write((db) => {
        const entry = entryWith(db, id);
        if (entry === undefined || !from.includes(entry.status)) return false;
        db.run('DELETE FROM outbox WHERE id = ?', id);
        putDraft(db, draft);
        return true;
      }, 'soon'),
    adoptOrphans: () => adoptOrphans(file, processes),
  };
}

const initialFields = {
  status: 'queued',
  owner: undefined,
  sentAt: undefined,
  afterMessageId: undefined,
  messageId: undefined,
  problem: undefined,
} as const;

function insert(db: Database, entry: NewOutboxEntry): number {
  const {id, conversation, content, createdAt, draftId} = entry;
  return db.insert(
    `INSERT INTO outbox (id, conversation, content, created_at, status, draft_id) VALUES (?, ?, ?, ?, 'queued', ?)`,
    id,
    JSON.stringify(conversation),
    content,
    createdAt,
    draftId ?? null,
  );
}

/** Removes the draft, or marks it deleted when the server has a copy that must be deleted too. */
function retireDraft(db: Database, draftId: string): void {
  const row = db.first('SELECT * FROM draft WHERE id = ?', draftId);
  const draft = row === undefined ? undefined : draftFromRow(row);
  // A draft that was sent without a response may be on the server too.
  const mayBeOnServer = draft?.serverId !== undefined || draft?.sent !== undefined;
  if (draft === undefined || !mayBeOnServer) db.run('DELETE FROM draft WHERE id = ?', draftId);
  else db.run('UPDATE draft SET body = ? WHERE id = ?', encodeDraft({...draft, status: 'deleted'}), draftId);
}

const columns: Readonly<Record<keyof OutboxPatch, string>> = {
  status: 'status',
  afterMessageId: 'after_message_id',
  messageId: 'message_id',
  problem: 'problem',
  createdAt: 'created_at',
  content: 'content',
  conversation: 'conversation',
};

function update(
  db: Database,
  processes: ProcessRegistry,
  id: string,
  from: readonly OutboxStatus[],
  patch: OutboxPatch,
): OutboxEntry | undefined {
  const before = entryWith(db, id);
  if (before === undefined || !from.includes(before.status)) return undefined;
  const values: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(patch)) {
    const column = columns[name as keyof OutboxPatch]; // Entries of a patch have its keys.
    values[column] = typeof value === 'object' ? JSON.stringify(value) : (value ?? null);
  }
  if (patch.status === 'sending') processes.register(db);
  if (patch.status !== undefined) values.owner = patch.status === 'sending' ? processes.id : null;
  const names = Object.keys(values);
  if (names.length === 0) return before;
  const assignments = names.map((name) => `${name} = ?`).join(', ');
  db.run(`UPDATE outbox SET ${assignments} WHERE id = ?`, ...Object.values(values), id);
  return entryWith(db, id);
}

/** Most of the time there are none, and nothing is written. */
function adoptOrphans(file: AccountFile, processes: ProcessRegistry): readonly OutboxEntry[] {
  const hasOrphans = file.read((db) => orphansOf(db, processes).length > 0);
  if (!hasOrphans) return [];
  return file.write((db) => {
    const orphans = orphansOf(db, processes);
    if (orphans.length === 0) return [];
    for (const {id} of orphans) db.run('UPDATE outbox SET owner = ? WHERE id = ?', processes.id, id);
    processes.register(db);
    processes.removeDead(db);
    return orphans.map((entry) => ({...entry, owner: processes.id}));
  }, 'soon');
}

function orphansOf(db: Database, processes: ProcessRegistry): readonly OutboxEntry[] {
  const sending = db.all("SELECT * FROM outbox WHERE status = 'sending' ORDER BY position").flatMap(validEntry);
  const dead = new Set(processes.foreignOwners(db).dead);
  return sending.filter(({owner}) => owner === undefined || dead.has(owner));
}

function entryWith(db: Database, id: string): OutboxEntry | undefined {
  const row = db.first('SELECT * FROM outbox WHERE id = ?', id);
  return row === undefined ? undefined : outboxEntryFromRow(row);
}

/** An invalid row stays in the table but is not returned. */
function validEntry(row: StoredRow): OutboxEntry | readonly [] {
  return outboxEntryFromRow(row) ?? [];
}

/** The store of drafts, in the table `draft`. */
export function createDraftStore(file: AccountFile): DraftStore {
  return {
    all: () =>
      file.read((db) => db.all('SELECT * FROM draft ORDER BY position').flatMap((row) => draftFromRow(row) ?? [])),
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

function putDraft(db: Database, draft: LocalDraft): void {
  db.run(
    `INSERT INTO draft (id, body) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
    draft.id,
    encodeDraft(draft),
  );
}
