import {composeProblem, destinationProblem} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {openPanelItem, showDraftsTab} from '#app/drafts-panel/draft-actions.ts';
import {
  addThumbsUp,
  copyRowMessages,
  openRowLinkPicker,
  openRowReactionPicker,
  replyToRow,
  replyToSender,
  rowMessageProblem,
  starFirstUnread,
} from '#app/inbox/reply-and-react.ts';
import {openSnoozedList, openSnoozeMenu} from '#app/inbox/snooze-menu.ts';
import {markInboxGroupDone, pageOrMarkDone} from '#app/inbox/triage-actions.ts';
import {changeList, startFilter} from '#app/lists/change-list.ts';
import {setFolded, setListCursor} from '#app/lists/move-in-list.ts';
import {openView} from '#app/navigation/navigation.ts';
import {openRow} from '#app/navigation/open-row.ts';
import {filterPeople, filterSidebar, focusLeft, focusPane} from '#app/panes/pane-focus.ts';
import {openLocalSettingChoices} from '#app/settings/settings-list.ts';
import {conversationUnderCursor, targetConversations, targetsOfRow} from '#app/targets/action-target.ts';
import {clearSelectionOfOthers} from '#app/targets/selection.ts';
import {markWholeGroupDone} from '#app/triage/mark-group-done.ts';
import {openUndoHistory} from '#app/undo/undo.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {markReadProblem} from '#ui/core/change-problem.ts';
import {channelTabs} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {isInboxEmpty} from '#ui/inbox/inbox-summary.ts';
import {focusedList, focusedRow} from '#ui/list-table.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {splits, topicFilters} from '#ui/lists/list-state.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {type Command, command, inConversationLists} from './command.ts';

function noRow({frame}: AppReader): string | undefined {
  return focusedRow(frame).row === undefined ? 'No row is selected' : undefined;
}

function cannotSelect(app: AppReader): string | undefined {
  const {list, row} = focusedRow(app.frame);
  if (list?.id === 'inbox' && app.screen.view.kind === 'triage')
    return 'Triage has nothing to select · I shows the list';
  const isSelectable = list?.id === 'drafts' || row === undefined || targetsOfRow(app.state, row).length > 0;
  return noRow(app) ?? (isSelectable ? undefined : 'Only conversations and channels can be selected');
}

/** Opens the row under the cursor. On a channel, `l` and Right also move the focus to its topics. */
function openCursorRow(app: App, press: KeyEvent | undefined): void {
  const {list, row} = focusedRow(app.frame);
  if (list?.id === 'inbox' && isInboxEmpty(app.frame)) openUndoHistory(app);
  else if (list?.id === 'drafts' && row !== undefined) openPanelItem(app);
  else if (list !== undefined && row !== undefined) {
    const isStepRight = press !== undefined && press.key.name !== 'Enter';
    openRow(app, list, row);
    const isOpened = app.screen.view.kind === 'messages' && app.screen.focus === 'main';
    if (isStepRight && list.id === 'channels' && row.target?.kind === 'channel' && isOpened) focusPane(app, 'topics');
  }
}

function collapse(app: App): void {
  const {list, row} = focusedRow(app.frame);
  const isFolded = list !== undefined && row !== undefined && setFolded(app, list, row, true);
  if (!isFolded) focusLeft(app);
}

function toggleSelected(app: App): void {
  const {list, row} = focusedRow(app.frame);
  if (list === undefined || row?.kind !== 'item') return;
  changeList(app, list.id, (list) => {
    const selected = new Set(list.selected);
    if (!selected.delete(row.key)) selected.add(row.key);
    return {...list, selected};
  });
}

function cannotSwitchTab({screen}: AppReader): string | undefined {
  return focusedList(screen)?.hasTabs === true
    ? undefined
    : 'Only the inbox, recent conversations, drafts and channels have tabs';
}

