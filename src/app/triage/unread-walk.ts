import {captureReturnPoint, closeOverlaysAndFilter, goToReturnPoint} from '#app/composer/return-point.ts';
import type {App} from '#app/core/app.ts';
import {activeWalk, walkWithoutLastStep} from '#app/navigation/active-walk.ts';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {readSnoozes, showSnoozes, wakeSnoozedAtEnd} from '#app/snoozes/snooze-store.ts';
import {type Conversation, type ConversationKey, conversationKey, sameConversation} from '#state/model/conversation.ts';
import {catchUpCards} from '#state/selectors/catch-up.ts';
import {type InboxRow, inbox, inboxGroups, inboxRows, sortedInboxRows} from '#state/selectors/inbox/inbox.ts';
import {channelRanks} from '#state/selectors/lists/channel-sections.ts';
import {draftConversations} from '#state/selectors/lists/conversation-properties.ts';
import {recentConversations, recentDirectConversations, topicRows} from '#state/selectors/lists/conversation-rows.ts';
import type {AccountState} from '#state/state.ts';
import {targetConversation} from '#ui/composer/destination.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {type Frame, shownConversation, type View} from '#ui/core/frame.ts';
import type {ScreenState, Visit} from '#ui/core/screen-state.ts';
import {isSnoozed} from '#ui/inbox/snooze/snooze.ts';
import {organizationTotals} from '#ui/inbox/triage-rows.ts';
import type {ReturnPoint, UnreadWalk} from '#ui/inbox/unread-walk-state.ts';
import {focusedList} from '#ui/list-table.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';

/**
 * Opens the most important unread conversation that this walk has not visited; then the conversations with
 * drafts; and when none is left, returns to where the walk began.
 */
export function walkToNextUnread(app: App): void {
  walkOn(app, activeWalk(app.screen) ?? {});
}

/** Takes the next step of a walk, which may have begun in another account or come from one. */
function walkOn(app: App, {beganIn, cameFrom}: Pick<UnreadWalk, 'beganIn' | 'cameFrom'>, from = app): void {
  const walk = activeWalk(app.screen);
  const origin = walk?.origin ?? captureReturnPoint(app);
  const passed = withShownPassed(app, walk?.passed ?? new Map());
  const next = nextOnWalk(app, passed) ?? nextDraft(app, passed, origin);
  if (next === undefined && walkInOther(app, beganIn)) return;
  if (next === undefined && walk === undefined) {
    app.toast(unreadRows(app).length === 0 ? 'Nothing is unread.' : 'Nothing else is unread.');
    return;
  }
  closeOverlaysAndFilter(app);
  if (next === undefined) {
    endWalk(app, origin);
    if (beganIn !== undefined) endWalkIn(app, beganIn);
    return;
  }
  openConversation(app, next, {from});
  app.set({unreadWalk: {origin, steps: [...(walk?.steps ?? []), app.screen.view], passed, beganIn, cameFrom}});
}

/** Goes on in the next organization that has something unread, if all are shown together. Returns whether there is one. */
function walkInOther(app: App, beganIn: number | undefined): boolean {
  const other = otherWithUnread(app);
  if (other === undefined) return false;
  closeOverlaysAndFilter(app);
  app.accounts.show(other.index);
  const start = beganIn ?? other.from;
  walkOn(other.app, {beganIn: start === other.index ? undefined : start, cameFrom: other.from}, app);
  return true;
}

/** Returns the next organization, by its number, with an unread conversation that its part of the walk has not visited. */
function otherWithUnread(app: App) {
  const all = app.frame.organizations?.all ?? [];
  const from = all.findIndex(({isShown}) => isShown);
  for (const {index} of [...all.slice(from + 1), ...all.slice(0, Math.max(0, from))]) {
    const other = app.accounts.appAt?.(index);
    if (other === undefined) continue;
    const passed = withShownPassed(other, activeWalk(other.screen)?.passed ?? new Map());
    if (nextOnWalk(other, passed) !== undefined) return {app: other, index, from};
  }
  return undefined;
}

/** Shows the account in which the walk began, where it began. */
function endWalkIn(app: App, index: number): void {
  const first = app.accounts.appAt?.(index);
  if (first === undefined) return;
  const {toast} = app.screen;
  app.accounts.show(index);
  const walk = activeWalk(first.screen);
  if (walk !== undefined) endWalk(first, walk.origin);
  else if (toast !== undefined) first.toast(toast.message ?? toast.text);
}

/** Ends the walk. Conversations that were left unread are visited again by the next walk. */
function endWalk(app: App, origin: ReturnPoint): void {
  app.set({unreadWalk: undefined});
  goToReturnPoint(app, origin);
  const left = unreadRows(app).length;
  const resultText = left === 0 ? 'Nothing else is unread' : `${left} still unread`;
  app.toast({text: resultText, hint: 'back to where you started'});
}

