import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {subscribedChannelIds} from '#server/db/subscriptions.ts';
import {endUnreadByRule, flagsSql, unreadSql} from '#server/db/unread-messages.ts';
import {badRequest} from '#server/http/errors.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {editableFlags} from '#wire/objects/message.ts';
import {emitFlagChange, type FlagChange} from './flag-events.ts';
import {keepAsHistorical} from './personal-flags.ts';

export interface FlagResult {
  /** The ids of the messages whose flag changed, ascending. */
  readonly changed: readonly number[];
  /** Only for marking unread: the channels that were skipped because the user is not subscribed. */
  readonly ignoredChannels: readonly number[];
}

/** The flags that only the server changes. `wildcard_mentioned` is not stored: it stands for two of them. */
const serverFlags: ReadonlySet<string> = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'group_mentioned',
  'has_alert_word',
  'historical',
]);

/** Returns the change of a flag that clients may change. */
export function flagChange({flag: name, op}: {readonly flag: string; readonly op: string}): FlagChange {
  const flag = editableFlags.find((editable) => editable === name);
  if (serverFlags.has(name)) throw badRequest(`Flag not editable: '${name}'`);
  if (flag === undefined) throw badRequest(`Invalid flag: '${name}'`);
  if (op !== 'add' && op !== 'remove') throw badRequest(`Invalid message flag operation: '${op}'`);
  return {op, flag};
}

/**
 * Sets or clears one of the actor's own flags. Setting a star, or marking as unread, is refused for messages that do not
 * exist or cannot be read; clearing skips them.
 */
export function changeFlag(
  act: ActionContext,
  actor: UserRow,
  {op, flag}: FlagChange,
  messageIds: readonly number[],
  {isSilent = false} = {},
): FlagResult {
  const bit = {read: Flag.unread, starred: Flag.starred, collapsed: Flag.collapsed}[flag];
  const setsBit = flag === 'read' ? op === 'remove' : op === 'add';
  let ignoredChannels: readonly number[] = [];
  let changed: number[];
  if (setsBit) {
    const readable = readableAmong(act, actor, messageIds);
    if (readable.length < new Set(messageIds).size) throw badRequest('Invalid message(s)');
    const split = flag === 'read' ? splitBySubscription(act, actor, readable) : undefined;
    ignoredChannels = split?.ignoredChannels ?? [];
    changed = setBit(act.db, actor.id, bit, split?.ids ?? readable);
    if (flag !== 'read') keepAsHistorical(act, actor.id, changed);
  } else {
    changed = withBit(act.db, actor.id, bit, messageIds);
    clearBit(act.db, actor.id, bit, changed);
  }
  if (!isSilent) {
    const isChanged = new Set(changed);
    // A message that is named twice is twice in the event, as on Zulip's servers.
    const named = messageIds.filter((id) => isChanged.has(id)).sort((a, b) => a - b);
    emitFlagChange(act, actor, {op, flag}, named);
  }
  return {changed, ignoredChannels};
}

/** Marks all messages read, or all of a channel or of one of its topics. */
export function markRead(
  act: ActionContext,
  actor: UserRow,
  scope?: {readonly channelId: number; readonly topicKey?: string},
): void {
  const {db} = act;
  const change = {op: 'add', flag: 'read'} as const;
  const unread = `SELECT json_group_array(u.id) FROM ${unreadSql} AS u CROSS JOIN message AS m ON m.id = u.id`;
  const list =
    scope === undefined
      ? db.value<string>(unread, actor.id)
      : scope.topicKey === undefined
        ? db.value<string>(`${unread} WHERE m.channel_id = ?2`, actor.id, scope.channelId)
        : db.value<string>(
            `${unread} WHERE m.channel_id = ?2 AND m.topic_key = ?3`,
            actor.id,
            scope.channelId,
            scope.topicKey,
          );
  const ids: number[] = JSON.parse(list ?? '[]');
  changeFlag(act, actor, change, ids, {isSilent: scope === undefined || ids.length === 0});
  if (scope === undefined) emitFlagChange(act, actor, change, 'all');
}

function readableAmong(act: ActionContext, actor: UserRow, ids: readonly number[]): number[] {
  return compileNarrow(act, actor, [], {amongIds: ids}).messageIds.idsBeyond(0, 'newer', ids.length);
}

/**
 * Leaves out messages of channels without a subscription: only subscribed channels and direct conversations have unread
 * messages.
 */
function splitBySubscription(
  {db}: ActionContext,
  actor: UserRow,
  ids: readonly number[],
): {ids: number[]; ignoredChannels: number[]} {
  const subscribed = new Set(subscribedChannelIds(db, actor.id));
  const ignored = new Set<number>();
  const rows = db.all<{id: number; channel_id: number | null}>(
    `SELECT m.id, m.channel_id FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value`,
    JSON.stringify(ids),
  );
  const accepted = rows.filter(({channel_id}) => {
    if (channel_id === null || subscribed.has(channel_id)) return true;
    ignored.add(channel_id);
    return false;
  });
  return {ids: accepted.map(({id}) => id), ignoredChannels: [...ignored].sort((a, b) => a - b)};
}

/**
 * Returns the ids of the messages that have the bit. Ids are passed as JSON text, because rows cost a microsecond each.
 */
function withBit(db: Database, userId: number, bit: number, ids: readonly number[]): number[] {
  const list = db.value<string>(
    `SELECT json_group_array(m.id) FROM (SELECT DISTINCT value FROM json_each(?2)) AS wanted
     CROSS JOIN message AS m ON m.id = wanted.value WHERE ${flagsSql('?1')} & ?3`,
    userId,
    JSON.stringify(ids),
    bit,
  );
  const matching: number[] = JSON.parse(list ?? '[]');
  return matching.sort((a, b) => a - b);
}

/** Clears the bit; rows without any flag left are deleted. */
function clearBit(db: Database, userId: number, bit: number, ids: readonly number[]): void {
  if (ids.length === 0) return;
  if (bit === Flag.unread) endUnreadByRule(db, userId, ids);
  const list = JSON.stringify(ids);
  const chosen = 'user_id = ? AND message_id IN (SELECT value FROM json_each(?))';
  db.run(`DELETE FROM user_message WHERE ${chosen} AND flags = ?`, userId, list, bit);
  db.run(`UPDATE user_message SET flags = flags & ~CAST(? AS INTEGER) WHERE ${chosen}`, bit, userId, list);
}

function setBit(db: Database, userId: number, bit: number, ids: readonly number[]): number[] {
  const already = new Set(withBit(db, userId, bit, ids));
  const changed = ids.filter((id) => !already.has(id)).sort((a, b) => a - b);
  if (changed.length === 0) return changed;
  db.run(
    `INSERT OR REPLACE INTO user_message (user_id, message_id, flags)
     SELECT ?1, m.id, ${flagsSql('?1')} | ?2 FROM json_each(?3) AS wanted CROSS JOIN message AS m ON m.id = wanted.value`,
    userId,
    bit,
    JSON.stringify(changed),
  );
  return changed;
}
