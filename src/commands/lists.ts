import type {KeyEvent} from '#terminal/input/input-events.ts';
import {targetsOfRow} from '#ui/actions/action-target.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {type ChannelTab, channelTabs} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {openPanelItem, showDraftsTab} from '#ui/drafts-panel/panel-actions.ts';
import {isInboxEmpty} from '#ui/inbox/inbox-summary.ts';
import {filterPeople, filterSidebar, focusLeft, focusPane} from '#ui/layout/pane-focus.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {splits, topicFilters} from '#ui/lists/list-state.ts';
import {openRow, setFolded, setListCursor} from '#ui/lists/move-in-list.ts';
import {changeList, cursorRow, startFilter} from '#ui/lists/visible-rows.ts';
import {openView} from '#ui/navigation/navigation.ts';
import {openUndoHistory} from '#ui/undo/undo.ts';
import {type Command, command, inConversationLists} from './command.ts';

function noRow(app: AppReader): string | undefined {
  const id = focusedList(app.screen);
  return id === undefined || cursorRow(app.frame, id) === undefined ? 'No row is selected' : undefined;
}

function cannotSelect(app: AppReader): string | undefined {
  const id = focusedList(app.screen);
  if (id === 'inbox' && app.screen.view.kind === 'triage') {
    return 'Triage has nothing to select · I shows the list';
  }
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  const isSelectable = id === 'drafts' || row === undefined || targetsOfRow(app.state, row).length > 0;
  return noRow(app) ?? (isSelectable ? undefined : 'Only conversations and channels can be selected');
}

/** Opens the row under the cursor. On a channel, `l` and Right also move the focus to its topics. */
function openCursorRow(app: App, press: KeyEvent | undefined): void {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  if (id === 'inbox' && isInboxEmpty(app.frame)) {
    openUndoHistory(app);
    return;
  }
  if (id === undefined || row === undefined) return;
  if (id === 'drafts') {
    openPanelItem(app);
    return;
  }
  const isStepRight = press !== undefined && press.key.name !== 'Enter';
  openRow(app, id, row);
  const isOpened = app.screen.view.kind === 'messages' && app.screen.focus === 'main';
  if (isStepRight && id === 'channels' && row.target?.kind === 'channel' && isOpened) focusPane(app, 'topics');
}

function collapse(app: App): void {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  const isFolded = id !== undefined && row !== undefined && setFolded(app, id, row, true);
  if (!isFolded) focusLeft(app);
}

function toggleSelected(app: App): void {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  if (id === undefined || row?.kind !== 'item') return;
  changeList(app, id, (list) => {
    const selected = new Set(list.selected);
    if (!selected.delete(row.key)) selected.add(row.key);
    return {...list, selected};
  });
}

/** The lists that have tabs. */
export const tabbedLists: ReadonlySet<ListId | undefined> = new Set(['inbox', 'recent', 'drafts', 'browser']);

function cannotSwitchTab({screen}: AppReader): string | undefined {
  return tabbedLists.has(focusedList(screen))
    ? undefined
    : 'Only the inbox, recent conversations, drafts and channels have tabs';
}

function switchTab(app: App, press: KeyEvent | undefined): void {
  const id = focusedList(app.screen);
  const nth = Number(press?.key.name ?? 1);
  if (id === 'drafts') {
    showDraftsTab(app, nth);
    return;
  }
  if (id === 'browser') {
    showChannelTab(app, channelTabs[nth - 1]);
    return;
  }
  const split = splits[nth - 1];
  if (id === undefined || split === undefined) return;
  changeList(app, id, (list) => ({...list, split, cursor: undefined, index: 0, top: 0, selected: new Set()}));
  pinCursorToRow(app, id);
}

/** Shows a tab of the list of all channels; clears the selection of the previous tab. */
function showChannelTab(app: App, tab: ChannelTab | undefined): void {
  if (tab === undefined) return;
  changeList(app, 'browser', (list) => ({...list, selected: new Set()}));
  openView(app, {kind: 'channels', tab});
}

/** Pins the cursor to its row, so that the next key applies to this row even if events change the list before. */
function pinCursorToRow(app: App, id: ListId): void {
  const row = cursorRow(app.frame, id);
  if (row !== undefined) setListCursor(app, id, row.key);
}

const topicFilterText = {
  all: 'All topics, including muted ones',
  standard: 'All topics except muted ones',
  followed: 'Followed topics and direct messages',
} as const;

/** Switches to the next topic filter of the inbox or the recent conversations; starts a text filter in other lists. */
function cycleFilter(app: App): void {
  const id = focusedList(app.screen);
  if (id === undefined) return;
  if (id !== 'inbox' && id !== 'recent') {
    startFilter(app, id);
    return;
  }
  const {topicFilter} = app.screen.lists[id];
  const next = topicFilters[(topicFilters.indexOf(topicFilter) + 1) % topicFilters.length] ?? 'standard';
  changeList(app, id, (list) => ({...list, topicFilter: next}));
  pinCursorToRow(app, id);
  const keepsMentions = id === 'inbox' && next === 'followed';
  app.toast(keepsMentions ? 'Followed topics, direct messages and mentions' : topicFilterText[next]);
}

export const listCommands: readonly Command[] = [
  command('open', 'Open row or unfold group', openCursorRow, {
    aliases: ['enter'],
    contexts: ['list'],
    hint: 'open',
    hints: {
      list: 1,
      inbox: 8,
      drafts: 1,
      browser: 1,
      'browser archived': 1,
      'inbox group': [1, 'show them'],
      'inbox done': [2, 'undo history', 'l'],
      'inbox people': 1,
      'drafts reminders': 1,
      ...inConversationLists(1),
    },
    isKeyOnly: true,
    isAboutRow: true,
    disabledReason: (app) => (focusedList(app.screen) === 'inbox' ? undefined : noRow(app)),
  }),
  command('collapse', 'Fold group or go to the left pane', collapse, {
    aliases: ['collapse'],
    contexts: ['list'],
    isKeyOnly: true,
  }),
  command('select.toggle', 'Select / unselect row; e, M, F, U and b act on all selected', toggleSelected, {
    aliases: ['multiple', 'unselect'],
    contexts: ['list'],
    hint: 'select',
    hints: {
      list: 5,
      inbox: 9,
      'inbox one': false,
      'inbox one-direct': false,
      ...inConversationLists(8),
    },
    isKeyOnly: true,
    isAboutRow: true,
    disabledReason: cannotSelect,
  }),
  command('split', 'Switch tab: all, mentions, direct, followed, channels, muted', switchTab, {
    aliases: ['tabs'],
    contexts: ['list'],
    isKeyOnly: true,
    disabledReason: cannotSwitchTab,
  }),
  command('filter.cycle', 'Change filter: all, unmuted or followed; other lists, by typing', cycleFilter, {
    aliases: ['filter', 'show muted'],
    contexts: ['list'],
    hint: 'filter',
    hints: {list: 6, browser: 7, 'browser archived': 5, 'inbox group': 4, 'inbox people': 3, ...inConversationLists(9)},
  }),
  command('filter.sidebar', 'Filter channels and topics', filterSidebar, {
    aliases: ['find channel', 'find topic', 'search channels', 'search topics'],
    hint: 'channels',
    worksBeforeFirstPaint: true,
  }),
  command('filter.users', 'Filter people', filterPeople, {
    aliases: ['find person', 'find user', 'search people'],
    worksBeforeFirstPaint: true,
  }),
];
