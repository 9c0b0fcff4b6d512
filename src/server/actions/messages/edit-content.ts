import {linkUploads, unlinkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext} from '#server/context.ts';
import {directConversationMembers} from '#server/db/direct-conversations.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {flagsByUserSql} from '#server/db/unread-messages.ts';
import {checkGroupMentions, checkWildcardMentions} from '#server/permissions/send-message.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {type StoredEdit, storedEdits} from '#server/views/edit-history.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';
import {flagBitsFor, flagsFromText, textFlagBits} from './personal-flags.ts';
import {insertMentions, messageTraits} from './post-message.ts';

export interface ContentEdit {
  readonly content: string;
  readonly traits: number;
  readonly detached: WireAttachment[];
}

/** Replaces the text. When the message moves too, the move writes the common history entry. */
export function editContent(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  content: string,
  move: object | undefined,
): ContentEdit {
  const analysis = act.server.renderer.analyse(content, actor);
  if (message.channel_id !== null) {
    checkWildcardMentions(act, actor, analysis, message.channel_id, message.topic_key);
  }
  checkGroupMentions(act, actor, analysis);
  const traits = messageTraits(content, analysis);
  const entry: StoredEdit = {timestamp: act.now, user_id: actor.id, prev_content: message.content};
  const history = move === undefined ? JSON.stringify([entry, ...storedEdits(message)]) : message.edit_history;
  act.db.run(
    'UPDATE message SET content = ?, traits = ?, last_edit_at = ?, edit_history = ? WHERE id = ?',
    content,
    traits,
    act.now,
    history,
    message.id,
  );
  act.server.renderer.saveHtml({...message, content});
  act.db.run('DELETE FROM message_mention WHERE message_id = ?', message.id);
  const recipients = receiversOf(act, message);
  insertMentions(act, message.id, analysis.mentions.userIds, recipients);
  updateTextFlags(act, message, analysis, recipients);
  linkUploads(act, actor, message.id, analysis.uploads);
  return {content, traits, detached: unlinkUploads(act, message.id, analysis.uploads)};
}

/** Recomputes the flags that follow from the text (mentions, alert words); read and starred stay. */
function updateTextFlags(
  act: ActionContext,
  message: MessageRow,
  analysis: MessageAnalysis,
  recipients: ReadonlySet<number>,
): void {
  const topic = message.channel_id === null ? undefined : {channelId: message.channel_id, topicKey: message.topic_key};
  const textFlags = flagsFromText(act, recipients, analysis, topic);
  const stored = new Map<number, number>();
  const rows = `SELECT user_id, flags FROM ${flagsByUserSql}`;
  for (const row of act.db.all<{user_id: number; flags: number}>(rows, message.id)) {
    stored.set(row.user_id, row.flags);
  }
  for (const id of recipients.union(stored)) {
    const before = stored.get(id) ?? 0;
    const after = (before & ~textFlagBits) | (recipients.has(id) ? flagBitsFor(textFlags, id) : 0);
    if (after !== before) writeFlags(act, id, message.id, after);
  }
}

function receiversOf(act: ActionContext, message: MessageRow): Set<number> {
  if (message.channel_id === null) return new Set(directConversationMembers(act.db, message.dm_id ?? 0));
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

/** Writes the flags of one user, who has the message read if there are none. */
function writeFlags(act: ActionContext, userId: number, messageId: number, bits: number): void {
  if (bits === 0) {
    act.db.run('DELETE FROM user_message WHERE user_id = ? AND message_id = ?', userId, messageId);
    return;
  }
  act.db.insertRow('user_message', {user_id: userId, message_id: messageId, flags: bits}, 'OR REPLACE');
}
