import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {skipRows, triageTargets} from '#ui/inbox/actions/perform-row-action.ts';
import {nextUnreadRow} from '#ui/lists/act-and-advance.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {setListCursor} from '#ui/lists/move-in-list.ts';
import {openConversation} from '#ui/navigation/navigation.ts';
import {
  hasOtherUnread,
  nextUnreadConversation,
  type UnreadKind,
  walkToNextUnread,
  walkToPreviousStep,
} from '#ui/navigation/unread-walk.ts';
import type {Command} from './command.ts';
import {inConversationLists} from './hint-contexts.ts';

const noneLeft: Readonly<Record<UnreadKind, string>> = {
  topic: 'No other unread topic',
  followed: 'No other unread followed topic',
  direct: 'No other unread direct message',
};

/** Opens the next unread conversation of a kind. Marks nothing read. */
function goToUnread(app: App, kind: UnreadKind): void {
  const next = nextUnreadConversation(app, kind);
  if (next === undefined) app.toast(noneLeft[kind]);
  else openConversation(app, next);
}

/** Moves to the next unread row in a conversation list, or opens the next unread topic elsewhere. */
function goToUnreadTopic(app: App): void {
  const id = focusedList(app.screen);
  if (id === 'inbox') skipRows(app);
  else if (id === undefined || id === 'drafts') goToUnread(app, 'topic');
  else goToUnreadRow(app, id);
}

function goToUnreadRow(app: App, id: ListId): void {
  const next = nextUnreadRow(app.frame, id);
  if (next === undefined) app.toast('No other unread row in this list');
  else setListCursor(app, id, next.key);
}

function hasUnreadAhead(app: AppReader): boolean {
  const id = focusedList(app.screen);
  if (id === 'inbox') return triageTargets(app).length > 0;
  return id === undefined || id === 'drafts'
    ? hasOtherUnread(app, 'topic')
    : nextUnreadRow(app.frame, id) !== undefined;
}

export const unreadWalkCommands: readonly Command[] = [
  {
    id: 'unread.next.topic',
    title: 'Next unread topic; marks nothing read',
    aliases: ['skip', 'keep unread'],
    contexts: ['nav'],
    hint: 'next unread',
    hints: {msgs: 4, inbox: [4, 'skip (stays unread)'], ...inConversationLists(4)},
    hasEffect: hasUnreadAhead,
    run: goToUnreadTopic,
  },
  {
    id: 'unread.next.followed',
    title: 'Next unread followed topic',
    contexts: ['nav'],
    run: (app) => goToUnread(app, 'followed'),
  },
  {
    id: 'unread.next.dm',
    title: 'Next unread direct message',
    contexts: ['nav'],
    run: (app) => goToUnread(app, 'direct'),
  },
  {
    id: 'unread.next.smart',
    title: 'Next important unread',
    aliases: ['next unread', 'jump to unread'],
    contexts: ['global'],
    run: walkToNextUnread,
  },
  {
    id: 'unread.prev.smart',
    title: 'Previous important unread',
    contexts: ['global'],
    run: walkToPreviousStep,
  },
];
