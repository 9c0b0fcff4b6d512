import {userSettings} from '#server/accounts/user-settings.ts';
import {
  cleanContent,
  conversationUserIds,
  maxTopicLength,
  otherRecipients,
  truncateText,
} from '#server/actions/inputs.ts';
import {maxTimestamp} from '#server/actions/schedule/scheduled-messages.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {badRequest, check, notFoundError, required} from '#server/errors.ts';
import {requireOpenChannel} from '#server/permissions/channel.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import type {DraftInput, WireDraft} from '#wire/objects/personal.ts';

export const draftRoutes: readonly Route[] = [
  route(endpoints.getDrafts, 'account', (call) => {
    checkSynchronized(call);
    const drafts = draftViews(call.db, call.actor.id).reverse();
    return {count: drafts.length, drafts};
  }),
  route(endpoints.createDrafts, 'account', (call, {drafts}) => {
    checkSynchronized(call);
    return {ids: createDrafts(call, drafts)};
  }),
  route(endpoints.editDraft, 'account', (call, {draft_id: id, draft: input}) => {
    checkSynchronized(call);
    const before = ownDraft(call, id);
    const fields = cleanDraft(call, input);
    call.db.updateRow('draft', id, fields);
    emitDrafts(call, {op: 'update', draft: draftView({...before, ...fields})});
  }),
  route(endpoints.deleteDraft, 'account', (call, {draft_id: id}) => {
    checkSynchronized(call);
    call.db.deleteRows('draft', {id: ownDraft(call, id).id});
    emitDrafts(call, {op: 'remove', draft_id: id});
  }),
];

interface DraftRow {
  readonly id: number;
  readonly user_id: number;
  readonly type: '' | 'stream' | 'private';
  /** JSON: the ids of users, or a list with one channel id. */
  readonly recipients: string;
  readonly topic: string;
  readonly content: string;
  readonly edited_at: number;
}

/** Returns a user's drafts, last edited first. */
export function draftViews(db: Database, userId: number, limit = -1): WireDraft[] {
  const sql = 'SELECT * FROM draft WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?';
  return db.all<DraftRow>(sql, userId, limit).map(draftView);
}

function draftView({id, type, recipients, topic, content, edited_at}: DraftRow): WireDraft {
  return {id, type, to: JSON.parse(recipients), topic, content, timestamp: edited_at};
}

function checkSynchronized({actor}: RequestContext): void {
  check(userSettings(actor).enable_drafts_synchronization, 'User has disabled synchronizing drafts.');
}

/** Creates drafts and returns their ids, in the order of `inputs`. */
export function createDrafts(act: RequestContext, inputs: readonly DraftInput[]): number[] {
  const drafts = inputs.map((input) => {
    const row = {user_id: act.actor.id, ...cleanDraft(act, input)};
    return {id: act.db.insertRow('draft', row), ...row};
  });
  emitDrafts(act, {op: 'add', drafts: drafts.map(draftView)});
  return drafts.map((draft) => draft.id);
}

function emitDrafts(act: RequestContext, body: OutgoingBody<'drafts'>): void {
  act.emit('drafts', [act.actor.id], body);
}

function ownDraft({db, actor}: RequestContext, id: number): DraftRow {
  const draft = db.find<DraftRow>('draft', {id, user_id: actor.id});
  return required(draft, () => notFoundError('Draft does not exist'));
}

function cleanDraft(act: RequestContext, input: DraftInput): Omit<DraftRow, 'id' | 'user_id'> {
  // Unlike in messages, leading blanks are stripped too.
  const content = cleanContent(input.content.trim());
  const edited_at = editTime(act, input.timestamp);
  const topic = input.type === 'stream' ? draftTopic(input.topic) : '';
  const recipients = recipientsOf(act, input);
  const type = recipients.length === 0 ? '' : input.type;
  return {type, recipients: JSON.stringify(recipients), topic, content, edited_at};
}

function recipientsOf(act: RequestContext, {type, to}: DraftInput): number[] {
  const {actor} = act;
  if (type === '' || (type === 'private' && to.length === 0)) return [];
  if (type === 'private') return conversationUserIds(actor, otherRecipients(act, actor, to));
  const [id, ...more] = to;
  check(id !== undefined && more.length === 0, 'Must specify exactly 1 channel ID for channel messages');
  requireOpenChannel(act, actor, id);
  return [id];
}

/** Returns a draft's topic. It may be incomplete, so only topics that cannot be stored are refused. */
function draftTopic(input: string): string {
  check(!input.includes('\0'), 'Topic must not contain null bytes');
  return truncateText(input, maxTopicLength, '...');
}

function editTime(act: ActionContext, timestamp: number | null | undefined): number {
  if (timestamp === undefined || timestamp === null) return act.now;
  if (timestamp < 0) throw badRequest('Timestamp must not be negative.');
  if (timestamp > maxTimestamp) throw badRequest('Timestamp is too large.');
  return Math.floor(timestamp);
}
