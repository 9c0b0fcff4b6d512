import {userSettings} from '#server/accounts/user-settings.ts';
import {cleanContent, maxTopicLength, truncateText} from '#server/actions/inputs/message-text.ts';
import {conversationUserIds, otherRecipients} from '#server/actions/inputs/recipients.ts';
import {maxTimestamp} from '#server/actions/schedule/scheduled-messages.ts';
import type {ActionContext} from '#server/context.ts';
import {type DraftRow, findDraft} from '#server/db/personal-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {requireActive, requireReadableChannel} from '#server/permissions/channel.ts';
import {draftView} from '#server/views/personal-items.ts';
import type {DraftInput} from '#wire/objects/draft.ts';

export function checkDraftsSynchronized(actor: UserRow): void {
  if (!userSettings(actor).enable_drafts_synchronization) {
    throw badRequest('User has disabled synchronizing drafts.');
  }
}

/** Creates drafts and returns their ids, in the order of `inputs`. */
export function createDrafts(act: ActionContext, actor: UserRow, inputs: readonly DraftInput[]): number[] {
  const drafts = inputs.map((input) => insertDraft(act, actor, cleanDraft(act, actor, input)));
  act.emit({type: 'drafts', to: [actor.id], body: {op: 'add', drafts: drafts.map(draftView)}});
  return drafts.map((draft) => draft.id);
}

export function editDraft(act: ActionContext, actor: UserRow, id: number, input: DraftInput): void {
  const draft = {...ownDraft(act, actor, id), ...cleanDraft(act, actor, input)};
  const sql = 'UPDATE draft SET type = ?, recipients = ?, topic = ?, content = ?, edited_at = ? WHERE id = ?';
  act.db.run(sql, draft.type, draft.recipients, draft.topic, draft.content, draft.edited_at, id);
  act.emit({type: 'drafts', to: [actor.id], body: {op: 'update', draft: draftView(draft)}});
}

export function deleteDraft(act: ActionContext, actor: UserRow, id: number): void {
  ownDraft(act, actor, id);
  act.db.run('DELETE FROM draft WHERE id = ?', id);
  act.emit({type: 'drafts', to: [actor.id], body: {op: 'remove', draft_id: id}});
}

/** Deletes all drafts without events: the user's clients keep theirs when synchronization is turned off. */
export function forgetDrafts(act: ActionContext, userId: number): void {
  act.db.run('DELETE FROM draft WHERE user_id = ?', userId);
}

function ownDraft(act: ActionContext, actor: UserRow, id: number): DraftRow {
  const draft = findDraft(act.db, actor.id, id);
  if (draft === undefined) throw notFoundError('Draft does not exist');
  return draft;
}

type DraftFields = Omit<DraftRow, 'id' | 'user_id'>;

function insertDraft(act: ActionContext, actor: UserRow, fields: DraftFields): DraftRow {
  const row = {user_id: actor.id, ...fields};
  return {id: act.db.insertRow('draft', row), ...row};
}

function cleanDraft(act: ActionContext, actor: UserRow, input: DraftInput): DraftFields {
  // Unlike in messages, leading blanks are stripped too.
  const content = cleanContent(input.content.trim());
  const edited_at = editTime(act, input.timestamp);
  const topic = input.type === 'stream' ? draftTopic(input.topic) : '';
  const recipients = recipientsOf(act, actor, input);
  const type = recipients.length === 0 ? '' : input.type;
  return {type, recipients: JSON.stringify(recipients), topic, content, edited_at};
}

function recipientsOf(act: ActionContext, actor: UserRow, {type, to}: DraftInput): number[] {
  if (type === '' || (type === 'private' && to.length === 0)) return [];
  if (type === 'private') return conversationUserIds(actor, otherRecipients(act, actor, to));
  const [id, ...more] = to;
  if (id === undefined || more.length > 0) {
    throw badRequest('Must specify exactly 1 channel ID for channel messages');
  }
  requireActive(requireReadableChannel(act, actor, id));
  return [id];
}

/** Returns a draft's topic. It may be incomplete, so only topics that cannot be stored are refused. */
function draftTopic(input: string): string {
  if (input.includes('\0')) throw badRequest('Topic must not contain null bytes');
  return truncateText(input, maxTopicLength, '...');
}

function editTime(act: ActionContext, timestamp: number | null | undefined): number {
  if (timestamp === undefined || timestamp === null) return act.now;
  if (timestamp < 0) throw badRequest('Timestamp must not be negative.');
  if (timestamp > maxTimestamp) throw badRequest('Timestamp is too large.');
  return Math.floor(timestamp);
}
