import type {ActionContext, ReadContext} from '#server/context.ts';
import {alertWordWatchers} from '#server/db/personal-items.ts';
import {Flag, fold, type UserRow} from '#server/db/rows.ts';
import {byCapability} from '#server/event-queues/event-queue.ts';
import {TopicPolicies} from '#server/narrow/scope-parts.ts';
import {groupIndex, isInGroup, organization, type Person} from '#server/permissions/has-permission.ts';
import {receivedAmong} from '#server/permissions/message.ts';
import {topicParticipants} from '#server/permissions/send-message.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import type {editableFlags} from '#wire/objects/message.ts';

type EditableFlag = (typeof editableFlags)[number];
type FlagOp = 'add' | 'remove';

export interface FlagChange {
  readonly op: FlagOp;
  readonly flag: EditableFlag;
}

/**
 * Emits a flag change to the user's own clients only, because flags are private. As on Zulip's servers, a change of no
 * message is emitted too, and a change of all messages does not list them.
 */
export function emitFlagChange(
  act: ActionContext,
  actor: Pick<UserRow, 'id'>,
  {op, flag}: FlagChange,
  changed: readonly number[] | 'all',
): void {
  const messages = changed === 'all' ? [] : changed;
  const body = {op, operation: op, flag, messages, all: changed === 'all'};
  if (flag !== 'read' || op === 'add') {
    act.emit({type: 'update_message_flags', to: [actor.id], body});
    return;
  }
  // Computed now: at delivery, later changes of this action would already be visible.
  const details = unreadDetails(act, actor, messages);
  act.emit({
    type: 'update_message_flags',
    to: [actor.id],
    body: byCapability('empty_topic_name', (isKnown) => ({
      ...body,
      message_details: isKnown ? details : withTopicNames(act, details),
    })),
  });
}

type Details = Record<string, MessageDetails>;

interface UnreadMessageRow {
  readonly id: number;
  readonly flags: number;
  readonly channel_id: number | null;
  readonly dm_key: string | null;
  readonly topic: string;
  readonly topic_key: string;
}

/** Returns the details that a client needs to count messages as unread without fetching them. */
function unreadDetails({db}: ActionContext, actor: Pick<UserRow, 'id'>, ids: readonly number[]): Details {
  const policies = new TopicPolicies(db, actor.id);
  const sql = `SELECT m.id, um.flags, m.channel_id, dm.key AS dm_key, m.topic, m.topic_key
     FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
     JOIN user_message AS um ON um.user_id = ? AND um.message_id = m.id LEFT JOIN dm ON dm.id = m.dm_id`;
  const rows = db.all<UnreadMessageRow>(sql, JSON.stringify(ids), actor.id);
  return Object.fromEntries(rows.map((row) => [row.id, detailsOf(row, actor.id, policies)]));
}

function detailsOf(row: UnreadMessageRow, userId: number, policies: TopicPolicies): MessageDetails {
  const isMuted = row.channel_id !== null && policies.isMutedTopic(row.channel_id, row.topic_key);
  const mentioned = countsAsMention(row.flags, isMuted) ? {mentioned: true} : {};
  if (row.channel_id === null) {
    const people = (row.dm_key ?? '').split(',').map(Number);
    return {type: 'private', user_ids: people.filter((id) => id !== userId), ...mentioned};
  }
  const {channel_id: stream_id, topic} = row;
  return {type: 'stream', stream_id, topic, unmuted_stream_msg: !isMuted, ...mentioned};
}

/**
 * Returns whether the message counts as a mention: personal ones always, wildcards only in topics that are not muted.
 */
export function countsAsMention(flags: number, isMuted: boolean): boolean {
  if (flags & Flag.mentioned) return true;
  return !isMuted && (flags & (Flag.channelWildcard | Flag.topicWildcard)) !== 0;
}

