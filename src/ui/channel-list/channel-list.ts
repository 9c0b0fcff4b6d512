import {conversationKey, type DirectConversation} from '#state/model/conversation.ts';
import {type ChannelSection, channelSections, type SidebarChannel} from '#state/selectors/lists/channel-sections.ts';
import {
  draftConversations,
  isConversationFollowed,
  isConversationMuted,
} from '#state/selectors/lists/conversation-properties.ts';
import {directConversationRow, type RecentRow, recentConversations} from '#state/selectors/lists/conversation-rows.ts';
import {channelName, isResolved, topicDisplayName} from '#state/selectors/names/names.ts';
import {
  type ChannelCounts,
  noCounts,
  type ShownUnreads,
  shownUnreads,
  unreadCounts,
  viewUnreads,
} from '#state/selectors/unreads/unread-counts.ts';
import {composed} from '#std/composed-text.ts';
import {memoByObject, reuseIfEqual, sameArguments} from '#std/memo.ts';
import {
  type Frame,
  frameOwner,
  memoByFrame,
  shownConversation,
  type View,
  viewChannelId,
  viewKey,
} from '#ui/core/frame.ts';
import {panelCount} from '#ui/drafts-panel/panel-rows.ts';
import {inboxTotals} from '#ui/inbox/triage-rows.ts';
import {type ListNote, type ListSource, loadingText, memoRows, reuseRows} from '#ui/lists/list-source.ts';
import {
  directPresence,
  emptyNavigationRow,
  type NavigationRow,
  navigationLine,
  shownPresences,
  spaceRow,
  titleRow,
} from '#ui/lists/navigation-row.ts';
import {findConversations} from '#ui/search/find-conversations.ts';
import {withoutWeakMatches} from '#ui/search/find-people.ts';
import {sidebarViews} from '#ui/search/sidebar-views.ts';

/** The sidebar: views, the latest direct conversations, and the subscribed channels. */
export const channelList: ListSource<NavigationRow> = {
  id: 'channels',
  views: [],
  pane: 'channels',
  initial: {folded: new Set(['inactive'])},
  rows: memoByFrame((frame) => {
    const {account, minute, screen} = frame;
    return [
      account.unreads,
      account.channels,
      account.subscriptions,
      account.folders,
      account.settings,
      account.userTopics,
      account.mutedUsers,
      account.users,
      account.messages,
      account.directs,
      account.topics,
      account.timelines,
      account.server,
      account.starred,
      sidebarViews(frame),
      draftConversations(account),
      ...countedTabs.map((tab) => panelCount(frame, tab)),
      account.realm,
      shownPresences(frame),
      minute,
      inboxTotals(frame).all.count,
      inboxTotals(frame).all.mentions,
      screen.size.rows >= spacedFromRows,
      shownDirect(frame) && rowKeyOfShownView(frame),
    ];
  }, channelRows),
  foundRows: (frame, query) => foundTopicRows(frame, query),
  line: navigationLine,
  shownRowKey: rowKeyOfShownView,
  note: channelsNote,
  emptyText: () => '',
};

/** Returns why there are no channels below the views. */
function channelsNote(frame: Frame): ListNote | undefined {
  if (frame.account.subscriptions.size > 0) return undefined;
  return {text: loadingText(frame) ?? 'No channels yet. g c browses all channels.', role: 'dim'};
}

/** The rows that a screen had last, by group: rows with equal content stay the same objects. */
const lastGroups = memoByObject((_owner: object) => ({
  views: [] as readonly NavigationRow[],
  directs: [] as readonly NavigationRow[],
  sections: new Map<string, SectionRows>(),
}));
/** From this height on there is a blank line between groups. */
const spacedFromRows = 30;
/** The tabs of the drafts panel that the sidebar may have as views. */
const countedTabs = ['drafts', 'scheduled', 'reminders'] as const;
/** Number of direct conversations that are always shown, and the limit for those with unread messages. */
const minDirects = 5;
const maxDirects = 9;

