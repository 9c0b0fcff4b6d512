import {checkedSetting, isSettingName} from '#server/accounts/user-settings.ts';
import {resolveEmoji} from '#server/actions/inputs.ts';
import {addLinkifier} from '#server/actions/organization/linkifiers.ts';
import {createDrafts} from '#server/actions/personal/drafts.ts';
import {createSnippet} from '#server/actions/personal/snippets.ts';
import {createReminder} from '#server/actions/schedule/reminders.ts';
import {scheduleMessage} from '#server/actions/schedule/scheduled-messages.ts';
import {unusedColors} from '#server/actions/subscriptions/subscribe-users.ts';
import {setProfileData} from '#server/actions/users/profile-data.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {accountColumns, findUser, findUserByEmail} from '#server/db/users.ts';
import {organizationDefaults} from '#server/organization/organization-settings.ts';
import {Role, SystemGroup} from '#server/organization/permission-rules.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {emojiFolder} from '#server/views/organization-items.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {type PlaceholderFiller, parseFutureTime, parsePastTime} from './plan-messages.ts';
import {
  type ChannelEntry,
  DemoDataError,
  type DemoRows,
  existing,
  type PersonEntry,
  type SourcePosition,
  type WorldFile,
  withSourcePosition,
  worldPosition,
} from './world-file.ts';

const daySeconds = 86_400;
const botTypes = {generic: 1, incoming_webhook: 2, outgoing: 3, embedded: 4} as const;
/** The time since the last activity of people. */
const secondsSince = {active: 0, idle: 20 * 60, offline: 2 * daySeconds};

/** Inserts everything that is there before the messages. */
export function insertOrganization(act: ActionContext, world: WorldFile, rows: DemoRows): void {
  insertSettings(act, world);
  insertPeople(act, world, rows);
  const owner = rows.users.values().find(({role}) => role === Role.owner);
  if (owner === undefined) throw new DemoDataError(worldPosition('people'), 'no person has the role owner');
  const fieldIds = insertProfileFields(act, world);
  for (const {name, file, author} of world.custom_emoji) {
    const authorId = rows.user(author, worldPosition(`custom_emoji.${name}`)).id;
    act.db.insertRow('realm_emoji', {name, author_id: authorId, file: emojiPath(file)});
  }
  insertProfiles(act, world, rows, fieldIds);
  insertGroups(act, world, rows, owner);
  insertChannels(act, world, rows, owner);
  insertAnnouncementChannels(act, world, rows);
  insertLinkifiers(act, world);
  insertAlertWordsAndMutedUsers(act, world, rows);
}

function insertPeople(act: ActionContext, world: WorldFile, rows: DemoRows): void {
  for (const person of world.people) {
    const source = worldPosition(`people.${person.key}`);
    addUser(act, rows, person.key, insertPerson(act, person, source), source);
  }
  for (const bot of world.bots) {
    const source = worldPosition(`bots.${bot.key}`);
    // The server has already created the system bots.
    const system = bot.system ? findUserByEmail(act.db, bot.email) : undefined;
    if (bot.system && system?.is_system_bot !== 1)
      throw new DemoDataError(source, `no system bot has the address ${bot.email}`);
    addUser(act, rows, bot.key, system?.id ?? insertBot(act, bot, rows), source);
  }
}

function addUser({db}: ActionContext, {users}: DemoRows, key: string, id: number, source: SourcePosition): void {
  if (users.has(key)) throw new DemoDataError(source, `“${key}” occurs twice`);
  users.set(key, existing(findUser(db, id), source, `“${key}” was not inserted`));
}

function insertPerson(act: ActionContext, person: PersonEntry, source: SourcePosition): number {
  for (const [name, value] of Object.entries(person.settings)) {
    if (!isSettingName(name)) throw new DemoDataError(source, `“${name}” is not a setting`);
    withSourcePosition(source, () => checkedSetting(name, value));
  }
  return act.db.insertRow('user', {
    ...accountColumns(person.email, person.full_name),
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
    ...accountColumns(bot.email, bot.full_name),
    is_bot: 1,
    bot_type: botTypes[bot.kind],
    bot_owner_id: owner.id,
    joined_at: owner.joined_at,
  });
}

