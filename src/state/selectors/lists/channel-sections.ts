import type {Channel, Subscription} from '#state/model/channel.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import type {Folder} from '#state/slices/folders.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';

type ChannelSectionId = 'pinned' | 'other' | 'inactive' | `folder ${number}`;

export interface ChannelSection {
  readonly id: ChannelSectionId;
  readonly title: string;
  /** Sorted by name, muted ones last. */
  readonly channels: readonly SidebarChannel[];
}

export interface SidebarChannel {
  readonly channelId: number;
  readonly name: string;
  readonly isMuted: boolean;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly color: string;
}

/** With fewer channels than this, inactive ones are not grouped unless the user's setting says so. */
const manyChannels = 30;
const demoteSetting = {automatically: 1, always: 2, never: 3} as const;

/** Returns the subscribed channels, each once: pinned, folders in their order, others, inactive ones. */
export const channelSections = memoBySlices(
  ['channels', 'subscriptions', 'folders', 'settings'],
  (state: AccountState): readonly ChannelSection[] => {
    const subscribed = subscribedChannels(state);
    const groupsInactive = shouldGroupInactive(state, subscribed.length);
    const folders = visibleFolders(state);
    const sections = new Map<ChannelSectionId, SubscribedChannel[]>([['pinned', []]]);
    for (const {id} of folders) sections.set(`folder ${id}`, []);
    sections.set('other', []);
    sections.set('inactive', []);
    const folderIds = new Set(folders.map(({id}) => id));
    for (const entry of subscribed) sections.get(sectionOf(entry, folderIds, groupsInactive))?.push(entry);
    const titles = new Map<ChannelSectionId, string>([
      ['pinned', 'Pinned channels'],
      ...folders.map(({id, name}): [ChannelSectionId, string] => [`folder ${id}`, name]),
      ['other', folders.length === 0 ? 'Channels' : 'Other channels'],
      ['inactive', 'Inactive channels'],
    ]);
    return [...sections]
      .filter(([, entries]) => entries.length > 0)
      .map(([id, entries]) => ({id, title: titles.get(id) ?? '', channels: sortedChannels(entries)}));
  },
);

interface SubscribedChannel {
  readonly channel: Channel;
  readonly subscription: Subscription;
}

function subscribedChannels({channels, subscriptions}: AccountState): SubscribedChannel[] {
  const entries: SubscribedChannel[] = [];
  for (const subscription of subscriptions.values()) {
    const channel = subscription.isSubscribed ? channels.get(subscription.channelId) : undefined;
    if (channel !== undefined && channel.isArchived !== true) entries.push({channel, subscription});
  }
  return entries;
}

function shouldGroupInactive({settings}: AccountState, count: number): boolean {
  switch (settings.demoteInactiveStreams) {
    case demoteSetting.always:
      return true;
    case demoteSetting.never:
      return false;
    default:
      return count >= manyChannels;
  }
}

function visibleFolders(state: AccountState): readonly Folder[] {
  return state.settings.webLeftSidebarShowChannelFolders === false ? [] : openFolders(state);
}

/** Returns the folders that are not archived, in their order. */
export function openFolders({folders}: Pick<AccountState, 'folders'>): readonly Folder[] {
  return [...folders.values()]
    .filter((folder) => !folder.isArchived)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.id - b.id);
}

function sectionOf(
  {channel, subscription}: SubscribedChannel,
  folders: ReadonlySet<number>,
  groupsInactive: boolean,
): ChannelSectionId {
  if (subscription.pinToTop) return 'pinned';
  if (groupsInactive && !isActive(channel)) return 'inactive';
  const folder = channel.folderId;
  return typeof folder === 'number' && folders.has(folder) ? `folder ${folder}` : 'other';
}

/** Servers below level 323 do not report activity; a channel too new to have a weekly count is active. */
function isActive(channel: Channel): boolean {
  return channel.isRecentlyActive ?? channel.streamWeeklyTraffic !== 0;
}

function sortedChannels(entries: readonly SubscribedChannel[]): readonly SidebarChannel[] {
  const sorted = sortedByName(entries, ({channel}) => channel.name);
  return [
    ...sorted.filter(({subscription}) => !subscription.isMuted),
    ...sorted.filter(({subscription}) => subscription.isMuted),
  ].map(({channel, subscription}) => ({
    channelId: channel.id,
    name: channel.name,
    isMuted: subscription.isMuted,
    isPrivate: channel.isPrivate,
    isWebPublic: channel.isWebPublic ?? false,
    color: subscription.color,
  }));
}

/** Returns the position of each channel in the sidebar. */
export const channelRanks = memoBySlices(
  ['channels', 'subscriptions', 'folders', 'settings'],
  (state: AccountState): ReadonlyMap<number, number> => {
    const all = channelSections(state).flatMap(({channels}) => channels);
    return new Map(all.map(({channelId}, rank) => [channelId, rank]));
  },
);