function withTopicNames(act: Pick<ActionContext, 'server'>, details: Details): Details {
  const emptyName = organization(act).empty_topic_display_name;
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) =>
      detail.type === 'stream' && detail.topic === '' ? [id, {...detail, topic: emptyName}] : [id, detail],
    ),
  );
}

/** The flag bits of one message per user: `base` for most users, `special` for the others. */
export interface PersonalFlags {
  readonly base: number;
  readonly special: ReadonlyMap<number, number>;
}

/** Bits that follow from a message's text; an edit recomputes these and leaves the others alone. */
export const textFlagBits =
  Flag.mentioned | Flag.mentionedByName | Flag.channelWildcard | Flag.topicWildcard | Flag.alertWord;

/** Makes messages that the user did not receive and acted on, such as by a star, appear among their own from now on. */
export function keepAsHistorical(
  act: Pick<ActionContext, 'server' | 'db'>,
  userId: number,
  ids: readonly number[],
): void {
  const received = receivedAmong(
    act,
    userId,
    ids.map((id) => ({id})),
  );
  const sql = `INSERT INTO user_message (user_id, message_id, flags) SELECT ?1, value, ?2 FROM json_each(?3) WHERE TRUE
     ON CONFLICT DO UPDATE SET flags = flags | excluded.flags`;
  act.db.run(sql, userId, Flag.historical, JSON.stringify(ids.filter((id) => !received.has(id))));
}

export function flagBitsFor(flags: PersonalFlags, userId: number): number {
  return flags.special.get(userId) ?? flags.base;
}

type FlaggedTopic = {readonly channelId: number; readonly topicKey: string};

/** Returns the flags that recipients get from the text: mentions, wildcards, alert words. */
export function flagsFromText(
  act: ReadContext,
  recipients: ReadonlySet<number>,
  {mentions, alertText}: MessageAnalysis,
  topic: FlaggedTopic | undefined,
): PersonalFlags & {readonly special: Map<number, number>} {
  const base = mentions.channelWildcard ? Flag.channelWildcard : 0;
  const special = new Map<number, number>();
  const add = (id: number, bits: number) => {
    if (recipients.has(id)) special.set(id, (special.get(id) ?? base) | bits);
  };
  for (const id of mentions.userIds) add(id, Flag.mentioned | Flag.mentionedByName);
  if (mentions.groupIds.size > 0) {
    for (const id of membersAmong(act, recipients, mentions.groupIds)) add(id, Flag.mentioned);
  }
  if (mentions.topicWildcard && topic !== undefined) {
    for (const id of topicParticipants(act, topic.channelId, topic.topicKey)) add(id, Flag.topicWildcard);
  }
  for (const id of alertWordUsers(act, alertText)) add(id, Flag.alertWord);
  return {base, special};
}

function membersAmong(
  {server, now}: ReadContext,
  recipients: ReadonlySet<number>,
  groups: ReadonlySet<number>,
): number[] {
  const index = server.derivedFacts.get(groupIndex);
  const waiting = {now, days: organization({server}).waiting_period_threshold};
  // One JSON text takes a fraction of the time of fifty thousand rows.
  const sql = `SELECT json_group_array(json_object('id', id, 'role', role, 'joined_at', joined_at))
     FROM user WHERE id IN (SELECT value FROM json_each(?))`;
  const text = server.db.value<string>(sql, JSON.stringify([...recipients]));
  const people: Person[] = JSON.parse(text ?? '[]');
  return people
    .filter((person) => [...groups].some((group) => isInGroup(index, person, group, waiting)))
    .map(({id}) => id);
}

function* alertWordUsers({server}: Pick<ActionContext, 'server'>, text: string): Iterable<number> {
  const watchers = server.derivedFacts.get(alertWordWatchers);
  if (watchers.size === 0) return;
  const folded = fold(text);
  for (const [word, ids] of watchers) if (containsWord(folded, word)) yield* ids;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Returns whether the text contains the word on its own, not as part of a longer word. */
export function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? '' : text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return true;
  }
  return false;
}
