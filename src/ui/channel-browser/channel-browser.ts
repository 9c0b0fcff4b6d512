import type {ParseContext} from '#content/parse-context.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {Channel} from '#state/model/channel.ts';
import {openFolders} from '#state/selectors/lists/channel-sections.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type ChannelTab, channelTabs, type Frame, memoByFrame} from '#ui/core/frame.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {columnsLine, fittedLine, type LineColumn, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {type ListRow, type ListSource, memoRows, type RowContext, withSpaceBelow} from '#ui/lists/list-source.ts';
import {privacyWords} from '#ui/search/find-channels-and-topics.ts';

/** A channel in the list of all channels, the title of a folder, or the space above one. */
interface ChannelRow extends ListRow {
  /** What a row of a channel shows. */
  readonly shown?: {
    readonly channel: Channel;
    readonly isSubscribed: boolean;
    /** Resolves mentions in the description. */
    readonly names: ParseContext;
    /** Columns of the longest channel name. */
    readonly maxNameWidth: number;
    /** Number of subscribers; undefined where the server does not report it. */
    readonly people: number | undefined;
  };
}

/** The list of the channels that the user may see, by folder. */
export const channelBrowser: ListSource<ChannelRow> = {
  id: 'browser',
  views: ['channels'],
  hasTabs: true,
  rows: memoRows(
    (frame) => [...inputs(frame), messageContext(frame.account), shownChannelTab(frame), isSpaced(frame)],
    browserRows,
  ),
  line: (row, context) => (row.shown === undefined ? titleLine(row, context) : channelLine(row.shown, context)),
  headLines: memoByFrame(
    (frame, columns: number) => [tabCounts(frame), shownChannelTab(frame), frame.screen.size.rows, columns],
    (frame, columns: number) => withSpaceBelow(frame, [tabsLine(frame, columns)]),
  ),
  emptyText: (frame) => emptyTexts[shownChannelTab(frame)],
};

/** Whether there is a blank line between folders. */
function isSpaced({screen}: Frame): boolean {
  return screen.size.rows >= 30;
}

function inputs({account}: Frame): readonly unknown[] {
  return [account.channels, account.subscriptions, account.subscribers, account.folders];
}

export function shownChannelTab({screen}: Pick<Frame, 'screen'>): ChannelTab {
  return (screen.view.kind === 'channels' ? screen.view.tab : undefined) ?? 'all';
}

const emptyTexts: Readonly<Record<ChannelTab, string>> = {
  all: 'No channels yet. n creates one.',
  subscribed: 'You are not subscribed to any channel. 3 shows those that you can join.',
  others: 'You are subscribed to all channels that you can see.',
  archived: 'No archived channels.',
};

function isInTab(account: AccountState, {id, isArchived}: Channel, tab: ChannelTab): boolean {
  if (tab === 'archived' || isArchived === true) return tab === 'archived' && isArchived === true;
  return tab === 'all' || isSubscribed(account, id) === (tab === 'subscribed');
}

function browserRows(frame: Frame): readonly ChannelRow[] {
  const {account} = frame;
  const tab = shownChannelTab(frame);
  const shown = [...account.channels.values()].filter((channel) => isInTab(account, channel, tab));
  const maxNameWidth = Math.max(...shown.map((channel) => spansColumns(nameSpans(channel))));
  const folders = openFolders(account);
  const folderIds = new Set<unknown>(folders.map(({id}) => id));
  const groupOf = ({folderId}: Channel) => (folderIds.has(folderId) ? `folder ${folderId}` : 'other');
  const byGroup = Map.groupBy(
    sortedByName(shown, ({name}) => name),
    groupOf,
  );
  const groups = [...folders.map(({id, name}) => [`folder ${id}`, name] as const), ['other', 'No folder'] as const];
  const filled = groups.filter(([group]) => byGroup.has(group));
  const hasTitles = filled.some(([group]) => group !== 'other');
  return filled.flatMap(([group, title], at) => [
    ...(at > 0 && isSpaced(frame) ? [{key: `space ${group}`, kind: 'space', label: ''} as const] : []),
    ...(hasTitles ? [{key: `title ${group}`, kind: 'title', label: title, group} as const] : []),
    ...(byGroup.get(group) ?? []).map((channel) => channelRow(account, channel, group, maxNameWidth)),
  ]);
}

function titleLine({label}: ChannelRow, {columns, glyphs, isFocused, isFolded}: RowContext): UiLine {
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  const text = composed`${label.toUpperCase()}${fold}`;
  return fittedLine([{text, role: isFocused ? 'title' : 'section'}], columns, glyphs.ellipsis);
}

