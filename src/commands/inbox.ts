import {rowAtHand, rowsAtHand} from '#app/actions/action-target.ts';
import {finish} from '#app/actions/mark-done.ts';
import {finishWhole} from '#app/actions/mark-group-done.ts';
import {readingProblem} from '#app/actions/mute-and-follow.ts';
import {composeProblem} from '#app/compose/open-composer.ts';
import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {markWholeDone} from '#app/inbox/actions/mark-inbox-group-done.ts';
import {readOn} from '#app/inbox/actions/page-or-mark-done.ts';
import {
  copyPreview,
  giveThumb,
  noMessage,
  pickLink,
  pickReaction,
  replyToRow,
  replyToSender,
  starFirst,
} from '#app/inbox/actions/reply-and-react.ts';
import {markDone} from '#app/inbox/actions/triage-actions.ts';
import {isOver} from '#app/inbox/is-inbox-empty.ts';
import {openLaterMenu} from '#app/inbox/snooze/snooze-menu.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {openRow, setFolded} from '#app/lists/open-row.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {undoLatest} from '#app/undo/undo-and-return.ts';
import {openReview} from '#app/undo/undo-history-picker.ts';
import type {Command} from './command.ts';
import {inConversationLists} from './hint-places.ts';

/** When nothing is left, what is muted is still there, but nobody sees it: no key is about it. */
function noRow({frame}: App): string | undefined {
  const id = focusedList(frame.screen);
  if (id === 'inbox' && isOver(frame)) return 'The inbox is empty';
  return id === undefined || cursorRow(frame, id) === undefined ? 'No row is selected' : undefined;
}

function noConversation(app: App): string | undefined {
  if (rowsAtHand(app).length > 0) return undefined;
  return noRow(app) ?? 'No conversation is selected';
}

function noConversationHere(app: App): string | undefined {
  if (rowAtHand(app) !== undefined) return undefined;
  return noRow(app) ?? 'No conversation is selected';
}

function cannotReply(app: App): string | undefined {
  return composeProblem(app) ?? noConversationHere(app);
}

function cannotUseMessage(app: App): string | undefined {
  return noConversationHere(app) ?? noMessage(app);
}

/** Only the inbox goes on to what is left, and marks read what cannot be; other lists do without. */
function cannotFinish(app: App): string | undefined {
  return noRow(app) ?? (focusedList(app.screen) === 'inbox' ? undefined : readingProblem(app));
}

/** What the inbox does its own way. */
function byList(there: (app: App) => void, elsewhere: (app: App, id: ListId) => void): (app: App) => void {
  return (app) => {
    const id = focusedList(app.screen);
    if (id === 'inbox') there(app);
    else if (id !== undefined) elsewhere(app, id);
  };
}

/** Without a preview there is nothing to page in: the conversation itself is read. */
function openAtCursor(app: App, id: ListId): void {
  const row = cursorRow(app.frame, id);
  if (row !== undefined) openRow(app, id, row);
}

function fold(app: App): void {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  if (id === undefined || row === undefined) return;
  if (row.group === undefined) app.toast('This row is not in a group');
  else if (!setFolded(app, id, row, true)) setFolded(app, id, row, false);
}

const inInbox = (command: Omit<Command, 'contexts'>): Command => ({contexts: ['inbox'], ...command});

export const inboxCommands: readonly Command[] = [
  inInbox({
    id: 'triage.done',
    title: 'Mark read and go to the next',
    aliases: ['done', 'mark read', 'mark as read', 'archive'],
    hint: 'done',
    hints: {inbox: 1, ...inConversationLists(2)},
    isAboutRow: true,
    disabledReason: cannotFinish,
    run: byList(markDone, finish),
  }),
  inInbox({
    id: 'triage.readon',
    title: 'Page down; at the end, mark read and go to the next',
    aliases: ['read on', 'next page'],
    hint: 'read on',
    hints: {inbox: 2},
    isAboutRow: true,
    disabledReason: noRow,
    run: byList(readOn, openAtCursor),
  }),
  inInbox({
    id: 'triage.reply',
    title: 'Reply; after sending, mark read and go to the next',
    aliases: ['answer', 'respond'],
    hint: 'reply',
    hints: {inbox: 3, 'inbox topics': 7, 'inbox recent': 3, 'inbox directs': 3},
    isAboutRow: true,
    opensTextField: true,
    disabledReason: cannotReply,
    run: replyToRow,
  }),
  inInbox({
    id: 'triage.reply.dm',
    title: 'Direct message to the last sender',
    aliases: ['reply privately', 'dm sender'],
    isAboutRow: true,
    opensTextField: true,
    disabledReason: (app) => composeProblem(app) ?? cannotUseMessage(app),
    run: replyToSender,
  }),
  inInbox({
    id: 'triage.later',
    title: 'Snooze…',
    aliases: ['snooze', 'later', 'remind', 'postpone', 'hide'],
    hint: 'snooze',
    hints: {inbox: 5, 'inbox recent': 7, 'inbox directs': 7},
    isAboutRow: true,
    disabledReason: noConversation,
    run: openLaterMenu,
  }),
  inInbox({
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
    run: undoLatest,
  }),
  inInbox({
    id: 'triage.thumb',
    title: 'Thumbs up for the latest unread message',
    aliases: ['like', 'upvote'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: giveThumb,
  }),
  inInbox({
    id: 'triage.react',
    title: 'React to the latest unread message',
    aliases: ['emoji', 'reaction'],
    isAboutRow: true,
    opensTextField: true,
    disabledReason: cannotUseMessage,
    run: pickReaction,
  }),
  inInbox({
    id: 'triage.star',
    title: 'Star the first unread message',
    aliases: ['bookmark', 'save', 'favorite'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: starFirst,
  }),
  inInbox({
    id: 'triage.links',
    title: 'Links on screen',
    aliases: ['open link', 'urls'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: pickLink,
  }),
  inInbox({
    id: 'triage.copytext',
    title: 'Copy unread messages',
    aliases: ['copy text', 'yank'],
    isAboutRow: true,
    disabledReason: cannotUseMessage,
    run: copyPreview,
  }),
  inInbox({
    id: 'triage.done.group',
    title: 'Mark all read in this channel or group',
    aliases: ['mark all read', 'mark all as read', 'mark channel read', 'catch up', 'clear all'],
    hints: {'inbox group': [2, 'mark all read']},
    isAboutRow: true,
    disabledReason: cannotFinish,
    run: byList(markWholeDone, finishWhole),
  }),
  inInbox({
    id: 'triage.fold',
    title: 'Fold / unfold group',
    aliases: ['collapse', 'expand'],
    disabledReason: noRow,
    run: fold,
  }),
  inInbox({
    id: 'triage.review',
    title: 'Undo history',
    aliases: ['undo list', 'review', 'activity'],
    run: openReview,
  }),
];