/**
 * Opens the previously visited conversation, or where the walk began. Without a walk it starts one at the
 * least important conversation.
 */
export function walkToPreviousStep(app: App): void {
  const walk = activeWalk(app.screen);
  const last = walk === undefined ? unreadRows(app).at(-1) : undefined;
  if (walk === undefined && last === undefined) {
    app.toast('Nothing is unread.');
    return;
  }
  const origin = walk?.origin ?? captureReturnPoint(app);
  closeOverlaysAndFilter(app);
  if (last !== undefined) {
    const passed = withShownPassed(app, new Map());
    openConversation(app, last.conversation);
    app.set({unreadWalk: {origin, steps: [app.screen.view], passed}});
    return;
  }
  const earlier = walk && walkWithoutLastStep(walk);
  const before = earlier?.steps.at(-1);
  if (before === undefined) goToReturnPoint(app, origin);
  else openView(app, before);
  app.set({unreadWalk: earlier});
  if (before === undefined && walk?.cameFrom !== undefined) app.accounts.show(walk.cameFrom);
}

function withShownPassed(app: App, passed: UnreadWalk['passed']): UnreadWalk['passed'] {
  const shown = shownConversation(app.screen);
  if (shown === undefined) return passed;
  const key = conversationKey(shown);
  const newest = app.frames.paintedFrame.account.unreads.conversations.get(key)?.ids.last() ?? 0;
  return new Map(passed).set(key, newest);
}

function nextOnWalk(app: App, passed: UnreadWalk['passed']): Conversation | undefined {
  const row = unreadRows(app).find(({key, newestUnreadId}) => newestUnreadId > (passed.get(key) ?? 0));
  return row?.conversation;
}

/** Returns the next conversation with a draft. The draft at the walk's origin is left out: the walk ends there. */
function nextDraft(app: App, passed: UnreadWalk['passed'], {composer}: ReturnPoint): Conversation | undefined {
  const draftedConversation = composer && targetConversation(composer.target);
  const origin = draftedConversation && conversationKey(draftedConversation);
  for (const [key, conversation] of draftConversations(app.state)) {
    if (key !== origin && !passed.has(key)) return conversation;
  }
  return undefined;
}

/** Returns every unread conversation, the most important first, without muted and snoozed ones. */
function unreadRows(app: App): readonly InboxRow[] {
  showSnoozes(app, readSnoozes(app));
  wakeSnoozedAtEnd(app);
  const rows = inboxRows(app.state);
  return app.screen.inbox.snoozes.size === 0 ? rows : rows.filter(({key}) => !isSnoozedNow(app, key));
}

function isSnoozedNow({screen, state, clock}: AppReader, key: ConversationKey): boolean {
  const snooze = screen.inbox.snoozes.get(key);
  return snooze !== undefined && isSnoozed(state, snooze, clock.now());
}

/** Returns the unmuted rows in the order that the user chose for the inbox. */
function rowsInInboxOrder(state: AccountState, {inbox: {order}}: ScreenState): readonly InboxRow[] {
  return sortedInboxRows(inbox(state), order.sort).filter(({group}) => group !== 'muted');
}

/** Returns the next unread conversation in inbox order after this one, wrapping around at the end. */
function unreadConversationAfter(app: App, conversation: Conversation | undefined): Conversation | undefined {
  const unread = new Set(unreadRows(app));
  const rows = rowsInInboxOrder(app.state, app.screen);
  const from = conversation && conversationKey(conversation);
  const at = rows.findIndex(({key}) => key === from);
  const ahead = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  return ahead.find((row) => unread.has(row))?.conversation;
}

/**
 * Opens the next unread conversation after a finished one; during a walk its next step. Returns false when
 * there is none.
 */
export function openNextUnreadAfter(app: App, conversation: Conversation | undefined): boolean {
  if (activeWalk(app.screen) !== undefined) {
    walkToNextUnread(app);
    return true;
  }
  const next = unreadConversationAfter(app, conversation);
  if (next !== undefined) openConversation(app, next);
  if (next !== undefined) return true;
  const other = otherWithUnread(app);
  const [first] = other === undefined ? [] : unreadRows(other.app);
  if (other === undefined || first === undefined) return false;
  app.accounts.show(other.index);
  openConversation(other.app, first.conversation, {from: app});
  return true;
}

/** The kinds of unread conversations that have their own keys. */
export type UnreadKind = 'topic' | 'followed' | 'direct';