function switchTab(app: App, press: KeyEvent | undefined): void {
  const list = focusedList(app.screen);
  const nth = Number(press?.key.name ?? 1);
  const [split, tab] = [splits[nth - 1], channelTabs[nth - 1]];
  if (list?.id === 'drafts') showDraftsTab(app, nth);
  else if (list?.id === 'browser' && tab !== undefined) {
    changeList(app, 'browser', (list) => ({...list, selected: new Set()}));
    openView(app, {kind: 'channels', tab});
  } else if (list !== undefined && list.id !== 'browser' && split !== undefined) {
    clearSelectionOfOthers(app);
    changeList(app, list.id, (list) => ({...list, split, cursor: undefined, index: 0, top: 0, selected: new Set()}));
    pinCursorToRow(app, list);
  }
}

/** Pins the cursor to its row, so that the next key applies to this row even if events change the list before. */
function pinCursorToRow(app: App, list: ListSource): void {
  const row = cursorRow(app.frame, list);
  if (row !== undefined) setListCursor(app, list, row.key);
}

const topicFilterText = {
  all: 'All topics, including muted ones',
  standard: 'All topics except muted ones',
  followed: 'Followed topics and direct messages',
} as const;

/** Switches to the next topic filter of the inbox or the recent conversations; starts a text filter in other lists. */
function cycleFilter(app: App): void {
  const list = focusedList(app.screen);
  if (list === undefined) return;
  if (list.id !== 'inbox' && list.id !== 'recent') {
    startFilter(app, list.id);
    return;
  }
  const {topicFilter} = app.screen.lists[list.id];
  const next = topicFilters[(topicFilters.indexOf(topicFilter) + 1) % topicFilters.length] ?? 'standard';
  changeList(app, list.id, (list) => ({...list, topicFilter: next}));
  pinCursorToRow(app, list);
  const keepsMentions = list.id === 'inbox' && next === 'followed';
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
    disabledReason: (app) => (focusedList(app.screen) === inboxList ? undefined : noRow(app)),
  }),
  command('collapse', 'Fold group or go to the left pane', collapse, {
    aliases: ['collapse'],
    contexts: ['list'],
    isKeyOnly: true,
  }),
  command('select.toggle', 'Select / unselect row; e, M, F, U, S and b act on all selected', toggleSelected, {
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

/** Returns why no row can be acted on. An empty inbox may still have muted rows, but they are not shown. */
function noInboxRow(app: AppReader): string | undefined {
  return focusedList(app.screen) === inboxList && isInboxEmpty(app.frame) ? 'The inbox is empty' : noRow(app);
}

function noConversation(app: AppReader): string | undefined {
  if (targetConversations(app).length > 0) return undefined;
  return noInboxRow(app) ?? 'No conversation is selected';
}

function noConversationUnderCursor(app: AppReader): string | undefined {
  if (conversationUnderCursor(app) !== undefined) return undefined;
  return noInboxRow(app) ?? 'No conversation is selected';
}

function cannotReply(app: AppReader): string | undefined {
  const row = conversationUnderCursor(app);
  return composeProblem(app) ?? noConversationUnderCursor(app) ?? (row && destinationProblem(app, row.conversation));
}

function cannotUseMessage(app: AppReader): string | undefined {
  return noConversationUnderCursor(app) ?? rowMessageProblem([conversationUnderCursor(app)], app);
}

/**
 * Returns why nothing can be marked done. In the inbox the key still moves on when nothing can be marked read. A draft's
 * conversation is not shown with it, and so is not marked.
 */
export function cannotMarkDone(app: AppReader): string | undefined {
  const list = focusedList(app.screen);
  if (list === undefined) return markReadProblem(app);
  if (list.id === 'drafts') return 'There is nothing to mark read in this list';
  return noInboxRow(app) ?? (list.id === 'inbox' ? undefined : markReadProblem(app));
}

/** Returns a command that runs `inInbox` in the inbox and `elsewhere` in other lists. */
function byList(inInbox: (app: App) => void, elsewhere: (app: App, list: ListSource) => void): (app: App) => void {
  return (app) => {
    const list = focusedList(app.screen);
    if (list?.id === 'inbox') inInbox(app);
    else if (list !== undefined) elsewhere(app, list);
  };
}

/** Opens the row under the cursor: lists without a preview have nothing to page in. */
function openAtCursor(app: App, list: ListSource): void {
  const row = cursorRow(app.frame, list);
  if (row !== undefined) openRow(app, list, row);
}

function toggleFold(app: App): void {
  const {list, row} = focusedRow(app.frame);
  if (list === undefined || row === undefined) return;
  if (row.group === undefined) app.toast('This row is not in a group');
  else if (!setFolded(app, list, row, true)) setFolded(app, list, row, false);
}

const inboxCommand: typeof command = (id, title, run, more) => command(id, title, run, {contexts: ['inbox'], ...more});

export const inboxCommands: readonly Command[] = [
  inboxCommand(
    'triage.readon',
    'Page down; at the end, mark read and go to the next',
    byList(pageOrMarkDone, openAtCursor),
    {
      aliases: ['read on', 'next page'],
      hint: 'read on',
      hints: {inbox: 2},
      isAboutRow: true,
      disabledReason: noInboxRow,
    },
  ),
  inboxCommand('triage.reply', 'Reply; after sending, mark read and go to the next', replyToRow, {
    isChange: true,
    aliases: ['answer', 'respond'],
    hint: 'reply',
    hints: {inbox: 3, 'inbox topics': 7, 'inbox recent': 3, 'inbox catchUp': 3, 'inbox directs': 3},
    isAboutRow: true,
    opensTextField: true,
    disabledReason: cannotReply,
  }),
  inboxCommand('triage.reply.dm', 'Direct message to the last sender', replyToSender, {
    aliases: ['reply privately', 'dm sender'],
    isAboutRow: true,
    opensTextField: true,
    disabledReason: (app) => composeProblem(app) ?? cannotUseMessage(app),
  }),
  inboxCommand('triage.snooze', 'Snooze…', openSnoozeMenu, {
    aliases: ['snooze', 'later', 'remind', 'postpone', 'hide'],
    opensTextField: true,
    hint: 'snooze',
    hints: {inbox: 5, 'inbox recent': 7, 'inbox catchUp': 7, 'inbox directs': 7},
    isAboutRow: true,
    disabledReason: noConversation,
  }),
  inboxCommand('triage.thumb', 'Thumbs up for the latest unread message', addThumbsUp, {
    aliases: ['like', 'upvote'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
  }),
  inboxCommand('triage.react', 'React to the latest unread message', openRowReactionPicker, {
    aliases: ['emoji', 'reaction'],
    isAboutRow: true,
    opensTextField: true,
    disabledReason: cannotUseMessage,
  }),
  inboxCommand('triage.star', 'Star the first unread message', starFirstUnread, {
    aliases: ['bookmark', 'save', 'favorite'],
    actsOnSelection: 'all',
    isAboutRow: true,
    disabledReason: (app) => noConversation(app) ?? rowMessageProblem(targetConversations(app), app),
  }),
  inboxCommand('triage.links', 'Links on screen', openRowLinkPicker, {
    aliases: ['open link', 'urls'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
  }),
  inboxCommand('triage.copytext', 'Copy unread messages', copyRowMessages, {
    aliases: ['copy text', 'yank'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
  }),
  inboxCommand(
    'triage.done.group',
    'Mark all read in this channel or group',
    byList(markInboxGroupDone, markWholeGroupDone),
    {
      aliases: ['mark channel read', 'mark group read', 'mark topics read'],
      hints: {'inbox group': [2, 'mark all read']},
      isAboutRow: true,
      disabledReason: cannotMarkDone,
    },
  ),
  inboxCommand('triage.fold', 'Fold / unfold group', toggleFold, {
    aliases: ['collapse', 'expand'],
    disabledReason: noInboxRow,
  }),
  inboxCommand('inbox.order', 'Order of the inbox…', (app) => openLocalSettingChoices(app, 'inboxOrder'), {
    aliases: ['sort', 'sort inbox', 'newest first', 'oldest first', 'by channel', 'by priority'],
    hint: 'order',
    hints: {inbox: 10},
  }),
  command('snooze.list', 'Snoozed conversations', openSnoozedList, {aliases: ['snoozed', 'wake', 'what is snoozed']}),
  command('triage.review', 'Undo history', openUndoHistory, {aliases: ['undo list', 'review', 'activity']}),
];