function nameSpans(channel: Channel): readonly UiSpan[] {
  return [{text: composed`#${channel.name}`, role: 'text'}, ...privacy(channel)];
}

function channelRow(account: AccountState, channel: Channel, group: string, maxNameWidth: number): ChannelRow {
  const {id, name, subscriberCount} = channel;
  const known = account.subscribers.get(id);
  const people = subscriberCount ?? (known?.complete === true ? known.ids.size : undefined);
  return {
    key: `channel ${id}`,
    kind: 'item',
    label: composed`#${name}`,
    group,
    target: {kind: 'channel', channelId: id},
    shown: {channel, isSubscribed: isSubscribed(account, id), names: messageContext(account), maxNameWidth, people},
  };
}

const maxNameColumns = 28;
const peopleColumns = 11;
const trafficColumns = 9;

function channelLine(row: NonNullable<ChannelRow['shown']>, {columns, glyphs, label}: RowContext): UiLine {
  const mark: UiSpan = {
    text: `${row.isSubscribed ? glyphs.resolved : ' '} `,
    role: row.isSubscribed ? 'success' : 'text',
  };
  const isNarrow = columns < 48;
  const nameColumns = isNarrow ? columns - 2 : Math.min(row.maxNameWidth, maxNameColumns, Math.floor(columns * 0.36));
  const name = fittedLine(
    [...label(row.isSubscribed ? 'text' : 'dim'), ...privacy(row.channel)],
    nameColumns,
    glyphs.ellipsis,
  );
  if (isNarrow) return prefixLine(name, [mark]);
  const pad: UiSpan = {text: ' '.repeat(nameColumns - name.width + 2), role: 'text'};
  const lead = [mark, ...name.spans, pad];
  const {people, names, channel} = row;
  const peopleText = people === undefined ? '' : people === 1 ? '1 person' : composed`${people} people`;
  // A channel that is too new has no traffic.
  const traffic = typeof channel.streamWeeklyTraffic === 'number' ? `${channel.streamWeeklyTraffic}/week` : '';
  const tail: readonly LineColumn[] = [
    {text: excerpt(channel.description, names), role: 'dim', width: 'rest'},
    {text: peopleText, role: 'dim', width: peopleColumns, align: 'right'},
    ...(columns >= 76 ? [{text: traffic, role: 'dim', width: trafficColumns, align: 'right'} as const] : []),
  ];
  const rest = columnsLine(tail, columns - spansColumns(lead), {gap: 2, ellipsis: glyphs.ellipsis});
  return prefixLine(rest, lead);
}

function privacy(channel: Pick<Channel, 'isPrivate' | 'isWebPublic'>): readonly UiSpan[] {
  return privacyWords(channel).map((word) => ({text: ` ${word}`, role: 'dim'}));
}

const tabNames: Readonly<Record<ChannelTab, string>> = {
  all: 'All',
  subscribed: 'Subscribed',
  others: 'Not subscribed',
  archived: 'Archived',
};
const shortTabNames: Readonly<Record<ChannelTab, string>> = {...tabNames, subscribed: 'Mine', others: 'Others'};

const tabCounts = memoByFrame(inputs, ({account}): Readonly<Record<ChannelTab, number>> => {
  const counts = {all: 0, subscribed: 0, others: 0, archived: 0};
  for (const channel of account.channels.values()) {
    for (const tab of channelTabs) if (isInTab(account, channel, tab)) counts[tab]++;
  }
  return counts;
});

/** Returns the tabs with their keys and counts; where space is short, with shorter names and then without counts. */
function tabsLine(frame: Frame, columns: number): UiLine {
  const counts = tabCounts(frame);
  const shown = shownChannelTab(frame);
  const spansOf = (names: typeof tabNames, gap: string, hasCounts: boolean) =>
    channelTabs.flatMap((tab, at): readonly UiSpan[] => [
      {text: gap, role: 'text'},
      {text: `${at + 1} `, role: 'dim'},
      {
        text: hasCounts && counts[tab] > 0 ? `${names[tab]} ${counts[tab]}` : names[tab],
        role: tab === shown ? 'tab_active' : 'tab',
      },
    ]);
  const variants = [spansOf(tabNames, '  ', true), spansOf(shortTabNames, '  ', true)];
  const fitting = variants.find((spans) => spansColumns(spans) <= columns);
  return fittedLine(fitting ?? spansOf(shortTabNames, ' ', false), columns);
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    browser: true;
  }
}
