import {requireParameters} from '#api/encode-request.ts';
import {conversationNeeds, type StateNeeds} from '#cli/account-access/with-state.ts';
import {exitCodes, PlainFailure, UsageError} from '#cli/io.ts';
import {
  channelArgument,
  namesUsers,
  permissionArguments,
  permissionChanges,
  requirePermission,
  userArgument,
} from '#cli/name-arguments.ts';
import {cutTableText} from '#cli/table-lines.ts';
import {announcesNowhere, type ChannelChange, createChannel, updateChannel} from '#state/actions/channels.ts';
import type {Channel} from '#state/model/channel.ts';
import {foldName} from '#state/model/user.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import {canAdministerChannel, canCreateChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {didYouMean} from '#std/similar-names.ts';
import {endpoints} from '#wire/endpoints.ts';
import {channelSettingNames} from '#wire/objects/channel.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {changeEach, sessionVerb, stateVerb} from './account-verb.ts';
import {fetchedUsers, userJson, userLines} from './user.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

const needs = {fetch: conversationNeeds, people: 'self'} as const;

export const channelList: VerbRunner<'channel list'> = stateVerb(needs, async ({state, io, values, words}) => {
  const query = words.join(' ').trim();
  const shown = [...state.channels.values()]
    .map((channel) => listedChannel(state, channel))
    .filter(
      ({name, description, isArchived, isSubscribed}) =>
        (values.archived || !isArchived) &&
        (!values.subscribed || isSubscribed) &&
        [name, description].some((text) => text.toLowerCase().includes(query.toLowerCase())),
    );
  const listed = sortedByName(shown, ({name}) => name);
  const hint = values.archived ? '' : ' Use --archived to include archived ones.';
  return {
    json: listed,
    text: listed.length === 0 ? undefined : cutTableText(io, listed.map(channelCells)),
    ...(listed.length === 0 &&
      query !== '' && {notice: composed`No channels match “${query}”.${hint}`, exitCode: exitCodes.failed}),
  };
});

function listedChannel({subscriptions}: AccountState, channel: Channel) {
  const subscription = subscriptions.get(channel.id);
  return {
    id: channel.id,
    name: channel.name,
    description: channel.description,
    isPrivate: channel.isPrivate,
    isWebPublic: channel.isWebPublic ?? false,
    isArchived: channel.isArchived ?? false,
    isSubscribed: subscription?.isSubscribed === true,
    isMuted: subscription?.isMuted ?? false,
    subscriberCount: channel.subscriberCount ?? null,
    messageRetentionDays: channel.messageRetentionDays ?? null,
    topicsPolicy: channel.topicsPolicy ?? null,
    folderId: channel.folderId ?? null,
    creatorId: channel.creatorId ?? null,
    dateCreated: channel.dateCreated ?? null,
  };
}

function channelCells(channel: ReturnType<typeof listedChannel>): string[] {
  const {subscriberCount} = channel;
  const marks = [
    ...(channel.isWebPublic ? ['web-public'] : channel.isPrivate ? ['private'] : []),
    ...(channel.isArchived ? ['archived'] : []),
    ...(channel.isSubscribed ? ['subscribed'] : []),
  ];
  const count = subscriberCount === null ? '' : countedNoun(subscriberCount, 'subscriber');
  return [String(channel.id), composed`#${channel.name}`, marks.join(', '), count, channel.description];
}

export const channelMembers: VerbRunner<'channel members'> = stateVerb(needs, async ({api, state, words, matching}) => {
  const channel = channelArgument(state, words[0] ?? '', matching);
  const {subscribers} = await api.getSubscribers({stream_id: channel.id});
  const users = await fetchedUsers(api, subscribers);
  return {json: users.map(userJson), text: users.length === 0 ? 'No subscribers.' : userLines(users)};
});

