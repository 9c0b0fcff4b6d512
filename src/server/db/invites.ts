import type {Database} from './database.ts';

export interface InviteRow {
  readonly id: number;
  readonly invited_by: number;
  /** Null for a link that anybody may use. */
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

const alive = '(expires_at IS NULL OR expires_at > ?)';

export function findInvite(db: Database, id: number, now: number): InviteRow | undefined {
  return db.get<InviteRow>(`SELECT * FROM invite WHERE id = ? AND ${alive}`, id, now);
}

export function findInviteByKey(db: Database, key: string, now: number): InviteRow | undefined {
  return db.get<InviteRow>(`SELECT * FROM invite WHERE link_key = ? AND ${alive}`, key, now);
}

/** Newest first; of one person, or of all. */
export function listInvites(db: Database, now: number, invitedBy?: number): InviteRow[] {
  return invitedBy === undefined
    ? db.all<InviteRow>(`SELECT * FROM invite WHERE ${alive} ORDER BY id DESC`, now)
    : db.all<InviteRow>(
        `SELECT * FROM invite WHERE ${alive} AND invited_by = ? ORDER BY id DESC`,
        now,
        invitedBy,
      );
}
