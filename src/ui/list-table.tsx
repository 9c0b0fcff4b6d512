import type {ComponentType} from 'react';
import {CatchUp} from './catch-up/CatchUp.tsx';
import {catchUpList} from './catch-up/catch-up-list.ts';
import {ChannelBrowser} from './channel-browser/ChannelBrowser.tsx';
import {channelBrowser} from './channel-browser/channel-browser.ts';
import {ChannelList} from './channel-list/ChannelList.tsx';
import {channelList} from './channel-list/channel-list.ts';
import type {Frame, View} from './core/frame.ts';
import type {ScreenState} from './core/screen-state.ts';
import {DraftsPanel} from './drafts-panel/DraftsPanel.tsx';
import {draftsList} from './drafts-panel/panel-rows.ts';
import {InboxList} from './inbox/InboxList.tsx';
import {inboxList} from './inbox/inbox-list.ts';
import type {LayeredPartProps} from './Lines.tsx';
import {isFocusedList, isMainList, type ListRow, type ListSource} from './lists/list-source.ts';
import {type ListId, newListState} from './lists/list-state.ts';
import {cursorRow, visibleRowsOf} from './lists/visible-rows.ts';
import {People} from './people/People.tsx';
import {peopleList} from './people/people-list.ts';
import {Directs} from './recent/Directs.tsx';
import {Recent} from './recent/Recent.tsx';
import {directList, recentList} from './recent/recent-list.ts';
import {TopicList} from './topic-list/TopicList.tsx';
import {topicList} from './topic-list/topic-list.ts';

interface ListEntry {
  readonly list: ListSource;
  readonly component: ComponentType<LayeredPartProps>;
}

/** Every list and its component. A list that is missing here does not compile. */
export const listTable: Readonly<Record<ListId, ListEntry>> = {
  channels: {list: channelList, component: ChannelList},
  topics: {list: topicList, component: TopicList},
  people: {list: peopleList, component: People},
  inbox: {list: inboxList, component: InboxList},
  recent: {list: recentList, component: Recent},
  catchUp: {list: catchUpList, component: CatchUp},
  directs: {list: directList, component: Directs},
  browser: {list: channelBrowser, component: ChannelBrowser},
  drafts: {list: draftsList, component: DraftsPanel},
};

const entries: readonly ListEntry[] = Object.values(listTable);

/** Returns the list that the main pane shows, with its component. */
export function mainListEntry(view: View): ListEntry | undefined {
  return entries.find(({list}) => isMainList(list, view));
}

export function mainList(view: View): ListSource | undefined {
  return mainListEntry(view)?.list;
}

/** Returns the list that has the focus; undefined when messages or the other pane have it. */
export function focusedList(screen: Pick<ScreenState, 'focus' | 'view'>): ListSource | undefined {
  return entries.find(({list}) => isFocusedList(list, screen))?.list;
}

/** Returns the list whose filter is being typed. */
export function filteredList({lists}: Pick<ScreenState, 'lists'>): ListSource | undefined {
  return entries.find(({list}) => lists[list.id].isFiltering)?.list;
}

/** Returns the lists when the program starts. */
export function newListStates(): ScreenState['lists'] {
  const states = entries.map(({list}) => [list.id, {...newListState, ...list.initial}] as const);
  return Object.fromEntries(states) as ScreenState['lists']; // The table has every list.
}

/** Returns the focused list and its row under the cursor. */
export function focusedRow(frame: Frame): {
  readonly list: ListSource | undefined;
  readonly row: ListRow | undefined;
} {
  const list = focusedList(frame.screen);
  return {list, row: list && cursorRow(frame, list)};
}

/**
 * Returns how many rows of the focused list are selected, on screen or not: the next command acts on all of
 * them. Triage shows one conversation at a time and has no selection.
 */
export function selectedCount(frame: Frame): number {
  const {screen} = frame;
  const list = focusedList(screen);
  if (list === undefined || screen.view.kind === 'triage') return 0;
  const {selected} = screen.lists[list.id];
  if (selected.size === 0) return 0;
  const {indexByKey} = visibleRowsOf(frame, list);
  return [...selected].filter((key) => indexByKey.has(key)).length;
}