function channelRows(frame: Frame): readonly NavigationRow[] {
  const {account, screen} = frame;
  const {channels: counts} = unreadCounts(account);
  const last = lastGroups(frameOwner(frame));
  last.views = reuseRows(viewRows(frame), last.views);
  last.directs = reuseRows(directRows(frame), last.directs);
  const groups = [
    last.views,
    last.directs,
    ...channelSections(account).map((section) => sectionRows(section, counts, last.sections)),
  ];
  const isSpaced = screen.size.rows >= spacedFromRows;
  return groups.flatMap((rows, at) => {
    const [first] = rows;
    return at > 0 && isSpaced && first !== undefined ? [spaceBefore(first), ...rows] : rows;
  });
}

/** Returns the same object above the same row. */
const spaceBefore = memoByObject(({key}: NavigationRow): NavigationRow => spaceRow(key));

/** Returns the key of a view's row. The tabs of the drafts panel are rows of their own. */
function viewRowKey(view: View): string {
  if (view.kind === 'drafts' && view.tab !== 'drafts') return `view ${view.tab}`;
  return `view ${viewKey(view.kind === 'triage' ? {kind: 'inbox'} : view)}`;
}

function viewRow(label: string, view: View, fields: Partial<NavigationRow> = {}): NavigationRow {
  return {
    ...emptyNavigationRow,
    key: viewRowKey(view),
    label,
    target: {kind: 'view', view},
    ...fields,
  };
}

function viewRows(frame: Frame): readonly NavigationRow[] {
  return sidebarViews(frame).flatMap(({fragment, name, view, isPinned}) =>
    isPinned && view !== undefined ? [viewRow(name, view, viewCounts(frame, fragment, view))] : [],
  );
}

/** Returns the number at a view: of unread messages, or of all where the view lists something else. */
function viewCounts(frame: Frame, fragment: string, view: View): Partial<NavigationRow> {
  const {account} = frame;
  const {count: messages, mentions} = inboxTotals(frame).all;
  switch (fragment) {
    case 'inbox':
      return {count: messages, mentions};
    case 'narrow/is/starred':
      return {count: account.starred.size, isQuiet: true};
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return {count: panelCount(frame, fragment), isQuiet: true};
    case 'feed':
      return {};
    default:
      return view.kind === 'messages' ? knownUnreads(viewUnreads(account, view.narrow)) : {};
  }
}

/** A number that may be too small is not shown. The list of the sidebar's views says why. */
function knownUnreads({missing, ...unreads}: ShownUnreads): Partial<NavigationRow> {
  return missing === undefined ? unreads : {};
}

function shownDirect({screen}: Frame): DirectConversation | undefined {
  const shown = shownConversation(screen);
  return shown?.kind === 'direct' ? shown : undefined;
}

/**
 * Returns the direct conversations: those with unread messages first, the others by their last message. The one that is shown
 * is always among them.
 */
function directRows(frame: Frame): readonly NavigationRow[] {
  const {account} = frame;
  const unread = recentConversations(account, {kind: 'direct', unread: true, unmuted: true}, maxDirects);
  const recent = recentConversations(account, {kind: 'direct', unmuted: true}, maxDirects + 1);
  const isUnread = new Set(unread.map(({key}) => key));
  const others = recent.filter(({key}) => !isUnread.has(key));
  const listed = [...unread, ...others.slice(0, Math.max(0, minDirects - unread.length))];
  const open = shownDirect(frame);
  const isListed = open === undefined || listed.some(({key}) => key === conversationKey(open));
  const shown = isListed ? listed : [...listed, directConversationRow(account, open)];
  if (shown.length === 0) return [];
  const {directs, directMentions} = unreadCounts(account);
  const more = viewRow(
    'all conversations',
    {kind: 'directs'},
    {group: 'directs', isMuted: true, presence: noPresence(frame)},
  );
  return [
    titleRow('directs', 'Direct messages', directs, directMentions),
    ...shown.map((row) => directRow(frame, row)),
    ...(recent.length > shown.length || unread.length === maxDirects ? [more] : []),
  ];
}

/** Returns the presence that aligns the name with those above it. */
function noPresence({account}: Frame): NavigationRow['presence'] {
  return account.realm.presenceDisabled === true ? undefined : 'unknown';
}

function directRow(frame: Frame, {key, title, conversation, unreadCount, mentions}: RecentRow): NavigationRow {
  return {
    ...emptyNavigationRow,
    key,
    label: title,
    group: 'directs',
    target: {kind: 'conversation', conversation},
    count: unreadCount,
    mentions,
    hasDraft: draftConversations(frame.account).has(key),
    presence: directPresence(frame, conversation),
  };
}

