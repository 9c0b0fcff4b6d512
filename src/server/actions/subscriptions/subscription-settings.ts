import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {isSubscribed} from '#server/permissions/channel.ts';
import {requireActive, requireReadableChannel} from '#server/permissions/channel-access.ts';
import {type SubscriptionProperty, subscriptionProperties} from '#wire/objects/subscription.ts';
import {checkColor} from './subscription-colors.ts';

export interface SubscriptionChange {
  readonly channelId: number;
  readonly property: string;
  readonly value: boolean | string;
}

/** Throws if the property does not exist or cannot have the value. */
export function checkSubscriptionChange(
  {property, value}: Omit<SubscriptionChange, 'channelId'>,
  where?: string,
): void {
  if (!isProperty(property)) throw badRequest(`Unknown subscription property: ${property}`);
  if (property === 'color') checkColor(value, 'color', where);
  else if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
}

/** Changes one of the actor's settings for a channel they are subscribed to. The change is checked already. */
export function changeSubscriptionSetting(act: ActionContext, actor: UserRow, change: SubscriptionChange): void {
  const {channelId, property, value} = change;
  requireActive(requireReadableChannel(act, actor, channelId));
  if (!isSubscribed(act, actor.id, channelId)) throw badRequest(`Not subscribed to channel ID ${channelId}`);
  if (!isProperty(property)) return;
  if (property === 'is_muted' || property === 'in_home_view') {
    setMuted(act, actor, channelId, (property === 'is_muted') === value);
    return;
  }
  store(act, actor, channelId, property, typeof value === 'string' ? value : Number(value));
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
