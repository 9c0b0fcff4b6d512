import {checkedSetting, isSettingName} from '#server/accounts/user-settings.ts';
import {resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import {addLinkifier} from '#server/actions/organization/organization-lists.ts';
import {unusedColors} from '#server/actions/subscriptions/subscription-settings.ts';
import {setProfileData} from '#server/actions/users/profile-data.ts';
import type {ActionContext} from '#server/context.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {organizationDefaults} from '#server/organization/organization-settings.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {Role, SystemGroup} from '#server/permissions/permission-rules.ts';
import {required} from '#server/required.ts';
import {emojiFolder} from '#server/views/organization-items.ts';
import type {DemoRows} from './demo-data.ts';
import {
  type ChannelEntry,
  DemoDataError,
  type PersonEntry,
  type SourcePosition,
  type WorldFile,
  withSourcePosition,
  worldPosition,
} from './world-file.ts';

const daySeconds = 86_400;
const botTypes = {generic: 1, incoming_webhook: 2, outgoing: 3, embedded: 4} as const;
/** The time since the last activity of idle and of offline people. */
const idleSeconds = 20 * 60;
const offlineSeconds = 2 * daySeconds;

export function insertPeople(act: ActionContext, world: WorldFile, rows: DemoRows): void {
  for (const person of world.people) {
    const source = worldPosition(`people.${person.key}`);
    rows.addUser(person.key, insertPerson(act, person, source), source, person.you);
  }
  for (const bot of world.bots) {
    const source = worldPosition(`bots.${bot.key}`);
    rows.addUser(bot.key, bot.system ? systemBot(act, bot.email, source) : insertBot(act, bot, rows), source);
  }
}

function insertPerson(act: ActionContext, person: PersonEntry, source: SourcePosition): number {
  for (const [name, value] of Object.entries(person.settings)) {
    if (!isSettingName(name)) throw new DemoDataError(source, `“${name}” is not a setting`);
    withSourcePosition(source, () => checkedSetting(name, value));
  }
  return act.db.insertRow('user', {
    delivery_email: person.email,
    email_key: fold(person.email),
    full_name: person.full_name,
    name_key: fold(person.full_name),
    role: Role[person.role],
    is_active: person.deactivated ? 0 : 1,
    timezone: person.timezone,
    settings: JSON.stringify(person.settings),
    joined_at: act.now - person.joined_days_ago * daySeconds,
  });
}

function insertBot(act: ActionContext, bot: WorldFile['bots'][number], rows: DemoRows): number {
  const source = worldPosition(`bots.${bot.key}`);
  const owner = rows.user(bot.owner ?? '', source);
  return act.db.insertRow('user', {
    delivery_email: bot.email,
    email_key: fold(bot.email),
    full_name: bot.full_name,
    name_key: fold(bot.full_name),
    is_bot: 1,
    bot_type: botTypes[bot.kind],
    bot_owner_id: owner.id,
    joined_at: owner.joined_at,
  });
}

/** Returns the id of a system bot, which the server has already created. */
function systemBot(act: ActionContext, email: string, source: SourcePosition): number {
  const user = findUserByEmail(act.db, email);
  if (user?.is_system_bot !== 1) throw new DemoDataError(source, `no system bot has the address ${email}`);
  return user.id;
}

/** Inserts profiles, statuses and presence; the profile fields and custom emoji must exist. */
export function insertProfiles(
  act: ActionContext,
  {people}: WorldFile,
  rows: DemoRows,
  fieldIds: ReadonlyMap<string, number>,
): void {
  for (const person of people) {
    const source = worldPosition(`people.${person.key}`);
    const user = rows.user(person.key, source);
    const data = Object.entries(person.profile).map(([key, value]) => {
      const id = required(fieldIds.get(key), () => new DemoDataError(source, `there is no profile field “${key}”`));
      return {id, value: typeof value === 'string' ? value : value.map((name) => rows.user(name, source).id)};
    });
    withSourcePosition(source, () => setProfileData(act, user, user, data));
    insertStatus(act, person, user.id, source);
    insertPresence(act, person, user.id);
  }
}

function insertStatus(act: ActionContext, {status}: PersonEntry, userId: number, source: SourcePosition): void {
  if (status === undefined) return;
  const emoji = withSourcePosition(source, () => resolveEmoji(act, {emoji_name: status.emoji_name}));
  act.db.insertRow('user_status', {
    user_id: userId,
    status_text: status.text,
    emoji_name: emoji.emoji_name,
    emoji_code: emoji.emoji_code,
    reaction_type: emoji.reaction_type,
  });
}

function insertPresence(act: ActionContext, {presence, deactivated}: PersonEntry, userId: number): void {
  if (deactivated) return;
  const {now} = act;
  const [activeAt, idleAt] =
    presence === 'active'
      ? [now, now]
      : presence === 'idle'
        ? [now - idleSeconds, now]
        : presence === 'offline'
          ? [now - offlineSeconds, now - offlineSeconds]
          : [now - presence * 60, now - presence * 60];
  const sql = `INSERT INTO presence (user_id, active_at, idle_at, update_id)
     SELECT ?, ?, ?, COALESCE(MAX(update_id), 0) + 1 FROM presence`;
  act.db.run(sql, userId, activeAt, idleAt);
}

export function insertSettings(act: ActionContext, {organization}: WorldFile): void {
  const createdAt = act.now - organization.created_days_ago * daySeconds;
  act.db.run(`UPDATE meta SET value = ? WHERE key = 'created_at'`, String(createdAt));
  act.db.run('UPDATE user SET joined_at = ? WHERE is_system_bot = 1', createdAt);
  for (const [name, value] of Object.entries(organization.settings)) {
    if (!Object.hasOwn(organizationDefaults, name)) {
      throw new DemoDataError(worldPosition('organization.settings'), `“${name}” is not a setting`);
    }
    insertSetting(act, name, value);
  }
}

/** Sets the channels of the server's announcements; the channels must exist. */
export function insertAnnouncementChannels(act: ActionContext, {organization}: WorldFile, rows: DemoRows): void {
  const source = worldPosition('organization');
  const idOf = (key: string) => rows.channelByKey(key, source).id;
  insertSetting(act, 'new_stream_announcements_stream_id', idOf(organization.new_channel_announcements));
  insertSetting(act, 'signup_announcements_stream_id', idOf(organization.signup_announcements));
}

function insertSetting(act: ActionContext, name: string, value: unknown): void {
  act.db.replaceRow('realm_setting', {name, value: JSON.stringify(value)});
}

/** Inserts the custom profile fields and returns their ids by key. */
export function insertProfileFields(act: ActionContext, {profile_fields}: WorldFile): Map<string, number> {
  return new Map(
    profile_fields.map((field, index) => [
      field.key,
      act.db.insertRow('profile_field', {
        name: field.name,
        hint: field.hint,
        type: field.type,
        field_data: field.field_data === '' ? '' : JSON.stringify(field.field_data),
        sort_order: index + 1,
        display_in_profile_summary: field.display_in_profile_summary ? 1 : 0,
      }),
    ]),
  );
}

/** Returns the path of a custom emoji's image in the file store. */
export function emojiPath(file: string): string {
  return `${emojiFolder}/${file}`;
}

export function insertCustomEmoji(act: ActionContext, {custom_emoji}: WorldFile, rows: DemoRows): void {
  for (const {name, file, author} of custom_emoji) {
    const authorId = rows.user(author, worldPosition(`custom_emoji.${name}`)).id;
    act.db.insertRow('realm_emoji', {name, author_id: authorId, file: emojiPath(file)});
  }
}

export function insertLinkifiers(act: ActionContext, {linkifiers}: WorldFile): void {
  for (const linkifier of linkifiers) {
    withSourcePosition(worldPosition(`linkifiers.${linkifier.pattern}`), () =>
      addLinkifier(act, {
        pattern: linkifier.pattern,
        url_template: linkifier.url_template,
        example_input: linkifier.example_input,
        reverse_template: linkifier.reverse_template,
        alternative_url_templates: undefined,
      }),
    );
  }
}

export function insertGroups(act: ActionContext, {groups}: WorldFile, rows: DemoRows, owner: UserRow): void {
  const ids = new Map<string, number>();
  for (const group of groups) {
    const source = worldPosition(`groups.${group.key}`);
    const id = act.db.insertRow('user_group', {
      name: group.name,
      name_key: fold(group.name),
      description: group.description,
      created_at: owner.joined_at,
      creator_id: owner.id,
    });
    ids.set(group.key, id);
    for (const member of group.members) {
      const userId = rows.user(member, source).id;
      act.db.insertRow('group_member', {group_id: id, user_id: userId});
    }
    for (const key of group.subgroups) {
      const subgroup = required(ids.get(key), () => new DemoDataError(source, `there is no earlier group “${key}”`));
      act.db.insertRow('group_subgroup', {group_id: id, subgroup_id: subgroup});
    }
  }
}

/** The value of `subscription.active` for a deactivated user, whose subscription returns with the account. */
const suspended = 2;

export function insertChannels(act: ActionContext, world: WorldFile, rows: DemoRows, owner: UserRow): void {
  const folders = insertFolders(act, world, owner);
  for (const channel of world.channels) {
    const source = worldPosition(`channels.${channel.key}`);
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
      act.db.insertRow('channel_folder', {
        name,
        name_key: fold(name),
        description,
        sort_order: order,
        created_at: owner.joined_at,
        creator_id: owner.id,
      }),
    ]),
  );
}

