import type {Database} from './database.ts';

/** A direct conversation, and whether it has no message yet. */
export interface OpenedDirectConversation {
  readonly id: number;
  /** The ids of all participants, ascending. */
  readonly members: readonly number[];
  readonly isNew: boolean;
}

/** Returns the form of `dm.key`: the ids of all participants once, in numeric order. */
export function directConversationKey(userIds: Iterable<number>): string {
  return [...new Set(userIds)].sort((a, b) => a - b).join(',');
}

function findDirectConversation(db: Database, userIds: Iterable<number>): number | undefined {
  return db.value('SELECT id FROM dm WHERE key = ?', directConversationKey(userIds));
}

export function directConversationMembers(db: Database, dmId: number): number[] {
  return db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ? ORDER BY user_id', dmId);
}

/** Returns the conversation of exactly these users and creates it if needed. It is new until it has a message. */
export function findOrCreateDirectConversation(db: Database, userIds: Iterable<number>): OpenedDirectConversation {
  const members = [...new Set(userIds)].sort((a, b) => a - b);
  const existingId = findDirectConversation(db, members);
  if (existingId !== undefined) {
    const isNew = db.get('SELECT 1 FROM message WHERE dm_id = ? LIMIT 1', existingId) === undefined;
    return {id: existingId, members, isNew};
  }
  const id = db.insertRow('dm', {key: members.join(','), size: members.length});
  for (const member of members) db.insertRow('dm_member', {user_id: member, dm_id: id});
  return {id, members, isNew: true};
}
