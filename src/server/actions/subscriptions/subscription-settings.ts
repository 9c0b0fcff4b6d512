import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel, isSubscribed} from '#server/permissions/channel.ts';
import {type SubscriptionProperty, subscriptionProperties} from '#wire/objects/subscription.ts';
import {checkedColor} from './subscription-colors.ts';

export interface SubscriptionChange {
  readonly channelId: number;
  readonly property: string;
  readonly value: boolean | string;
}

/** Changes one of the actor's settings for a channel they are subscribed to. */
export function changeSubscriptionSetting(act: ActionContext, actor: UserRow, change: SubscriptionChange): void {
  const {channelId, property} = change;
  if (!isProperty(property)) throw badRequest(`Unknown subscription property: ${property}`);
  if (!isSubscribed(act, actor.id, channelId)) {
    const channel = findChannel(act.db, channelId);
    if (channel === undefined || !canReadChannel(act, actor, channel)) throw badRequest('Invalid channel ID');
    throw badRequest(`Not subscribed to channel ID ${channelId}`);
  }
  if (property === 'color') {
    const color = checkedColor(change.value);
    store(act, actor, channelId, 'color', color);
    emitUpdate(act, actor, channelId, property, color);
    return;
  }
  const {value} = change;
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
  if (property === 'is_muted' || property === 'in_home_view') {
    setMuted(act, actor, channelId, property === 'is_muted' ? value : !value);
    return;
  }
  store(act, actor, channelId, property, value ? 1 : 0);
  emitUpdate(act, actor, channelId, property, value);
}

/** Mutes or unmutes the channel and emits an event for each of the setting's two names. */
function setMuted(act: ActionContext, actor: UserRow, channelId: number, isMuted: boolean): void {
  store(act, actor, channelId, 'is_muted', isMuted ? 1 : 0);
  emitUpdate(act, actor, channelId, 'in_home_view', !isMuted);
  emitUpdate(act, actor, channelId, 'is_muted', isMuted);
}

type SubscriptionColumn = Exclude<SubscriptionProperty, 'in_home_view'>;

function store(
  act: ActionContext,
  actor: UserRow,
  channelId: number,
  column: SubscriptionColumn,
  value: number | string,
): void {
  const sql = `UPDATE subscription SET ${column} = ? WHERE user_id = ? AND channel_id = ?`;
  act.db.run(sql, value, actor.id, channelId);
}

function emitUpdate(act: ActionContext, actor: UserRow, channelId: number, property: string, value: unknown): void {
  const body = {op: 'update', stream_id: channelId, property, value};
  act.emit({type: 'subscription', to: [actor.id], body});
}

function isProperty(name: string): name is SubscriptionProperty {
  return subscriptionProperties.some((property) => property === name);
}