/** The rows of a section, and what they were made of. */
interface SectionRows {
  readonly section: ChannelSection;
  readonly counts: readonly ChannelCounts[];
  readonly rows: readonly NavigationRow[];
}

/** Returns the title and the channels. There are hundreds, and one message changes one: only its row is made again. */
function sectionRows(
  section: ChannelSection,
  countsByChannel: ReadonlyMap<number, ChannelCounts>,
  lastSections: Map<string, SectionRows>,
): readonly NavigationRow[] {
  const {id, channels} = section;
  const last = lastSections.get(id);
  const counts = channels.map(({channelId}) => countsByChannel.get(channelId) ?? noCounts);
  const isSameSection = last?.section === section;
  if (isSameSection && sameArguments(last.counts, counts)) return last.rows;
  const channelRows = channels.map((channel, at) => {
    const known = isSameSection && last.counts[at] === counts[at] ? last.rows[at + 1] : undefined;
    return known ?? channelRow(channel, id, counts[at] ?? noCounts);
  });
  const title = reuseIfEqual(last?.rows[0], sectionTitle(section, channelRows));
  const rows = isSameSection ? [title, ...channelRows] : reuseRows([title, ...channelRows], last?.rows);
  lastSections.set(id, {section, counts, rows});
  return rows;
}

function sectionTitle({id, title}: ChannelSection, rows: readonly NavigationRow[]): NavigationRow {
  let [unmuted, mentions] = [0, 0];
  for (const row of rows) {
    unmuted += row.isQuiet ? 0 : row.count;
    mentions += row.mentions;
  }
  return titleRow(id, title, unmuted, mentions);
}

function channelRow({channelId, name, isMuted}: SidebarChannel, group: string, counts: ChannelCounts): NavigationRow {
  return {
    ...emptyNavigationRow,
    ...shownUnreads(counts),
    key: `channel ${channelId}`,
    label: composed`#${name}`,
    group,
    target: {kind: 'channel', channelId},
    isMuted,
  };
}

/** Returns the key of the row of the shown view: an own view of the sidebar, or else the channel or conversation. */
function rowKeyOfShownView(frame: Frame): string {
  const {view} = frame.screen;
  const key = viewRowKey(view);
  const isOwn = sidebarViews(frame).some(
    (one) => one.isPinned && one.view !== undefined && viewRowKey(one.view) === key,
  );
  if (isOwn) return key;
  const channelId = viewChannelId(view);
  if (channelId !== undefined) return `channel ${channelId}`;
  const conversation = shownConversation({view});
  return conversation === undefined ? key : conversationKey(conversation);
}

const maxFoundTopics = 30;
const foundTopicsGroup = 'found topics';

/** Returns the topics of all channels that the filter of the sidebar finds. */
const foundTopicRows = memoRows(
  ({account}, query: string) => [
    account.topics,
    account.directs,
    account.messages,
    account.unreads,
    account.channels,
    account.formerChannels,
    account.users,
    account.mutedUsers,
    account.userTopics,
    account.subscriptions,
    account.realm,
    account.maxMessageId,
    query,
  ],
  topicRows,
);

function topicRows({account}: Frame, query: string): readonly NavigationRow[] {
  const found = withoutWeakMatches(findConversations(account, {query, limit: maxFoundTopics, kind: 'topic'}));
  const rows = found.flatMap(({item: {key, conversation}}): NavigationRow[] => {
    if (conversation.kind !== 'topic') return [];
    const {channelId, topic} = conversation;
    return [
      {
        ...emptyNavigationRow,
        key,
        // The topic comes first, because the sidebar is narrow.
        label: composed`${topicDisplayName(account, topic)} · #${channelName(account, channelId)}`,
        group: foundTopicsGroup,
        target: {kind: 'conversation', conversation},
        count: account.unreads.conversations.get(key)?.ids.size ?? 0,
        isMuted: isConversationMuted(account, conversation, key),
        isFollowed: isConversationFollowed(account, conversation, key),
        isResolved: isResolved(topic),
      },
    ];
  });
  return rows.length === 0 ? [] : [titleRow(foundTopicsGroup, 'Topics'), ...rows];
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    channels: true;
  }
}
