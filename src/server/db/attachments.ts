import type {Database} from './database.ts';

export interface AttachmentRow {
  readonly id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly content_type: string;
  readonly created_at: number;
  readonly width: number | null;
  readonly height: number | null;
}

export function findAttachment(db: Database, id: number): AttachmentRow | undefined {
  return db.get<AttachmentRow>('SELECT * FROM attachment WHERE id = ?', id);
}

export function findAttachmentByPath(db: Database, pathId: string): AttachmentRow | undefined {
  return db.get<AttachmentRow>('SELECT * FROM attachment WHERE path_id = ?', pathId);
}

export function attachmentsOf(db: Database, ownerId: number): AttachmentRow[] {
  return db.all<AttachmentRow>('SELECT * FROM attachment WHERE owner_id = ? ORDER BY id', ownerId);
}

/** Returns the ids of the messages that link to an attachment, ascending. */
export function linkingMessageIds(db: Database, attachmentId: number): number[] {
  const sql = 'SELECT message_id FROM attachment_message WHERE attachment_id = ? ORDER BY message_id';
  return db.pluck(sql, attachmentId);
}

/** Returns the size of all uploaded files, or those of one user, together in bytes. */
export function uploadSpaceUsed(db: Database, ownerId: number | null = null): number {
  const sql = 'SELECT COALESCE(SUM(size), 0) FROM attachment WHERE owner_id = COALESCE(?, owner_id)';
  return db.value(sql, ownerId) ?? 0;
}
