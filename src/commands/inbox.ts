import {conversationUnderCursor, targetConversations} from '#ui/actions/action-target.ts';
import {markWholeGroupDone} from '#ui/actions/mark-group-done.ts';
import {markReadProblem} from '#ui/actions/mute-and-follow.ts';
import {composeProblem, destinationProblem} from '#ui/composer/open-composer.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import type {ListId} from '#ui/core/screen-state.ts';
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
import {markInboxGroupDone, pageOrMarkDone} from '#ui/inbox/actions/triage-actions.ts';
import {isInboxEmpty} from '#ui/inbox/inbox-summary.ts';
import {openSnoozedList, openSnoozeMenu} from '#ui/inbox/snooze/snooze-menu.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {openRow, setFolded} from '#ui/lists/move-in-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {openLocalSettingChoices} from '#ui/settings/settings-list.ts';
import {openUndoHistory} from '#ui/undo/undo.ts';
import {type Command, command} from './command.ts';

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

/**
 * Returns why nothing can be marked done. In the inbox the key still moves on when nothing can be marked read. A draft's
 * conversation is not shown with it, and so is not marked.
 */
export function cannotMarkDone(app: AppReader): string | undefined {
  const id = focusedList(app.screen);
  if (id === undefined) return markReadProblem(app);
  if (id === 'drafts') return 'There is nothing to mark read in this list';
  return noRow(app) ?? (id === 'inbox' ? undefined : markReadProblem(app));
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
      disabledReason: noRow,
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
    isAboutRow: true,
    disabledReason: cannotUseMessage,
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
    disabledReason: noRow,
  }),
  inboxCommand('inbox.order', 'Order of the inbox…', (app) => openLocalSettingChoices(app, 'inboxOrder'), {
    aliases: ['sort', 'sort inbox', 'newest first', 'oldest first', 'by channel', 'by priority'],
    hint: 'order',
    hints: {inbox: 10},
  }),
  command('snooze.list', 'Snoozed conversations', openSnoozedList, {aliases: ['snoozed', 'wake', 'what is snoozed']}),
  command('triage.review', 'Undo history', openUndoHistory, {aliases: ['undo list', 'review', 'activity']}),
];