export const channelCreate: VerbRunner<'channel create'> = sessionVerb(
  ({values}) => settingNeeds(values, values.user),
  async ({api, state, io, session, values, words}) => {
    const name = (words[0] ?? '').trim().replace(/^#/, '');
    checkChannelName(state, name);
    const {is_private: invite_only, ...access} = privacies[values.privacy ?? 'public'];
    const kind = access.is_web_public ? 'webPublic' : invite_only ? 'private' : 'public';
    requirePermission(canCreateChannel(state, kind, io.clock.now()));
    const permissions = permissionArguments(state, channelSettingNames, values.permission);
    const {folder_id, ...settings} = commonSettings(state, values);
    const given = {...settings, ...(folder_id !== undefined && {folder_id}), ...permissions};
    requireParameters(endpoints.createChannel, Object.keys(given), api.connection.level);
    const channel = {
      name,
      description: values.description ?? '',
      subscribers: values.user.map((text) => userArgument(state, text).id),
      announce: values.announce,
      ...(values.privacy !== undefined && {invite_only, ...access}),
      ...settings,
      ...(typeof folder_id === 'number' && {folder_id}),
      ...permissions,
    };
    const id = await createChannel(session, channel);
    const isSilent = values.announce && announcesNowhere(state);
    const notice = 'It was not announced: the organization has no channel for announcements.';
    return {json: {id, name}, text: composed`Created #${printableLine(name)}.`, notice: isSilent ? notice : undefined};
  },
);

/** Throws when a channel cannot have this name. */
function checkChannelName(state: AccountState, name: string, ownId?: number): void {
  if (name === '') throw new UsageError('The name of the channel is empty.');
  const {maxStreamNameLength = 60} = state.server;
  const length = [...name].length;
  if (length > maxStreamNameLength) {
    throw new PlainFailure(`The name has ${length} characters; this server allows ${maxStreamNameLength}.`);
  }
  const existing = channelNamed(state, name);
  if (existing !== undefined && existing.id !== ownId && existing.isArchived !== true) {
    throw new PlainFailure(composed`There is already a channel called “${existing.name}”.`);
  }
}

export const channelEdit: VerbRunner<'channel edit'> = sessionVerb(
  ({values}) => settingNeeds(values),
  async ({api, state, io, session, values, words}) => {
    const channel = channelArgument(state, words[0] ?? '');
    const change = changeOf(state, channel, values);
    const changed = Object.keys(change);
    if (changed.length === 0) throw new UsageError('Give at least one setting to change.');
    requirePermission(canAdministerChannel(state, channel.id, io.clock.now()));
    requireParameters(endpoints.updateChannel, changed, api.connection.level);
    await updateChannel(session, channel.id, change);
    const name = change.new_name ?? channel.name;
    return {json: {id: channel.id, name, changed}, text: composed`Changed #${printableLine(name)}.`};
  },
);

function changeOf(
  state: AccountState,
  channel: Channel,
  values: VerbArguments<'channel edit'>['values'],
): ChannelChange {
  const name = values.name?.trim().replace(/^#/, '');
  if (name !== undefined) checkChannelName(state, name, channel.id);
  return {
    ...(name !== undefined && {new_name: name}),
    ...(values.description !== undefined && {description: values.description}),
    ...(values.privacy !== undefined && privacyChange(channel, privacies[values.privacy])),
    ...commonSettings(state, values),
    ...permissionChanges(state, channelSettingNames, values.permission),
  };
}

function privacyChange(
  channel: Channel,
  {is_private, is_web_public, history_public_to_subscribers}: (typeof privacies)[keyof typeof privacies],
): ChannelChange {
  const changesWeb = is_web_public || channel.isWebPublic === true;
  return {is_private, ...(changesWeb && {is_web_public}), history_public_to_subscribers};
}

type SettingValues = VerbArguments<'channel create' | 'channel edit'>['values'];

/** Returns the data that the settings on a command line require. */
function settingNeeds(values: SettingValues, users: readonly string[] = []): StateNeeds {
  return {
    fetch: ['subscription', 'realm', 'realm_user_groups', 'channel_folders'],
    people: users.length > 0 || namesUsers(values.permission) ? 'all' : 'self',
  };
}

/** The privacy of a channel in requests. */
const privacies = {
  public: {is_private: false, is_web_public: false, history_public_to_subscribers: true},
  private: {is_private: true, is_web_public: false, history_public_to_subscribers: true},
  protected: {is_private: true, is_web_public: false, history_public_to_subscribers: false},
  'web-public': {is_private: false, is_web_public: true, history_public_to_subscribers: true},
} as const;

const topicsPolicies = {
  inherit: 'inherit',
  'allow-empty': 'allow_empty_topic',
  require: 'disable_empty_topic',
  'only-empty': 'empty_topic_only',
} as const;

/** Returns the parameters that creating and changing a channel have in common; those that were not given are absent. */
function commonSettings(state: AccountState, values: SettingValues) {
  const {retention, topics, folder, push} = values;
  return {
    ...(retention !== undefined && {message_retention_days: retentionArgument(retention)}),
    ...(topics !== undefined && {topics_policy: topicsPolicies[topics]}),
    ...(folder !== undefined && {folder_id: folder.trim() === '' ? null : folderArgument(state, folder)}),
    ...(values.default !== undefined && {is_default_stream: values.default === 'yes'}),
    ...(push !== undefined && {default_push_notifications: push === 'yes'}),
  };
}

function retentionArgument(text: string): number | 'unlimited' | 'realm_default' {
  if (text === 'unlimited') return text;
  if (text === 'default') return 'realm_default';
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--retention must be a number of days, unlimited or default, not “${text}”.`);
}

function folderArgument({folders}: AccountState, text: string): number {
  const active = [...folders.values()].filter(({isArchived}) => isArchived !== true);
  const folder = active.find(({name}) => foldName(name) === foldName(text));
  if (folder !== undefined) return folder.id;
  const names = active.map(({name}) => name);
  throw new PlainFailure(composed`There is no folder called “${text.trim()}”.${didYouMean(names, text)}`);
}

export const channelArchive = archiveVerb(true, 'Archived');
export const channelUnarchive = archiveVerb(false, 'Unarchived');

function archiveVerb(archives: boolean, done: string): VerbRunner<'channel archive' | 'channel unarchive'> {
  return sessionVerb(
    {fetch: [...conversationNeeds, 'realm_user_groups'], people: 'self'},
    async ({state, io, session, words}) => {
      const channels = words.map((word) => channelArgument(state, word));
      for (const {id} of channels) requirePermission(canAdministerChannel(state, id, io.clock.now()));
      await changeEach(
        io,
        channels.filter(({isArchived}) => (isArchived === true) !== archives),
        ({id}) =>
          archives ? session.api.archiveChannel({stream_id: id}) : updateChannel(session, id, {is_archived: false}),
        (some) => composed`${done} ${channelNames(some)}. Then this failed:`,
      );
      return {
        json: {channels: channels.map(({id, name}) => ({id, name})), isArchived: archives},
        text: composed`${done} ${channelNames(channels)}.`,
      };
    },
  );
}

function channelNames(channels: readonly Channel[]): string {
  return joined(channels.map(({name}) => printableLine(composed`#${name}`)));
}
