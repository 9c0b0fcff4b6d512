import {keepIfEqual, withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {
  botFromWire,
  emojiFromWire,
  folderFields,
  linkifierFromWire,
  playgroundFromWire,
  profileFieldFromWire,
  realmFromWire,
} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {realmPatch} from '#wire/events/organization.ts';
import type {EventOf} from '#wire/events.ts';
import {serverVersion} from '#wire/objects/version.ts';
import {defaultChannelIds} from '#wire/register.ts';
import {applyRealmUser} from './realm-user.ts';
import {applyStream} from './stream.ts';
import {applyUserGroup} from './user-group.ts';

function applyChannelFolder(state: AccountState, event: EventOf<'channel_folder'>): AccountState {
  return withSlices(state, {folders: foldersAfter(state.folders, event)});
}

function foldersAfter(folders: AccountState['folders'], event: EventOf<'channel_folder'>): AccountState['folders'] {
  switch (event.op) {
    case 'add':
      return withValue(folders, event.channel_folder.id, folderFields(event.channel_folder));
    case 'update':
      return withFields(folders, event.channel_folder_id, folderFields(event.data));
    case 'reorder':
      return event.order.reduce((ordered, id, order) => withFields(ordered, id, {order}), folders);
  }
}

function applyDefaultStreams(state: AccountState, event: EventOf<'default_streams'>): AccountState {
  const ids = defaultChannelIds({realm_default_streams: event.default_streams});
  return withSlices(state, {defaultChannels: keepIfEqual(state.defaultChannels, SortedSet.from(ids))});
}

function applyRealmBot(state: AccountState, event: EventOf<'realm_bot'>): AccountState {
  return withSlices(state, {bots: botsAfter(state.bots, event)});
}

function botsAfter(bots: AccountState['bots'], event: EventOf<'realm_bot'>): AccountState['bots'] {
  const id = event.bot.user_id;
  switch (event.op) {
    case 'add':
      return withValue(bots, id, botFromWire(event.bot));
    case 'update':
      return withFields(bots, id, botFromWire(event.bot));
    case 'delete':
    case 'remove':
      return bots.without(id);
  }
}

/** Deactivation does not change the state: the update machine handles it. */
function applyRealm(state: AccountState, event: EventOf<'realm'>): AccountState {
  if (event.op === 'deactivated') return state;
  const realm = {...state.realm, ...realmFromWire(realmPatch(event), state.server.level)};
  return withSlices(state, {realm: keepIfEqual(state.realm, realm)});
}

function applyRealmEmoji(state: AccountState, event: EventOf<'realm_emoji'>): AccountState {
  return withSlices(state, {emoji: emojiAfter(state.emoji, event)});
}

function emojiAfter(emoji: AccountState['emoji'], event: EventOf<'realm_emoji'>): AccountState['emoji'] {
  switch (event.op) {
    case 'add':
      return withValue(emoji, event.emoji.id, emojiFromWire(event.emoji));
    case 'update_one':
      return withFields(emoji, event.emoji_id, event.data);
    case 'update':
      return keepIfEqual(
        emoji,
        SortedMap.by(Object.values(event.realm_emoji).map(emojiFromWire), ({id}) => id),
      );
  }
}

function applyRealmLinkifiers(state: AccountState, event: EventOf<'realm_linkifiers'>): AccountState {
  const linkifiers = event.realm_linkifiers.map(linkifierFromWire);
  return withSlices(state, {linkifiers: keepIfEqual(state.linkifiers, linkifiers)});
}

function applyRealmDomains(state: AccountState, event: EventOf<'realm_domains'>): AccountState {
  return withSlices(state, {domains: keepIfEqual(state.domains, domainsAfter(state.domains, event))});
}

function domainsAfter(domains: AccountState['domains'], event: EventOf<'realm_domains'>): AccountState['domains'] {
  if (event.op === 'remove') return domains.filter(({domain}) => domain !== event.domain);
  const changed = event.realm_domain;
  if (domains.some(({domain}) => domain === changed.domain)) {
    return domains.map((each) => (each.domain === changed.domain ? changed : each));
  }
  return event.op === 'add' ? [...domains, changed] : domains;
}

function applyRealmPlaygrounds(state: AccountState, event: EventOf<'realm_playgrounds'>): AccountState {
  const playgrounds = event.realm_playgrounds.map(playgroundFromWire);
  return withSlices(state, {playgrounds: keepIfEqual(state.playgrounds, playgrounds)});
}

function applyCustomProfileFields(state: AccountState, event: EventOf<'custom_profile_fields'>): AccountState {
  const profileFields = event.fields.map(profileFieldFromWire);
  const ids = new Set(profileFields.map(({id}) => id));
  const removedIds = state.profileFields.flatMap(({id}) => (ids.has(id) ? [] : [id]));
  return withSlices(state, {
    profileFields: keepIfEqual(state.profileFields, profileFields),
    users: withoutProfileValues(state.users, removedIds),
  });
}

/** Removes the values of deleted fields: no other event reports that they are gone. */
function withoutProfileValues(users: AccountState['users'], fieldIds: readonly number[]): AccountState['users'] {
  if (fieldIds.length === 0) return users;
  const removed = new Set(fieldIds.map(String));
  return users.edit((draft) => {
    for (const user of users.values()) {
      const entries = Object.entries(user.profile);
      const kept = entries.filter(([id]) => !removed.has(id));
      if (kept.length < entries.length) draft.set(user.id, {...user, profile: Object.fromEntries(kept)});
    }
  });
}

/**
 * The feature level stays that of the registration which the state came from: the update machine compares the
 * two and registers again when they differ.
 */
function applyRestart(state: AccountState, event: EventOf<'restart'>): AccountState {
  const server = {
    ...state.server,
    version: serverVersion(event) ?? state.server.version,
    serverGeneration: event.server_generation ?? state.server.serverGeneration,
  };
  return withSlices(state, {server: keepIfEqual(state.server, server)});
}

/** The applier of events that change nothing in the state. */
function unchanged(state: AccountState): AccountState {
  return state;
}

/** The appliers of events about the organization: channels, users, groups and settings. */
export const organizationAppliers = {
  stream: applyStream,
  channel_folder: applyChannelFolder,
  default_streams: applyDefaultStreams,
  default_stream_groups: unchanged,
  realm_user: applyRealmUser,
  realm_bot: applyRealmBot,
  user_group: applyUserGroup,
  realm: applyRealm,
  realm_emoji: applyRealmEmoji,
  realm_linkifiers: applyRealmLinkifiers,
  realm_domains: applyRealmDomains,
  realm_playgrounds: applyRealmPlaygrounds,
  custom_profile_fields: applyCustomProfileFields,
  invites_changed: (state, {id}) => withSlices(state, {lastInviteChange: id}),
  heartbeat: unchanged,
  restart: applyRestart,
} satisfies Partial<Appliers>;
