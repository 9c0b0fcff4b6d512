import {targetConversation} from '#app/compose/destination.ts';
import type {App} from '#app/core/app.ts';
import type {Place, ScreenState, UnreadWalk} from '#app/core/screen-state.ts';
import {sameView, shownConversation} from '#app/core/view.ts';
import {releaseLaters} from '#app/inbox/enter-inbox.ts';
import {isPutOff} from '#app/inbox/snooze/snooze.ts';
import {readLaters, showLaters} from '#app/inbox/snooze/snooze-store.ts';
import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {inboxRows} from '#state/selectors/inbox/inbox.ts';
import type {InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import {channelRanks} from '#state/selectors/lists/channel-sections.ts';
import {draftConversations} from '#state/selectors/lists/draft-conversations.ts';
import type {AccountState} from '#state/state.ts';
import {openConversation, openView} from './navigation.ts';
import {leaveMenus, openPlace, placeNow} from './return-point.ts';

/**
 * The most important conversation that waits and was not passed on this walk; then what one began to write; and when nothing
 * is left, where the walk began.
 */
export function walkOn(app: App): void {
  const walk = walkOf(app.screen);
  const origin = walk?.origin ?? placeNow(app);
  const passed = withShown(app, walk?.passed ?? new Map());
  const next = nextOnWalk(app, passed) ?? nextDraft(app, passed, origin);
  if (next === undefined && walk === undefined) {
    app.toast(waitingRows(app).length === 0 ? 'Nothing is unread.' : 'Nothing else is unread.');
    return;
  }
  leaveMenus(app);
  if (next === undefined) {
    endWalk(app, origin);
    return;
  }
  openConversation(app, next);
  app.set({walk: {origin, steps: [...(walk?.steps ?? []), app.screen.view], passed}});
}

/** What was left unread on the way is still there for whoever walks again. */
function endWalk(app: App, origin: Place): void {
  app.set({walk: undefined});
  openPlace(app, origin);
  const left = waitingRows(app).length;
  const said = left === 0 ? 'Nothing else is unread' : `${left} still unread`;
  app.toast(`${said} · back to where you began`);
}

/** The one visited before; where the walk began after the first. Without a walk it begins with the least important. */
export function walkBack(app: App): void {
  const walk = walkOf(app.screen);
  const last = walk === undefined ? waitingRows(app).at(-1) : undefined;
  if (walk === undefined && last === undefined) {
    app.toast('Nothing is unread.');
    return;
  }
  const origin = walk?.origin ?? placeNow(app);
  leaveMenus(app);
  if (last !== undefined) {
    const passed = withShown(app, new Map());
    openConversation(app, last.conversation);
    app.set({walk: {origin, steps: [app.screen.view], passed}});
    return;
  }
  const earlier = walk === undefined ? undefined : stepBefore(walk);
  const before = earlier?.steps.at(-1);
  if (before === undefined) openPlace(app, origin);
  else openView(app, before);
  app.set({walk: earlier});
}

/** The walk without its last step; undefined at its beginning. */
export function stepBefore(walk: UnreadWalk): UnreadWalk | undefined {
  const steps = walk.steps.slice(0, -1);
  return steps.length === 0 ? undefined : {...walk, steps};
}

/** The walk that one is on. */
export function walkOf({walk, view}: Pick<ScreenState, 'walk' | 'view'>): UnreadWalk | undefined {
  const last = walk?.steps.at(-1);
  return last !== undefined && sameView(last, view) ? walk : undefined;
}

function withShown(app: App, passed: UnreadWalk['passed']): UnreadWalk['passed'] {
  const shown = shownConversation(app.screen);
  if (shown === undefined) return passed;
  const key = conversationKey(shown);
  const newest = app.frames.current.account.unreads.conversations.get(key)?.ids.last() ?? 0;
  return new Map(passed).set(key, newest);
}

function nextOnWalk(app: App, passed: UnreadWalk['passed']): Conversation | undefined {
  const row = waitingRows(app).find(({key, newestUnreadId}) => newestUnreadId > (passed.get(key) ?? 0));
  return row?.conversation;
}

/** What is being written where the walk began is gone on with at its end. */
function nextDraft(app: App, passed: UnreadWalk['passed'], {composer}: Place): Conversation | undefined {
  const begun = composer === undefined ? undefined : targetConversation(composer.target);
  const origin = begun === undefined ? undefined : conversationKey(begun);
  for (const [key, conversation] of draftConversations(app.state)) {
    if (key !== origin && !passed.has(key)) return conversation;
  }
  return undefined;
}

/** Every unread conversation that asks for attention now, the most important first: without the muted, and what is put off. */
function waitingRows(app: App): readonly InboxRow[] {
  showLaters(app, readLaters(app));
  releaseLaters(app);
  const rows = inboxRows(app.state);
  return app.screen.inbox.laters.size === 0 ? rows : rows.filter(({key}) => !isPutOffNow(app, key));
}

function isPutOffNow({screen, state, clock}: App, key: ConversationKey): boolean {
  const later = screen.inbox.laters.get(key);
  return later !== undefined && isPutOff(state.unreads, later, clock.now());
}

/** The next conversation that waits in the order of the inbox, from this one on and around at the end. */
function waitingAfter(app: App, conversation: Conversation | undefined): Conversation | undefined {
  const waiting = new Set(waitingRows(app));
  const rows = inboxRows(app.state);
  const from = conversation === undefined ? undefined : conversationKey(conversation);
  const at = rows.findIndex(({key}) => key === from);
  const ahead = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  return ahead.find((row) => waiting.has(row))?.conversation;
}

/** From a conversation that is done to the next: on a walk that is its next step. False when there is none. */
export function goOnFrom(app: App, conversation: Conversation | undefined): boolean {
  if (walkOf(app.screen) !== undefined) {
    walkOn(app);
    return true;
  }
  const next = waitingAfter(app, conversation);
  if (next !== undefined) openConversation(app, next);
  return next !== undefined;
}

export type UnreadKind = 'topic' | 'followed' | 'direct';

/** The next unread conversation of a kind in the order of the lists, from the one shown on, and around at the end. */
export function nextUnread(app: App, kind: UnreadKind): Conversation | undefined {
  const {state} = app;
  const shown = shownConversation(app.screen);
  const rows = waitingRows(app).filter((row) => isOfKind(row, kind));
  const ordered = kind === 'direct' ? rows : inSidebarOrder(state, rows);
  const key = shown === undefined ? undefined : conversationKey(shown);
  const others = ordered.filter((row) => row.key !== key);
  if (kind === 'direct' || shown?.kind !== 'topic') {
    return (key === undefined ? others[0] : after(ordered, key))?.conversation ?? others[0]?.conversation;
  }
  // First what else is unread in this channel, then the channels after it.
  const here = others.find(({conversation}) => isIn(conversation, shown.channelId));
  if (here !== undefined) return here.conversation;
  const ranks = channelRanks(state);
  const rank = ranks.get(shown.channelId) ?? -1;
  const later = others.find((row) => rankOf(ranks, row) > rank);
  return (later ?? others[0])?.conversation;
}

function isIn(conversation: Conversation, channelId: number): boolean {
  return conversation.kind === 'topic' && conversation.channelId === channelId;
}

function after(rows: readonly InboxRow[], key: ConversationKey): InboxRow | undefined {
  const at = rows.findIndex((row) => row.key === key);
  return at < 0 ? undefined : rows[at + 1];
}

function isOfKind({conversation, isFollowed}: InboxRow, kind: UnreadKind): boolean {
  if (kind === 'direct') return conversation.kind === 'direct';
  return conversation.kind === 'topic' && (kind === 'topic' || isFollowed);
}

function rankOf(ranks: ReadonlyMap<number, number>, {conversation}: InboxRow): number {
  return conversation.kind === 'topic' ? (ranks.get(conversation.channelId) ?? ranks.size) : -1;
}

function inSidebarOrder(state: AccountState, rows: readonly InboxRow[]): readonly InboxRow[] {
  const ranks = channelRanks(state);
  return rows.toSorted((a, b) => rankOf(ranks, a) - rankOf(ranks, b) || b.newestUnreadId - a.newestUnreadId);
}