/** Inserts profiles, statuses and presence; the profile fields and custom emoji must exist. */
function insertProfiles(
  act: ActionContext,
  {people}: WorldFile,
  rows: DemoRows,
  fieldIds: ReadonlyMap<string, number>,
): void {
  for (const person of people) {
    const source = worldPosition(`people.${person.key}`);
    const user = rows.user(person.key, source);
    const data = Object.entries(person.profile).map(([key, value]) => {
      const id = existing(fieldIds.get(key), source, `there is no profile field “${key}”`);
      return {id, value: typeof value === 'string' ? value : rows.userIds(value, source)};
    });
    withSourcePosition(source, () => setProfileData(act, user, user, data));
    const {status} = person;
    if (status !== undefined) {
      const emoji = withSourcePosition(source, () => resolveEmoji(act, {emoji_name: status.emoji_name}));
      act.db.insertRow('user_status', {user_id: user.id, status_text: status.text, ...emoji});
    }
    insertPresence(act, person, user.id);
  }
}

function insertPresence(act: ActionContext, {presence, deactivated}: PersonEntry, userId: number): void {
  if (deactivated) return;
  const age = typeof presence === 'number' ? presence * 60 : secondsSince[presence];
  const sql = `INSERT INTO presence (user_id, active_at, idle_at, update_id)
     SELECT ?, ?, ?, COALESCE(MAX(update_id), 0) + 1 FROM presence`;
  act.db.run(sql, userId, act.now - age, presence === 'idle' ? act.now : act.now - age);
}

