import {directConversationKey, findOrCreateDirectConversation} from '#server/db/direct-conversations.ts';
import {type Recipient, recipientOf} from './import-channels.ts';
import type {ImportContext} from './import-context.ts';
import type {Row} from './row.ts';

/** Where a message of the export is: in a channel, or in the direct conversation of `members`. */
export interface Conversation {
  readonly channelId: number | undefined;
  readonly members: readonly number[];
}

/**
 * Returns the conversation of a message or scheduled message. Up to Zulip 11, the recipient of a message to one person is
 * that person, and the sender is the other one; in all other cases the people are those of the export's subscriptions.
 */
export function conversationOf(context: ImportContext, row: Row, sender: number): Conversation {
  const {type, target}: Recipient = recipientOf(context, row);
  if (type === 2) return {channelId: target, members: []};
  if (type === 1) return {channelId: undefined, members: [...new Set([sender, target])]};
  const sql = 'SELECT user_id FROM work.participant WHERE recipient = ?';
  const members = context.db.pluck(sql, row.number('recipient'));
  if (members.length === 0) row.fail('nobody takes part in its direct conversation.');
  return {channelId: undefined, members};
}

/** Returns the id of the direct conversation of these people, which is created if necessary. */
export function directConversationId({db}: ImportContext, members: readonly number[]): number {
  // Most messages are in known conversations, and the index that the general search needs is not there yet.
  const known = db.value('SELECT id FROM dm WHERE key = ?', directConversationKey(members));
  return known ?? findOrCreateDirectConversation(db, members).id;
}
