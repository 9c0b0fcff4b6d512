import type {Channel, Subscription} from '#state/model/channel.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import type {AccountState, Folder} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';

export type ChannelSectionId = 'pinned' | 'other' | 'inactive' | `folder ${number}`;

export interface ChannelSection {
  readonly id: ChannelSectionId;
  readonly title: string;
  /** In alphabetical order, muted ones last. */
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

/** With fewer channels than this nothing is moved out of the way, unless one asks for it. */
const manyChannels = 30;
const demote = {automatically: 1, always: 2, never: 3} as const;

/** The channels one is subscribed to, each once: pinned, folders in their order, the others, inactive ones. */
export const channelSections = memoBySlices(
  ['channels', 'subscriptions', 'folders', 'settings'],
  (state: AccountState): readonly ChannelSection[] => {
    const subscribed = subscribedChannels(state);
    const demotes = demotesInactive(state, subscribed.length);
    const folders = shownFolders(state);
    const sections = new Map<ChannelSectionId, SubscribedChannel[]>([['pinned', []]]);
    for (const {id} of folders) sections.set(`folder ${id}`, []);
    sections.set('other', []);
    sections.set('inactive', []);
    const known = new Set(folders.map(({id}) => id));
    for (const entry of subscribed) sections.get(sectionOf(entry, known, demotes))?.push(entry);
    const titles = new Map<ChannelSectionId, string>([
      ['pinned', 'Pinned channels'],
      ...folders.map(({id, name}): [ChannelSectionId, string] => [`folder ${id}`, name]),
      ['other', folders.length === 0 ? 'Channels' : 'Other channels'],
      ['inactive', 'Inactive channels'],
    ]);
    return [...sections]
      .filter(([, entries]) => entries.length > 0)
      .map(([id, entries]) => ({id, title: titles.get(id) ?? '', channels: inOrder(entries)}));
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

function demotesInactive({settings}: AccountState, count: number): boolean {
  switch (settings.demoteInactiveStreams) {
    case demote.always:
      return true;
    case demote.never:
      return false;
    default:
      return count >= manyChannels;
  }
}

function shownFolders({folders, settings}: AccountState): readonly Folder[] {
  if (settings.webLeftSidebarShowChannelFolders === false) return [];
  return [...folders.values()]
    .filter((folder) => !folder.isArchived)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.id - b.id);
}

function sectionOf(
  {channel, subscription}: SubscribedChannel,
  folders: ReadonlySet<number>,
  demotes: boolean,
): ChannelSectionId {
  if (subscription.pinToTop) return 'pinned';
  if (demotes && !isActive(channel)) return 'inactive';
  const folder = channel.folderId;
  return typeof folder === 'number' && folders.has(folder) ? `folder ${folder}` : 'other';
}

/** Servers below level 323 do not say; a channel too new to have a weekly count is active. */
function isActive(channel: Channel): boolean {
  return channel.isRecentlyActive ?? channel.streamWeeklyTraffic !== 0;
}

function inOrder(entries: readonly SubscribedChannel[]): readonly SidebarChannel[] {
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

/** Where each channel stands in the sidebar. Channels that are not in it are absent. */
export const channelRanks = memoBySlices(
  ['channels', 'subscriptions', 'folders', 'settings'],
  (state: AccountState): ReadonlyMap<number, number> => {
    const all = channelSections(state).flatMap(({channels}) => channels);
    return new Map(all.map(({channelId}, rank) => [channelId, rank]));
  },
);