function insertSettings(act: ActionContext, {organization}: WorldFile): void {
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
function insertAnnouncementChannels(act: ActionContext, {organization}: WorldFile, rows: DemoRows): void {
  const source = worldPosition('organization');
  const idOf = (key: string) => rows.channelByKey(key, source).id;
  insertSetting(act, 'new_stream_announcements_stream_id', idOf(organization.new_channel_announcements));
  insertSetting(act, 'signup_announcements_stream_id', idOf(organization.signup_announcements));
}

function insertSetting(act: ActionContext, name: string, value: unknown): void {
  act.db.replaceRow('realm_setting', {name, value: JSON.stringify(value)});
}

/** Inserts the custom profile fields and returns their ids by key. */
function insertProfileFields(act: ActionContext, {profile_fields}: WorldFile): Map<string, number> {
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

function insertLinkifiers(act: ActionContext, {linkifiers}: WorldFile): void {
  for (const linkifier of linkifiers) {
    const absent = {example_input: undefined, reverse_template: undefined, alternative_url_templates: undefined};
    withSourcePosition(worldPosition(`linkifiers.${linkifier.pattern}`), () =>
      addLinkifier(act, {...absent, ...linkifier}),
    );
  }
}

function insertGroups(act: ActionContext, {groups}: WorldFile, rows: DemoRows, owner: UserRow): void {
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
    for (const user_id of rows.userIds(group.members, source))
      act.db.insertRow('group_member', {group_id: id, user_id});
    for (const key of group.subgroups) {
      const subgroup_id = existing(ids.get(key), source, `there is no earlier group “${key}”`);
      act.db.insertRow('group_subgroup', {group_id: id, subgroup_id});
    }
  }
}

/** The value of `subscription.active` for a deactivated user, whose subscription returns with the account. */
const suspended = 2;

function insertChannels(act: ActionContext, world: WorldFile, rows: DemoRows, owner: UserRow): void {
  const folders = insertFolders(act, world, owner);
  for (const channel of world.channels) {
    const source = worldPosition(`channels.${channel.key}`);
    const folderId = channel.folder === undefined ? null : folders.get(channel.folder);
    if (folderId === undefined) throw new DemoDataError(source, `there is no folder “${channel.folder}”`);
    const id = insertChannel(act, channel, rows.user(channel.creator, source).id, folderId);
    const subscribers = subscribersOf(world, channel, rows, source);
    for (const user of subscribers) subscribe(act, id, user, channel, user.id === rows.you.id);
    const active = subscribers.filter((user) => user.is_active === 1).length;
    act.db.updateRow('channel', id, {subscriber_count: active});
    rows.channels.set(channel.key, existing(findChannel(act.db, id), source, `“${channel.key}” was not inserted`));
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

function subscribe(act: ActionContext, channelId: number, user: UserRow, {yours}: ChannelEntry, isYou: boolean): void {
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

/** Inserts the alert words and muted users of `you`; must run before the messages are inserted. */
function insertAlertWordsAndMutedUsers(act: ActionContext, world: WorldFile, rows: DemoRows): void {
  const {you} = rows;
  for (const word of world.alert_words) {
    act.db.insertRow('alert_word', {user_id: you.id, word_key: fold(word), word});
  }
  for (const key of world.muted_users) {
    const muted_id = rows.user(key, worldPosition(`muted_users.${key}`)).id;
    act.db.insertRow('muted_user', {user_id: you.id, muted_id, muted_at: act.now});
  }
}

/** Inserts the topic policies, drafts, snippets, scheduled messages, reminders and navigation views of `you`. */
export function insertYourItems(act: ActionContext, world: WorldFile, rows: DemoRows, filler: PlaceholderFiller): void {
  insertTopicPolicies(act, world, rows);
  const request: RequestContext = {...act, actor: rows.you, client: 'Parley'};
  const demo: DemoContext = {request, world, rows, filler, now: act.server.clock.now()};
  insertDrafts(demo);
  for (const [index, snippet] of world.snippets.entries()) {
    withSourcePosition(worldPosition(`snippets.${index}`), () => createSnippet(request, snippet));
  }
  insertScheduledMessages(demo);
  insertReminders(demo);
  for (const {fragment, is_pinned, name = null} of world.navigation_views) {
    act.db.insertRow('navigation_view', {user_id: rows.you.id, fragment, is_pinned: is_pinned ? 1 : 0, name});
  }
}

function insertTopicPolicies(act: ActionContext, {topics}: WorldFile, rows: DemoRows): void {
  for (const [index, {channel, topic, policy, no_messages}] of topics.entries()) {
    const source = worldPosition(`topics.${index}`);
    const {id} = rows.channel(channel, source);
    const exists = 'SELECT 1 FROM message WHERE channel_id = ? AND topic_key = ? LIMIT 1';
    if ((act.db.get(exists, id, fold(topic)) === undefined) !== no_messages) {
      throw new DemoDataError(source, `“${topic}” ${no_messages ? 'has' : 'has no'} messages`);
    }
    act.db.insertRow('user_topic', {
      user_id: rows.you.id,
      channel_id: id,
      topic_key: fold(topic),
      topic_name: topic,
      policy: visibilityPolicies[policy],
      updated_at: act.now,
    });
  }
}

type Destination = Pick<WorldFile['drafts'][number], 'channel' | 'topic' | 'to'>;

function resolveDestination({channel, topic = '', to}: Destination, rows: DemoRows, source: SourcePosition) {
  if (channel !== undefined) return {type: 'stream' as const, to: [rows.channel(channel, source).id], topic};
  if (to === undefined) return {type: '' as const, to: [], topic: ''};
  return {type: 'private' as const, to: rows.userIds(to, source), topic: ''};
}

interface DemoContext {
  readonly request: RequestContext;
  readonly world: WorldFile;
  readonly rows: DemoRows;
  readonly filler: PlaceholderFiller;
  readonly now: number;
}

function insertDrafts({request, world, rows, filler, now}: DemoContext): void {
  // Oldest first, so that ids ascend with time.
  const timed = world.drafts
    .map((draft, index) => {
      const source = worldPosition(`drafts.${index}`);
      return {draft, source, edited: withSourcePosition(source, () => parsePastTime(draft.edited, now))};
    })
    .sort((a, b) => a.edited - b.edited);
  for (const {draft, source, edited} of timed) {
    const content = filler.fill(draft.content, source);
    const input = {...resolveDestination(draft, rows, source), content, timestamp: Math.floor(edited / 1000)};
    withSourcePosition(source, () => createDrafts(request, [input]));
  }
}

function insertScheduledMessages({request, world, rows, filler, now}: DemoContext): void {
  for (const [index, entry] of world.scheduled.entries()) {
    const source = worldPosition(`scheduled.${index}`);
    const {type, to, topic} = resolveDestination(entry, rows, source);
    if (type === '') throw new DemoDataError(source, 'a scheduled message needs a channel or people');
    withSourcePosition(source, () =>
      scheduleMessage(request, {
        type,
        to: type === 'stream' ? Number(to[0]) : to,
        topic,
        content: filler.fill(entry.content, source),
        scheduled_delivery_timestamp: Math.floor(parseFutureTime(entry.at, now) / 1000),
        read_by_sender: true,
      }),
    );
  }
}

function insertReminders({request, world, filler, now}: DemoContext): void {
  for (const [index, {message, note, at: time}] of world.reminders.entries()) {
    const source = worldPosition(`reminders.${index}`);
    const message_id = filler.labelledMessage(message, source).id;
    withSourcePosition(source, () => {
      const scheduled_delivery_timestamp = Math.floor(parseFutureTime(time, now) / 1000);
      createReminder(request, {message_id, scheduled_delivery_timestamp, note});
    });
  }
}
