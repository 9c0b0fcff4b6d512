import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {subscribedChannelIds} from '#server/db/subscriptions.ts';
import {badRequest} from '#server/http/errors.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {editableFlags} from '#wire/objects/message.ts';
import {type EditableFlag, emitFlagChange, type FlagChange} from './flag-events.ts';

export interface FlagResult {
  /** Ids whose flag is different now, ascending. */
  readonly changed: readonly number[];
  /** Only for marking unread: channels left alone because the person is not subscribed. */
  readonly ignoredChannels: readonly number[];
}

export function editableFlag(name: string): EditableFlag {
  const known = editableFlags.find((flag) => flag === name);
  if (known === undefined) throw badRequest(`Flag not editable: '${name}'`);
  return known;
}

/** Sets or clears a flag of one's own. Messages that do not exist or cannot be read are skipped. */
export function changeFlag(
  act: ActionContext,
  actor: UserRow,
  {op, flag}: FlagChange,
  messageIds: readonly number[],
): FlagResult {
  const bit = {read: Flag.unread, starred: Flag.starred, collapsed: Flag.collapsed}[flag];
  const sets = flag === 'read' ? op === 'remove' : op === 'add';
  let ignoredChannels: readonly number[] = [];
  let changed: number[];
  if (sets) {
    const readable = readableAmong(act, actor, messageIds);
    const split = flag === 'read' ? splitBySubscription(act, actor, readable) : undefined;
    ignoredChannels = split?.ignoredChannels ?? [];
    changed = setBit(act.db, actor.id, bit, split?.ids ?? readable);
  } else {
    changed = withBit(act.db, actor.id, bit, messageIds);
    clearBit(act.db, actor.id, bit, changed);
  }
  emitFlagChange(act, actor, {op, flag}, changed);
  return {changed, ignoredChannels};
}

/** Marks everything read, or everything in a channel, or in one of its topics. */
export function markRead(
  act: ActionContext,
  actor: UserRow,
  place?: {readonly channelId: number; readonly topicKey?: string},
): void {
  const {db} = act;
  const unread = `SELECT json_group_array(um.message_id) FROM user_message AS um
    CROSS JOIN message AS m ON m.id = um.message_id WHERE um.user_id = ? AND um.flags & ${Flag.unread}`;
  const list =
    place === undefined
      ? db.value<string>(unread, actor.id)
      : place.topicKey === undefined
        ? db.value<string>(`${unread} AND m.channel_id = ?`, actor.id, place.channelId)
        : db.value<string>(
            `${unread} AND m.channel_id = ? AND m.topic_key = ?`,
            actor.id,
            place.channelId,
            place.topicKey,
          );
  changeFlag(act, actor, {op: 'add', flag: 'read'}, JSON.parse(list ?? '[]'));
}

function readableAmong(act: ActionContext, actor: UserRow, ids: readonly number[]): number[] {
  return compileNarrow(act, actor, [], {amongIds: ids}).messageIds.idsBeyond(0, 'newer', ids.length);
}

/** Unread messages exist only in channels one is subscribed to, and in direct conversations. */
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
  const kept = rows.filter(({channel_id}) => {
    if (channel_id === null || subscribed.has(channel_id)) return true;
    ignored.add(channel_id);
    return false;
  });
  return {ids: kept.map(({id}) => id), ignoredChannels: [...ignored].sort((a, b) => a - b)};
}

/** Those of the messages that have the bit. Lists travel as JSON text: rows would cost a microsecond each. */
function withBit(db: Database, userId: number, bit: number, ids: readonly number[]): number[] {
  const list = db.value<string>(
    `SELECT json_group_array(um.message_id) FROM (SELECT DISTINCT value FROM json_each(?)) AS wanted
     CROSS JOIN user_message AS um ON um.user_id = ? AND um.message_id = wanted.value
     WHERE (um.flags & ?) <> 0`,
    JSON.stringify(ids),
    userId,
    bit,
  );
  const found: number[] = JSON.parse(list ?? '[]');
  return found.sort((a, b) => a - b);
}

/** A row without flags says nothing and goes. */
function clearBit(db: Database, userId: number, bit: number, ids: readonly number[]): void {
  if (ids.length === 0) return;
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
    `INSERT INTO user_message (user_id, message_id, flags) SELECT ?1, value, ?2 FROM json_each(?3) WHERE TRUE
     ON CONFLICT DO UPDATE SET flags = flags | excluded.flags`,
    userId,
    bit,
    JSON.stringify(changed),
  );
  return changed;
}
