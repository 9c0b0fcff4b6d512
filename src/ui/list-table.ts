import {inboxList} from '#ui/inbox/inbox-list.ts';
import {catchUpList} from './catch-up/catch-up-list.ts';
import {channelBrowser} from './channel-browser/channel-browser.ts';
import {channelList} from './channel-list/channel-list.ts';
import type {Frame, View} from './core/frame.ts';
import type {ScreenState} from './core/screen-state.ts';
import {draftsList} from './drafts-panel/panel-rows.ts';
import type {ListRow, ListSource} from './lists/list-source.ts';
import {cursorRow, visibleRowsOf} from './lists/visible-rows.ts';
import {peopleList} from './people/people-list.ts';
import {directList, recentList} from './recent/recent-list.ts';
import {topicList} from './topic-list/topic-list.ts';

/** The list that the main pane shows, by the kind of the view. */
const mainLists: Readonly<Record<View['kind'], ListSource | undefined>> = {
  inbox: inboxList,
  triage: inboxList,
  recent: recentList,
  catchUp: catchUpList,
  directs: directList,
  topics: topicList,
  channels: channelBrowser,
  people: peopleList,
  drafts: draftsList,
  messages: undefined,
};

/** The lists beside the main pane. */
export const sideLists = {channels: channelList, topics: topicList, people: peopleList} as const;

/** Returns the list that the main pane shows. */
export function mainList({kind}: View): ListSource | undefined {
  return mainLists[kind];
}

/** Returns the list that has the focus; undefined when messages or the other pane have it. */
export function focusedList({focus, view}: Pick<ScreenState, 'focus' | 'view'>): ListSource | undefined {
  if (focus === 'other') return undefined;
  return focus === 'channels' || focus === 'topics' || focus === 'people' ? sideLists[focus] : mainList(view);
}

const allLists = [...new Set([...Object.values(mainLists), ...Object.values(sideLists)])];

/** Returns the list whose filter is being typed. */
export function filteredList({lists}: Pick<ScreenState, 'lists'>): ListSource | undefined {
  return allLists.find((list) => list !== undefined && lists[list.id].isFiltering);
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