function insertChannel(act: ActionContext, channel: ChannelEntry, creatorId: number, folderId: number | null): number {
  const permissions: Partial<ChannelPermissions> = {
    can_administer_channel_group: {direct_members: [creatorId], direct_subgroups: []},
    ...(channel.announcement_only ? {can_send_message_group: SystemGroup.administrators} : {}),
  };
  const bit = (value: boolean) => (value ? 1 : 0);
  return act.db.insertRow('channel', {
    name: channel.name,
    name_key: fold(channel.name),
    description: channel.description,
    created_at: act.now - channel.created_days_ago * daySeconds,
    creator_id: creatorId,
    invite_only: bit(channel.private),
    is_web_public: bit(channel.web_public),
    history_public_to_subscribers: bit(!channel.protected_history),
    is_archived: bit(channel.archived),
    is_default: bit(channel.default),
    folder_id: folderId,
    topics_policy: channel.topics_policy,
    permissions: JSON.stringify(permissions),
  });
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
  act.db.insertRow('subscription', {
    user_id: user.id,
    channel_id: channelId,
    active: user.is_active === 1 ? 1 : suspended,
    color: color ?? yours.color,
    is_muted: isYou && yours.muted ? 1 : 0,
    pin_to_top: isYou && yours.pinned ? 1 : 0,
  });
  act.db.insertRow('subscription_period', {user_id: user.id, channel_id: channelId, since_id: 1});
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
