import type {ActionContext, RequestContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {isSubscribed, requireActive, requireReadableChannel} from '#server/permissions/channel.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {type SubscriptionProperty, subscriptionProperties} from '#wire/objects/channel.ts';

type SubscriptionChange = ParamsOf<typeof endpoints.updateSubscription>;

export const subscriptionSettingRoutes: readonly Route[] = [
  route(endpoints.updateSubscription, (call, change) => {
    checkSubscriptionChange(change);
    changeSubscriptionSetting(call, change);
  }),
  route(endpoints.updateSubscriptions, (call, {subscription_data}) => {
    for (const [index, change] of subscription_data.entries()) {
      checkSubscriptionChange(change, `subscription_data[${index}]`);
    }
    for (const change of subscription_data) changeSubscriptionSetting(call, change);
    return {};
  }),
];

/** Throws if the property does not exist or cannot have the value. */
function checkSubscriptionChange({property, value}: SubscriptionChange, where?: string): void {
  if (!isProperty(property)) throw badRequest(`Unknown subscription property: ${property}`);
  if (property === 'color') checkColor(value, 'color', where);
  else if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`);
}

/** Changes one of the actor's settings for a channel they are subscribed to. The change is checked already. */
function changeSubscriptionSetting(act: RequestContext, change: SubscriptionChange): void {
  const {stream_id: channelId, property, value} = change;
  requireActive(requireReadableChannel(act, act.actor, channelId));
  if (!isSubscribed(act, act.actor.id, channelId)) throw badRequest(`Not subscribed to channel ID ${channelId}`);
  if (!isProperty(property)) return;
  if (property === 'is_muted' || property === 'in_home_view') {
    setMuted(act, channelId, (property === 'is_muted') === value);
    return;
  }
  store(act, channelId, property, typeof value === 'string' ? value : Number(value));
  emitUpdate(act, channelId, property, value);
}

/** Mutes or unmutes the channel and emits an event for each of the setting's two names. */
function setMuted(act: RequestContext, channelId: number, isMuted: boolean): void {
  store(act, channelId, 'is_muted', isMuted ? 1 : 0);
  emitUpdate(act, channelId, 'in_home_view', !isMuted);
  emitUpdate(act, channelId, 'is_muted', isMuted);
}

function store({db, actor}: RequestContext, channelId: number, column: string, value: number | string): void {
  db.run(`UPDATE subscription SET ${column} = ? WHERE user_id = ? AND channel_id = ?`, value, actor.id, channelId);
}

function emitUpdate(act: RequestContext, channelId: number, property: string, value: unknown): void {
  const body = {op: 'update', stream_id: channelId, property, value};
  act.emit({type: 'subscription', to: [act.actor.id], body});
}

function isProperty(name: string): name is SubscriptionProperty {
  return subscriptionProperties.some((property) => property === name);
}

/** The colors of new subscriptions, in the order in which Zulip's servers assign them. */
const palette = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const;

/** Returns for each user the first color that none of their channels has. */
export function unusedColors({db}: Pick<ActionContext, 'db'>, userIds: readonly number[]): Map<number, string> {
  const sql = `SELECT user_id, group_concat(color, ' ') AS colors FROM subscription
     WHERE user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id`;
  const rows = db.all<{user_id: number; colors: string}>(sql, JSON.stringify(userIds));
  const used = new Map(rows.map(({user_id, colors}) => [user_id, colors]));
  return new Map(userIds.map((id) => [id, unusedColor(used.get(id) ?? '')]));
}

function unusedColor(used: string): string {
  const unused = palette.find((color) => !used.includes(color));
  return unused ?? palette[new Set(used.split(' ')).size % palette.length] ?? palette[0];
}

/** Throws unless the value is a color. `name` and `where` are what the error calls the value and the item it is in. */
export function checkColor(value: unknown, name: string, where?: string): void {
  if (typeof value === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(value)) return;
  const problem = `${name} is not a valid hex color code`;
  throw badRequest(where === undefined ? problem : `Invalid ${where}: Value error, ${problem}`);
}
