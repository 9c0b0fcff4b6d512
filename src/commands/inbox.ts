import {conversationUnderCursor, targetConversations} from '#ui/actions/action-target.ts';
import {hasUnreadTarget, markTargetsDone} from '#ui/actions/mark-done.ts';
import {markWholeGroupDone} from '#ui/actions/mark-group-done.ts';
import {markReadProblem} from '#ui/actions/mute-and-follow.ts';
import {composeProblem, destinationProblem} from '#ui/composer/open-composer.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {markInboxGroupDone} from '#ui/inbox/actions/mark-inbox-group-done.ts';
import {
  addThumbsUp,
  copyRowMessages,
  openRowLinkPicker,
  openRowReactionPicker,
  replyToRow,
  replyToSender,
  rowMessageProblem,
  starFirstUnread,
} from '#ui/inbox/actions/reply-and-react.ts';
import {markInboxRowsDone, pageOrMarkDone} from '#ui/inbox/actions/triage-actions.ts';
import {isInboxEmpty} from '#ui/inbox/inbox-tabs.ts';
import {openSnoozedList, openSnoozeMenu} from '#ui/inbox/snooze/snooze-menu.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {openRow, setFolded} from '#ui/lists/move-in-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {openUndoHistory, undoLatest} from '#ui/undo/undo-and-return.ts';
import type {Command} from './command.ts';
import {inConversationLists} from './context-names.ts';

/** Returns why no row can be acted on. An empty inbox may still have muted rows, but they are not shown. */
function noRow({frame}: AppReader): string | undefined {
  const id = focusedList(frame.screen);
  if (id === 'inbox' && isInboxEmpty(frame)) return 'The inbox is empty';
  return id === undefined || cursorRow(frame, id) === undefined ? 'No row is selected' : undefined;
}

function noConversation(app: AppReader): string | undefined {
  if (targetConversations(app).length > 0) return undefined;
  return noRow(app) ?? 'No conversation is selected';
}

function noConversationUnderCursor(app: AppReader): string | undefined {
  if (conversationUnderCursor(app) !== undefined) return undefined;
  return noRow(app) ?? 'No conversation is selected';
}

function cannotReply(app: AppReader): string | undefined {
  const row = conversationUnderCursor(app);
  return composeProblem(app) ?? noConversationUnderCursor(app) ?? (row && destinationProblem(app, row.conversation));
}

function cannotUseMessage(app: AppReader): string | undefined {
  return noConversationUnderCursor(app) ?? rowMessageProblem(app);
}

/** Returns why a row cannot be marked done. In the inbox the key still moves on when nothing can be marked read. */
function cannotMarkDone(app: AppReader): string | undefined {
  return noRow(app) ?? (focusedList(app.screen) === 'inbox' ? undefined : markReadProblem(app));
}

/** Returns a command that runs `inInbox` in the inbox and `elsewhere` in other lists. */
function byList(inInbox: (app: App) => void, elsewhere: (app: App, id: ListId) => void): (app: App) => void {
  return (app) => {
    const id = focusedList(app.screen);
    if (id === 'inbox') inInbox(app);
    else if (id !== undefined) elsewhere(app, id);
  };
}

/** Opens the row under the cursor: lists without a preview have nothing to page in. */
function openAtCursor(app: App, id: ListId): void {
  const row = cursorRow(app.frame, id);
  if (row !== undefined) openRow(app, id, row);
}

function toggleFold(app: App): void {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  if (id === undefined || row === undefined) return;
  if (row.group === undefined) app.toast('This row is not in a group');
  else if (!setFolded(app, id, row, true)) setFolded(app, id, row, false);
}

const inboxCommand = (command: Omit<Command, 'contexts'>): Command => ({contexts: ['inbox'], ...command});

