import {unusedColors} from '#server/actions/subscriptions/subscription-colors.ts';
import type {ActionContext} from '#server/context.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {Role, SystemGroup} from '#server/permissions/system-groups.ts';
import {DemoDataError, type SourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import type {ChannelEntry, WorldFile} from './world-file.ts';

const daySeconds = 86_400;
/** The value of `subscription.active` for a deactivated user, whose subscription returns with the account. */
const suspended = 2;
const positionOf = (path: string): SourcePosition => ({file: 'world.json', position: path});

export function insertChannels(act: ActionContext, world: WorldFile, rows: DemoRows, owner: UserRow): void {
  const folders = insertFolders(act, world, owner);
  for (const channel of world.channels) {
    const source = positionOf(`channels.${channel.key}`);
    const folderId = channel.folder === undefined ? null : folders.get(channel.folder);
    if (folderId === undefined) throw new DemoDataError(source, `there is no folder “${channel.folder}”`);
    const id = insertChannel(act, channel, rows.user(channel.creator, source).id, folderId);
    const subscribers = subscribersOf(world, channel, rows, source);
    for (const user of subscribers) subscribe(act, id, user, channel.yours, rows);
    const active = subscribers.filter((user) => user.is_active === 1).length;
    act.db.run('UPDATE channel SET subscriber_count = ? WHERE id = ?', active, id);
    rows.addChannel(channel.key, id, source);
  }
}

function insertFolders(act: ActionContext, {folders}: WorldFile, owner: UserRow): Map<string, number> {
  return new Map(
    folders.map(({key, name, description, order}) => [
      key,
      act.db.insert(
        `INSERT INTO channel_folder (name, name_key, description, sort_order, created_at, creator_id)
         VALUES (?, ?, ?, ?, ?, ?)`,
        name,
        fold(name),
        description,
        order,
        owner.joined_at,
        owner.id,
      ),
    ]),
  );
}

function insertChannel(act: ActionContext, channel: ChannelEntry, creatorId: number, folderId: number | null): number {
  const permissions: Partial<ChannelPermissions> = {
    can_administer_channel_group: {direct_members: [creatorId], direct_subgroups: []},
    ...(channel.announcement_only ? {can_send_message_group: SystemGroup.administrators} : {}),
  };
  const bit = (value: boolean) => (value ? 1 : 0);
  return act.db.insert(
    `INSERT INTO channel (name, name_key, description, created_at, creator_id, invite_only, is_web_public,
       history_public_to_subscribers, is_archived, is_default, folder_id, topics_policy, permissions)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    channel.name,
    fold(channel.name),
    channel.description,
    act.now - channel.created_days_ago * daySeconds,
    creatorId,
    bit(channel.private),
    bit(channel.web_public),
    bit(!channel.protected_history),
    bit(channel.archived),
    bit(channel.default),
    folderId,
    channel.topics_policy,
    JSON.stringify(permissions),
  );
}

function subscribersOf(world: WorldFile, channel: ChannelEntry, rows: DemoRows, source: SourcePosition): UserRow[] {
  const keys = channel.subscribers === 'everyone' ? world.people.map(({key}) => key) : channel.subscribers;
  const users = keys.map((key) => rows.user(key, source));
  const subscribers =
    channel.subscribers === 'everyone' ? users.filter((user) => user.role < Role.guest && user.is_active === 1) : users;
  if (subscribers.includes(rows.you) !== channel.yours.subscribed) {
    throw new DemoDataError(source, '“subscribers” and “yours.subscribed” do not agree about you');
  }
  return subscribers;
}

function subscribe(
  act: ActionContext,
  channelId: number,
  user: UserRow,
  yours: ChannelEntry['yours'],
  {you}: DemoRows,
): void {
  const isYou = user.id === you.id;
  const color = isYou ? yours.color : unusedColors(act, [user.id]).get(user.id);
  act.db.run(
    'INSERT INTO subscription (user_id, channel_id, active, color, is_muted, pin_to_top) VALUES (?, ?, ?, ?, ?, ?)',
    user.id,
    channelId,
    user.is_active === 1 ? 1 : suspended,
    color ?? yours.color,
    isYou && yours.muted ? 1 : 0,
    isYou && yours.pinned ? 1 : 0,
  );
  act.db.run('INSERT INTO subscription_period (user_id, channel_id, since_id) VALUES (?, ?, 1)', user.id, channelId);
}

/**
 * Sets the first and last message of each channel, the last message that deactivated users received, and where unread
 * messages without a row can begin.
 */
export function fillMessageBounds(act: ActionContext): void {
  act.db.run(
    `UPDATE channel SET
       first_message_id = (SELECT MIN(id) FROM message WHERE channel_id = channel.id),
       last_message_at = (SELECT MAX(sent_at) FROM message WHERE channel_id = channel.id)`,
  );
  act.db.run(
    `UPDATE subscription_period SET until_id = 1 + (SELECT MAX(id) FROM message WHERE sender_id = user_id)
     WHERE user_id IN (SELECT id FROM user WHERE is_active = 0)`,
  );
  act.db.run('UPDATE subscription SET unread_since = ?', nextMessageId(act.db));
}
