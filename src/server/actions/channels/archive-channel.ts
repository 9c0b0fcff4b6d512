import {emitChannelCreate, emitChannelDelete} from '#server/actions/events/channel-events.ts';
import {storeOrganizationSetting} from '#server/actions/organization/update-organization.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import type {EventQueue} from '#server/event-queues/event-queue.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {canAdministerChannel, channelAudience, requireVisibleChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {endpoints} from '#wire/endpoints.ts';
import {leaveDefaultChannelGroups, setDefaultChannel} from './default-channels.ts';

const supportsArchived = ({options}: EventQueue) => options.capabilities.archived_channels === true;
const lacksArchived = (reader: EventQueue) => !supportsArchived(reader);

export const archiveRoutes: readonly Route[] = [
  // Makes the channel read-only. Clients without support for archived channels get it deleted.
  route(endpoints.archiveChannel, (call, {stream_id}) => {
    const channel = requireVisibleChannel(call, call.actor, stream_id);
    if (!canAdministerChannel(call, call.actor, channel)) {
      throw badRequest('You do not have permission to administer this channel.');
    }
    if (channel.is_archived === 1) throw badRequest('Channel is already deactivated');
    forgetAnnouncements(call, channel);
    if (channel.is_default === 1) setDefaultChannel(call, channel, false);
    leaveDefaultChannelGroups(call, channel);
    call.db.run('UPDATE channel SET is_archived = 1 WHERE id = ?', channel.id);
    emitArchived(call, channel, true);
    emitChannelDelete(call, [channel], channelAudience(call, channel), lacksArchived);
  }),
];

const announcementSettings = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
] as const;

/** Clears the settings of the organization that name the channel. */
function forgetAnnouncements(act: ActionContext, channel: ChannelRow): void {
  const settings = organization(act);
  const names = announcementSettings.filter((name) => settings[name] === channel.id);
  if (names.length === 0) return;
  for (const name of names) storeOrganizationSetting(act, name, -1);
  const data = Object.fromEntries(names.map((name) => [name, -1]));
  act.emit({type: 'realm', to: 'everyone', body: {op: 'update_dict', property: 'default', data}});
}

export function unarchiveChannel(act: ActionContext, channel: ChannelRow): ChannelRow {
  if (channel.is_archived === 0) throw badRequest('Channel is not currently deactivated');
  const subscribed = 'SELECT 1 FROM subscription WHERE channel_id = ? AND active > 0 LIMIT 1';
  if (channel.invite_only === 1 && act.db.get(subscribed, channel.id) === undefined) {
    throw badRequest('Channel is private and have no subscribers');
  }
  act.db.run('UPDATE channel SET is_archived = 0 WHERE id = ?', channel.id);
  const restored = findChannel(act.db, channel.id) ?? channel;
  emitArchived(act, restored, false);
  emitChannelCreate(act, restored, channelAudience(act, restored), lacksArchived);
  return restored;
}

function emitArchived(act: ActionContext, channel: ChannelRow, isArchived: boolean): void {
  const {id, name} = channel;
  const body = {op: 'update', stream_id: id, name, property: 'is_archived', value: isArchived};
  act.emit({
    type: 'stream',
    to: channelAudience(act, channel),
    body: (reader) => (supportsArchived(reader) ? body : undefined),
  });
}
