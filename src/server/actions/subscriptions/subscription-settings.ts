import type {RequestContext} from '#server/context.ts';
import {badRequest, check} from '#server/errors.ts';
import {isSubscribed, requireOpenChannel} from '#server/permissions/channel.ts';
import {type Route, route} from '#server/route.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {type SubscriptionProperty, subscriptionProperties} from '#wire/objects/channel.ts';
import {checkColor} from './subscribe-users.ts';

type SubscriptionChange = ParamsOf<typeof endpoints.updateSubscription>;

export const subscriptionSettingRoutes: readonly Route[] = [
  route(endpoints.updateSubscription, 'account', (call, change) => {
    checkSubscriptionChange(change);
    changeSubscriptionSetting(call, change);
  }),
  route(endpoints.updateSubscriptions, 'account', (call, {subscription_data}) => {
    for (const [index, change] of subscription_data.entries()) {
      checkSubscriptionChange(change, `subscription_data[${index}]`);
    }
    for (const change of subscription_data) changeSubscriptionSetting(call, change);
    return {};
  }),
];

/** Throws if the property does not exist or cannot have the value. */
function checkSubscriptionChange({property, value}: SubscriptionChange, where?: string): void {
  check(isProperty(property), `Unknown subscription property: ${property}`);
  if (property === 'color') checkColor(value, 'color', where);
  else if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
}

/** Changes one of the actor's settings for a channel they are subscribed to. The change is checked already. */
function changeSubscriptionSetting(act: RequestContext, change: SubscriptionChange): void {
  const {stream_id: channelId, property, value} = change;
  requireOpenChannel(act, act.actor, channelId);
  check(isSubscribed(act, act.actor.id, channelId), `Not subscribed to channel ID ${channelId}`);
  if (!isProperty(property)) return;
  if (property === 'is_muted' || property === 'in_home_view') {
    setMuted(act, channelId, (property === 'is_muted') === value);
    return;
  }
  storeSetting(act, channelId, property, typeof value === 'string' ? value : Number(value));
  emitSetting(act, channelId, property, value);
}

/** Mutes or unmutes the channel and emits an event for each of the setting's two names. */
function setMuted(act: RequestContext, channelId: number, isMuted: boolean): void {
  storeSetting(act, channelId, 'is_muted', isMuted ? 1 : 0);
  emitSetting(act, channelId, 'in_home_view', !isMuted);
  emitSetting(act, channelId, 'is_muted', isMuted);
}

function storeSetting({db, actor}: RequestContext, channelId: number, column: string, value: number | string): void {
  db.run(`UPDATE subscription SET ${column} = ? WHERE user_id = ? AND channel_id = ?`, value, actor.id, channelId);
}

function emitSetting(act: RequestContext, channelId: number, property: string, value: unknown): void {
  act.emit('subscription', [act.actor.id], {op: 'update', stream_id: channelId, property, value});
}

function isProperty(name: string): name is SubscriptionProperty {
  return subscriptionProperties.some((property) => property === name);
}
