import {claimUploads, releaseUploads} from '#server/actions/uploads/link-uploads.ts';
import type {Act} from '#server/context.ts';
import {conversationMembers} from '#server/db/direct-conversations.ts';
import {type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {checkGroupMentions, checkWildcards} from '#server/permissions/send-message.ts';
import type {Analysis} from '#server/renderer.ts';
import {type StoredEdit, storedEdits} from '#server/views/edit-history.ts';
import type {Attachment} from '#wire/objects/attachment.ts';
import {bitsOf, flagsFromText, textBits} from './personal-flags.ts';
import {noteMentions, traitsOf} from './post-message.ts';

export interface ContentEdit {
  readonly content: string;
  readonly traits: number;
  readonly detached: Attachment[];
}

/** Replaces the text. When the message moves too, the one entry in its history is left to the move. */
export function changeContent(
  act: Act,
  actor: UserRow,
  message: MessageRow,
  content: string,
  move: object | undefined,
): ContentEdit {
  const analysis = act.world.rendering.analyse(content, actor);
  checkMentions(act, actor, message, analysis);
  const traits = traitsOf(content, analysis);
  const entry: StoredEdit = {timestamp: act.now, user_id: actor.id, prev_content: message.content};
  const history =
    move === undefined ? JSON.stringify([entry, ...storedEdits(message)]) : message.edit_history;
  act.db.run(
    'UPDATE message SET content = ?, traits = ?, last_edit_at = ?, edit_history = ? WHERE id = ?',
    content,
    traits,
    act.now,
    history,
    message.id,
  );
  act.db.run('DELETE FROM message_mention WHERE message_id = ?', message.id);
  noteMentions(act, message.id, analysis.mentions.userIds);
  updateTextFlags(act, message, analysis);
  claimUploads(act, actor, message.id, analysis.uploads);
  return {content, traits, detached: releaseUploads(act, message.id, analysis.uploads)};
}

/** A wildcard that was there before was allowed then. */
function checkMentions(act: Act, actor: UserRow, message: MessageRow, analysis: Analysis): void {
  checkGroupMentions(act, actor, analysis);
  if (message.channel_id === null) return;
  const {mentions} = analysis;
  const added = {
    ...mentions,
    channelWildcard: mentions.channelWildcard && (message.traits & Trait.channelWildcard) === 0,
    topicWildcard: mentions.topicWildcard && (message.traits & Trait.topicWildcard) === 0,
  };
  checkWildcards(act, actor, {...analysis, mentions: added}, message.channel_id, message.topic_key);
}

/** Whom the new text concerns; whether they have read it or starred it is not touched. */
function updateTextFlags(act: Act, message: MessageRow, analysis: Analysis): void {
  const recipients = receiversOf(act, message);
  const topic =
    message.channel_id === null ? undefined : {channelId: message.channel_id, topicKey: message.topic_key};
  const wanted = flagsFromText(act, recipients, analysis, topic);
  const stored = new Map<number, number>();
  const rows = 'SELECT user_id, flags FROM user_message WHERE message_id = ?';
  for (const row of act.db.all<{user_id: number; flags: number}>(rows, message.id)) {
    stored.set(row.user_id, row.flags);
  }
  for (const id of recipients.union(stored)) {
    const before = stored.get(id) ?? 0;
    const after = (before & ~textBits) | (recipients.has(id) ? bitsOf(wanted, id) : 0);
    if (after !== before) writeFlags(act, id, message.id, after);
  }
}

function receiversOf(act: Act, message: MessageRow): Set<number> {
  if (message.channel_id === null) return new Set(conversationMembers(act.db, message.dm_id ?? 0));
  return new Set(
    act.db.pluck(
      `SELECT user_id FROM subscription_period
       WHERE channel_id = ? AND since_id <= ? AND (until_id IS NULL OR until_id > ?)`,
      message.channel_id,
      message.id,
      message.id,
    ),
  );
}

/** No row says: received and read. */
function writeFlags(act: Act, userId: number, messageId: number, bits: number): void {
  if (bits === 0) {
    act.db.run('DELETE FROM user_message WHERE user_id = ? AND message_id = ?', userId, messageId);
    return;
  }
  act.db.run(
    'INSERT OR REPLACE INTO user_message (user_id, message_id, flags) VALUES (?, ?, ?)',
    userId,
    messageId,
    bits,
  );
}