/** Returns the next unread conversation of a kind in sidebar order after the shown one, wrapping around at the end. */
export function nextUnreadConversation(app: App, kind: UnreadKind): Conversation | undefined {
  const {state} = app;
  const shown = shownConversation(app.screen);
  const rows = unreadRows(app).filter((row) => isOfKind(row, kind));
  const ordered = kind === 'direct' ? rows : inSidebarOrder(state, rows);
  const key = shown && conversationKey(shown);
  const others = ordered.filter((row) => row.key !== key);
  if (kind === 'direct' || shown?.kind !== 'topic') {
    return (key === undefined ? others[0] : rowAfter(ordered, key))?.conversation ?? others[0]?.conversation;
  }
  // Other unread conversations of this channel come first, then the channels after it.
  const here = others.find(({conversation}) => isInChannel(conversation, shown.channelId));
  if (here !== undefined) return here.conversation;
  const ranks = channelRanks(state);
  const rank = ranks.get(shown.channelId) ?? -1;
  const later = others.find((row) => rankOf(ranks, row) > rank);
  return (later ?? others[0])?.conversation;
}

/** Whether another conversation than the shown one is unread, of this kind or any. Muted and snoozed ones do not count. */
export function hasOtherUnread(app: AppReader, kind?: UnreadKind): boolean {
  const shown = shownConversation(app.screen);
  const here = shown && conversationKey(shown);
  const isElsewhere = organizationTotals(app.frame).some(
    ({organization, totals}) => organization?.isShown === false && totals.all.conversations > 0,
  );
  if (kind === undefined && isElsewhere) return true;
  return inboxGroups(app.state).some(
    ({id, rows}) =>
      id !== 'muted' &&
      rows.some((row) => row.key !== here && (!kind || isOfKind(row, kind)) && !isSnoozedNow(app, row.key)),
  );
}

function isInChannel(conversation: Conversation, channelId: number): boolean {
  return conversation.kind === 'topic' && conversation.channelId === channelId;
}

function rowAfter(rows: readonly InboxRow[], key: ConversationKey): InboxRow | undefined {
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

/** Returns the conversation before or after the current one in its list; undefined at the list's ends. */
export function neighbourConversation(frame: Frame, step: 1 | -1): Conversation | undefined {
  const {account, screen} = frame;
  const list = focusedList(screen);
  const shown = shownConversation(screen);
  if (list !== undefined) {
    const listed = visibleRowsOf(frame, list).rows.flatMap(({target}) =>
      target?.kind === 'conversation' ? [target.conversation] : [],
    );
    const target = cursorRow(frame, list)?.target;
    const at = target?.kind === 'conversation' ? target.conversation : shown;
    return at === undefined ? undefined : neighbourOf(listed, at, step);
  }
  return shown && neighbourOf(listAround(account, screen, shown), shown, step);
}

function neighbourOf(listed: readonly Conversation[], at: Conversation, step: 1 | -1): Conversation | undefined {
  const key = conversationKey(at);
  const index = listed.findIndex((conversation) => conversationKey(conversation) === key);
  return index < 0 ? listed[0] : listed[index + step];
}

/**
 * Returns the conversations of the list shown last, if it has this one; else the topics of its channel, or
 * the direct conversations.
 */
function listAround(account: AccountState, screen: ScreenState, shown: Conversation): readonly Conversation[] {
  const last = screen.back.findLast(({view}) => view.kind !== 'messages');
  const listed = last === undefined ? [] : conversationsOf(account, screen, last.view);
  if (listed.some((conversation) => sameConversation(conversation, shown))) return listed;
  const rows = shown.kind === 'topic' ? topicRows(account, shown.channelId) : recentDirectConversations(account);
  return rows.map(({conversation}) => conversation);
}

function conversationsOf(account: AccountState, screen: ScreenState, view: View): readonly Conversation[] {
  switch (view.kind) {
    case 'inbox':
    case 'triage':
      return rowsInInboxOrder(account, screen).map(({conversation}) => conversation);
    case 'recent':
      return recentConversations(account, {unmuted: true}).map(({conversation}) => conversation);
    case 'catchUp':
      return catchUpCards(account, view).map(({conversation}) => conversation);
    case 'directs':
      return recentDirectConversations(account).map(({conversation}) => conversation);
    default:
      return [];
  }
}

/** Returns the visit of the last conversation shown other than the current one. */
export function lastOtherConversation({info, screen}: Pick<Frame, 'info' | 'screen'>): Visit | undefined {
  const {back, forward} = screen;
  const shown = shownConversation(screen);
  const isOther = ({account, view}: Visit): boolean => {
    const conversation = shownConversation({view});
    if (conversation === undefined) return false;
    return account !== info.accountName || shown === undefined || !sameConversation(conversation, shown);
  };
  return back.findLast(isOther) ?? forward.find(isOther);
}
