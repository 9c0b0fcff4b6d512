import type {ChannelUpdate} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {
  type ChannelPermission,
  type ChannelPermissions,
  canReadChannel,
  channelPermissions,
} from '#server/permissions/channel.ts';
import {canonicalGroupSetting, changesGroupSetting, checkedGroupSetting} from '#server/permissions/group-setting.ts';
import {channelPermissionRules} from '#server/permissions/permission-rules.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import {channelView} from '#server/views/channel.ts';
import {channelSettingNames} from '#wire/objects/channel.ts';
import type {GroupSettingChange} from '#wire/objects/group-setting.ts';
import {checkCanSetPermission, checkTopicCreators} from './create-channel.ts';
import {writeChannelChanges} from './write-channel-changes.ts';

export type ChannelPermissionChanges = {
  readonly [K in ChannelPermission]?: GroupSettingChange | undefined;
} & {
  readonly stream_post_policy?: number | undefined;
};

/** Permissions that let users read a private channel, so only users who can read it may grant them. */
const contentPermissions: ReadonlySet<string> = new Set(['can_add_subscribers_group', 'can_subscribe_group']);

/** The group for each value of the older `stream_post_policy`. */
const groupOfPostPolicy = new Map<number, number>([
  [1, SystemGroup.everyone],
  [2, SystemGroup.administrators],
  [3, SystemGroup.fullMembers],
  [4, SystemGroup.moderators],
]);

export function updateChannelPermissions(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  changes: ChannelPermissionChanges,
): ChannelRow {
  const current = channelPermissions(channel);
  const requested = withPostPolicy(changes);
  const changed: Partial<ChannelPermissions> = {};
  for (const name of channelSettingNames) {
    const change = requested[name];
    const rule = channelPermissionRules[name];
    if (change === undefined || rule === undefined) continue;
    checkCanSetPermission(act, actor, name);
    if (!changesGroupSetting(change, current[name])) continue;
    if (name === 'can_create_topic_group') {
      checkTopicCreators(channel.history_public_to_subscribers === 1, canonicalGroupSetting(change.new));
    }
    if (contentPermissions.has(name) && !canReadChannel(act, actor, channel)) {
      throw badRequest('Channel content access is required.');
    }
    changed[name] = checkedGroupSetting(act, name, change.new, rule);
  }
  if (Object.keys(changed).length === 0) return channel;
  const permissions = JSON.stringify({...JSON.parse(channel.permissions), ...changed});
  const updates = Object.entries(changed).flatMap(([property, value]): ChannelUpdate[] => [
    {property, value},
    ...(property === 'can_send_message_group' ? legacyPostingUpdates(act, channel, permissions) : []),
  ]);
  return writeChannelChanges(act, channel, {permissions}, updates);
}

function withPostPolicy(changes: ChannelPermissionChanges): ChannelPermissionChanges {
  if (changes.stream_post_policy === undefined) return changes;
  const group = groupOfPostPolicy.get(changes.stream_post_policy);
  if (group === undefined) throw badRequest('Invalid stream_post_policy');
  return {...changes, can_send_message_group: {new: group}};
}

/** Returns updates of the two legacy fields about posting, if the policy changed too. */
function legacyPostingUpdates(act: ActionContext, channel: ChannelRow, permissions: string): ChannelUpdate[] {
  const before = channelView(act, channel);
  const after = channelView(act, {...channel, permissions});
  if (before.stream_post_policy === after.stream_post_policy) return [];
  return (['stream_post_policy', 'is_announcement_only'] as const).map((property) => ({
    property,
    value: after[property],
  }));
}
