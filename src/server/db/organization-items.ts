import type {DerivedFact} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';

export interface CustomEmojiRow {
  readonly id: number;
  readonly name: string;
  readonly author_id: number | null;
  /** The path in the file store; the URL is the same path under `/user_avatars/`. */
  readonly file: string;
  readonly deactivated: number;
}

/** Active and deactivated custom emoji, oldest first. Must be invalidated when custom emoji change. */
export const customEmojiRows: DerivedFact<readonly CustomEmojiRow[]> = {
  name: 'custom-emoji-rows',
  derive: (db: Database) => db.all<CustomEmojiRow>('SELECT * FROM realm_emoji ORDER BY id'),
};

export interface DomainRow {
  readonly id: number;
  readonly domain: string;
  readonly allow_subdomains: number;
}

export function listDomains(db: Database): DomainRow[] {
  return db.all<DomainRow>('SELECT * FROM realm_domain ORDER BY id');
}

export function findDomain(db: Database, domain: string): DomainRow | undefined {
  return db.find<DomainRow>('realm_domain', {domain});
}

export interface FolderRow {
  readonly id: number;
  readonly name: string;
  readonly name_key: string;
  readonly description: string;
  readonly sort_order: number;
  readonly created_at: number;
  readonly creator_id: number | null;
  readonly is_archived: number;
}

export function findFolder(db: Database, id: number): FolderRow | undefined {
  return db.find<FolderRow>('channel_folder', {id});
}

/** Returns the channel folders in their display order. */
export function listFolders(db: Database): FolderRow[] {
  return db.all<FolderRow>('SELECT * FROM channel_folder ORDER BY sort_order, id');
}

export interface InviteRow {
  readonly id: number;
  readonly invited_by: number;
  /** Null for a link that more than one person may use. */
  readonly email: string | null;
  readonly invited_as: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly link_key: string;
  readonly channel_ids: string;
  readonly group_ids: string;
  readonly include_default_channels: number;
  readonly notify_referrer: number;
}

const isValid = '(expires_at IS NULL OR expires_at > ?)';

export function findInvite(db: Database, id: number, now: number): InviteRow | undefined {
  return db.get<InviteRow>(`SELECT * FROM invite WHERE id = ? AND ${isValid}`, id, now);
}

export function findInviteByKey(db: Database, key: string, now: number): InviteRow | undefined {
  return db.get<InviteRow>(`SELECT * FROM invite WHERE link_key = ? AND ${isValid}`, key, now);
}

/** Returns the valid invitations of one user or of all, newest first. */
export function listInvites(db: Database, now: number, invitedBy?: number): InviteRow[] {
  return invitedBy === undefined
    ? db.all<InviteRow>(`SELECT * FROM invite WHERE ${isValid} ORDER BY id DESC`, now)
    : db.all<InviteRow>(`SELECT * FROM invite WHERE ${isValid} AND invited_by = ? ORDER BY id DESC`, now, invitedBy);
}

export interface LinkifierRow {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  /** A JSON list. */
  readonly alternative_url_templates: string;
}

const linkifierSql = `SELECT id, pattern, url_template, example_input, reverse_template, alternative_url_templates
  FROM linkifier ORDER BY sort_order, id`;

/** The linkifiers in the order in which they apply. Must be invalidated when linkifiers change. */
export const linkifierRows: DerivedFact<readonly LinkifierRow[]> = {
  name: 'linkifier-rows',
  derive: (db: Database) => db.all<LinkifierRow>(linkifierSql),
};

export interface ProfileFieldRow {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: number;
  /** JSON text, or an empty string. */
  readonly field_data: string;
  readonly sort_order: number;
  readonly required: number;
  readonly editable_by_user: number;
  readonly display_in_profile_summary: number;
  readonly use_for_user_matching: number;
}

export function listProfileFields(db: Database): ProfileFieldRow[] {
  return db.all<ProfileFieldRow>('SELECT * FROM profile_field ORDER BY sort_order, id');
}

export function findProfileField(db: Database, id: number): ProfileFieldRow | undefined {
  return db.find<ProfileFieldRow>('profile_field', {id});
}

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
  return db.find<AttachmentRow>('attachment', {id});
}

export function findAttachmentByPath(db: Database, pathId: string): AttachmentRow | undefined {
  return db.find<AttachmentRow>('attachment', {path_id: pathId});
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

/** The tables whose rows people order. */
type OrderedTable = 'channel_folder' | 'linkifier' | 'profile_field';

/** Stores the order of rows, the first one first. */
export function storeOrder(db: Database, table: OrderedTable, ids: readonly number[]): void {
  for (const [index, id] of ids.entries()) db.updateRow(table, id, {sort_order: index});
}

/** Returns the position behind all rows of a table in which people order them. */
export function nextPosition(db: Database, table: OrderedTable): number {
  return db.value(`SELECT COALESCE(MAX(sort_order), 0) + 1 FROM ${table}`) ?? 1;
}
