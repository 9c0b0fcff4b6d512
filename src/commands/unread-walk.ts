import type {App} from '#app/app.ts';
import {keepRows} from '#app/inbox/acting.ts';
import {openConversation, shownConversation} from '#app/navigation.ts';
import {nextUnread, type UnreadKind, walkBack, walkOn} from '#app/unread-walk.ts';
import type {Command} from './command.ts';

const nothing: Readonly<Record<UnreadKind, string>> = {
  topic: 'No other topic is unread.',
  followed: 'No other topic that you follow is unread.',
  direct: 'No other direct conversation is unread.',
};

/** What is shown stays as it is, read or not. In the inbox the next one is the next row. */
function goToUnread(app: App, kind: UnreadKind): void {
  const {view, focus} = app.screen;
  if (kind === 'topic' && focus === 'main' && (view.kind === 'inbox' || view.kind === 'triage')) {
    keepRows(app);
    return;
  }
  const next = nextUnread(app.state, kind, shownConversation(app.screen));
  if (next === undefined) app.toast(nothing[kind]);
  else openConversation(app, next);
}

export const unreadWalkCommands: readonly Command[] = [
  {
    id: 'unread.next.topic',
    title: 'Next unread topic; this one stays as it is',
    contexts: ['nav'],
    hint: 'next unread',
    run: (app) => goToUnread(app, 'topic'),
  },
  {
    id: 'unread.next.followed',
    title: 'Next unread topic that you follow',
    contexts: ['nav'],
    run: (app) => goToUnread(app, 'followed'),
  },
  {
    id: 'unread.next.dm',
    title: 'Next unread direct conversation',
    contexts: ['nav'],
    run: (app) => goToUnread(app, 'direct'),
  },
  {
    id: 'unread.next.smart',
    title: 'The most important unread, also while writing',
    contexts: ['global'],
    run: walkOn,
  },
  {
    id: 'unread.prev.smart',
    title: 'Back along the unread conversations',
    contexts: ['global'],
    run: walkBack,
  },
];
