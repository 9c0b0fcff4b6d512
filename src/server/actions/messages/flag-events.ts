import type {ActionContext} from '#server/context.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {byCapability} from '#server/event-queues/event-queue.ts';
import {TopicPolicies} from '#server/narrow/scope-parts.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import type {editableFlags} from '#wire/objects/message.ts';

export type EditableFlag = (typeof editableFlags)[number];
export type FlagOp = 'add' | 'remove';

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
