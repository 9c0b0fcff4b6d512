import {catchUpList} from '#ui/catch-up/catch-up-list.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {draftsList} from '#ui/drafts-panel/panel-rows.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {isSidePane, type ListRow, type ListSource} from '#ui/lists/list-source.ts';
import {type ListId, newListState} from '#ui/lists/list-state.ts';
import {cursorRow, selectedKeys, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';

/** Every list. One that is missing here does not compile. */
export const listTable: Readonly<Record<ListId, ListSource>> = {
  channels: channelList,
  topics: topicList,
  people: peopleList,
  inbox: inboxList,
  recent: recentList,
  catchUp: catchUpList,
  directs: directList,
  browser: channelBrowser,
  drafts: draftsList,
};

const lists: readonly ListSource[] = Object.values(listTable);

const listsByView = new Map(lists.flatMap((list) => list.views.map((kind) => [kind, list] as const)));
const listsByPane = new Map(lists.map((list) => [list.pane, list]));

/** Returns the list that the main pane shows. */
export function mainList({kind}: View): ListSource | undefined {
  return listsByView.get(kind);
}

/** Returns the list that has the focus; undefined when messages or the other pane have it. */
export function focusedList({focus, view}: Pick<ScreenState, 'focus' | 'view'>): ListSource | undefined {
  if (focus === 'other') return undefined;
  return isSidePane(focus) ? listsByPane.get(focus) : mainList(view);
}

/** Returns the list whose filter is being typed. */
export function filteredList(screen: Pick<ScreenState, 'lists'>): ListSource | undefined {
  return lists.find(({id}) => screen.lists[id].isFiltering);
}

/** Returns the lists when the program starts. */
export function newListStates(): ScreenState['lists'] {
  const states = lists.map(({id, initial}) => [id, {...newListState, ...initial}] as const);
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
  const selected = selectedKeys(frame, list);
  if (selected.size === 0) return 0;
  const {indexByKey} = visibleRowsOf(frame, list);
  return [...selected].filter((key) => indexByKey.has(key)).length;
}
