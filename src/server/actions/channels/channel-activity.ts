import {emitChannelUpdate} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {channelAudience} from '#server/permissions/channel.ts';
import {activeWithinSeconds} from '#server/views/channel.ts';

/** Updates the channel's first message, without an event, and the time of its last message after a send. */
export function recordChannelActivity(act: ActionContext, channel: ChannelRow, messageId: number): void {
  if (channel.first_message_id === null) {
    const sql = 'UPDATE channel SET first_message_id = ? WHERE id = ? AND first_message_id IS NULL';
    act.db.run(sql, messageId, channel.id);
  }
  if (channel.last_message_at === act.now) return;
  act.db.run('UPDATE channel SET last_message_at = ? WHERE id = ?', act.now, channel.id);
  const lastActivity = channel.last_message_at ?? channel.created_at;
  if (act.now - lastActivity >= activeWithinSeconds) emitProperty(act, channel, 'is_recently_active', true);
}

/** Recomputes the channel's first message if it was deleted. As on Zulip's servers, a move does not change it. */
export function updateFirstMessage(act: ActionContext, channelId: number, deletedIds: readonly number[]): void {
  const channel = findChannel(act.db, channelId);
  if (channel?.first_message_id == null || !deletedIds.includes(channel.first_message_id)) return;
  const sql = 'SELECT MIN(id) FROM message WHERE channel_id = ?';
  const oldest = act.db.value<number | null>(sql, channelId) ?? null;
  act.db.run('UPDATE channel SET first_message_id = ? WHERE id = ?', oldest, channelId);
  emitProperty(act, channel, 'first_message_id', oldest);
}

function emitProperty(act: ActionContext, channel: ChannelRow, property: string, value: unknown): void {
  emitChannelUpdate(act, channel, {property, value}, channelAudience(act, channel));
}