export const inboxCommands: readonly Command[] = [
  inboxCommand({
    id: 'triage.done',
    title: 'Mark read and go to the next',
    isChange: true,
    aliases: ['done', 'mark read', 'mark as read', 'archive'],
    hint: 'done',
    hints: {inbox: 1, ...inConversationLists(2)},
    isAboutRow: true,
    disabledReason: cannotMarkDone,
    hasEffect: hasUnreadTarget,
    run: byList(markInboxRowsDone, markTargetsDone),
  }),
  inboxCommand({
    id: 'triage.readon',
    title: 'Page down; at the end, mark read and go to the next',
    aliases: ['read on', 'next page'],
    hint: 'read on',
    hints: {inbox: 2},
    isAboutRow: true,
    disabledReason: noRow,
    run: byList(pageOrMarkDone, openAtCursor),
  }),
  inboxCommand({
    id: 'triage.reply',
    title: 'Reply; after sending, mark read and go to the next',
    isChange: true,
    aliases: ['answer', 'respond'],
    hint: 'reply',
    hints: {inbox: 3, 'inbox topics': 7, 'inbox recent': 3, 'inbox directs': 3},
    isAboutRow: true,
    opensTextField: true,
    disabledReason: cannotReply,
    run: replyToRow,
  }),
  inboxCommand({
    id: 'triage.reply.dm',
    title: 'Direct message to the last sender',
    aliases: ['reply privately', 'dm sender'],
    isAboutRow: true,
    opensTextField: true,
    disabledReason: (app) => composeProblem(app) ?? cannotUseMessage(app),
    run: replyToSender,
  }),
  inboxCommand({
    id: 'triage.snooze',
    title: 'Snooze…',
    aliases: ['snooze', 'later', 'remind', 'postpone', 'hide'],
    opensTextField: true,
    hint: 'snooze',
    hints: {inbox: 5, 'inbox recent': 7, 'inbox directs': 7},
    isAboutRow: true,
    disabledReason: noConversation,
    run: openSnoozeMenu,
  }),
  inboxCommand({
    id: 'triage.undo',
    title: 'Undo',
    aliases: ['revert', 'take back'],
    hint: 'undo',
    hints: {
      inbox: 7,
      'inbox group': 3,
      'inbox done': [1, 'undo last'],
      'inbox nothing': 4,
      ...inConversationLists(10),
    },
    hasEffect: ({frame}) => frame.canUndo,
    run: undoLatest,
  }),
  inboxCommand({
    id: 'triage.thumb',
    title: 'Thumbs up for the latest unread message',
    aliases: ['like', 'upvote'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: addThumbsUp,
  }),
  inboxCommand({
    id: 'triage.react',
    title: 'React to the latest unread message',
    aliases: ['emoji', 'reaction'],
    isAboutRow: true,
    opensTextField: true,
    disabledReason: cannotUseMessage,
    run: openRowReactionPicker,
  }),
  inboxCommand({
    id: 'triage.star',
    title: 'Star the first unread message',
    aliases: ['bookmark', 'save', 'favorite'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: starFirstUnread,
  }),
  inboxCommand({
    id: 'triage.links',
    title: 'Links on screen',
    aliases: ['open link', 'urls'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: openRowLinkPicker,
  }),
  inboxCommand({
    id: 'triage.copytext',
    title: 'Copy unread messages',
    aliases: ['copy text', 'yank'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: copyRowMessages,
  }),
  inboxCommand({
    id: 'triage.done.group',
    title: 'Mark all read in this channel or group',
    aliases: ['mark channel read', 'mark group read', 'mark topics read'],
    hints: {'inbox group': [2, 'mark all read']},
    isAboutRow: true,
    disabledReason: cannotMarkDone,
    run: byList(markInboxGroupDone, markWholeGroupDone),
  }),
  inboxCommand({
    id: 'triage.fold',
    title: 'Fold / unfold group',
    aliases: ['collapse', 'expand'],
    disabledReason: noRow,
    run: toggleFold,
  }),
  {
    id: 'snooze.list',
    title: 'Snoozed conversations',
    aliases: ['snoozed', 'wake', 'what is snoozed'],
    contexts: ['nav'],
    run: openSnoozedList,
  },
  {
    id: 'triage.review',
    title: 'Undo history',
    aliases: ['undo list', 'review', 'activity'],
    contexts: ['nav'],
    run: openUndoHistory,
  },
];
