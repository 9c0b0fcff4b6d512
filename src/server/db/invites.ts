import type {Database} from './database.ts';

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
