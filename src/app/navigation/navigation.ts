import type {App} from '#app/core/app.ts';
import {shownApp} from '#app/core/other-apps.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import type {TimelineAnchor} from '#state/fetches/open-timelines.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, type ConversationKey, conversationKey, sameConversation} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import {catchUpNarrow} from '#ui/catch-up/catch-up-list.ts';
import {sameTarget} from '#ui/composer/destination.ts';
import {type MessagesView, messagesView, sameView, shownConversation, type View, viewKey} from '#ui/core/frame.ts';
import type {ScreenState, Visit} from '#ui/core/screen-state.ts';
import {mainList} from '#ui/list-table.ts';
import {fetchAnchor, newTimelineState, stateForVisit, type TimelineState} from '#ui/message-pane/timeline-state.ts';
import {type OtherPane, ownOtherPane} from '#ui/other-pane/other-pane-state.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';

const maxHistory = 100;

/** Options for opening a view. */
interface OpenOptions {
  /** The message to show; by default the first unread one. */
  readonly anchor?: TimelineAnchor | undefined;
  /** Whether the history stays as it is, for going back and forward. */
  readonly isRevisit?: boolean | undefined;
  /** The account that was shown before; its view is the one before this in the history. */
  readonly from?: App | undefined;
}

/** Shows a view in the main pane at once. Messages that are not loaded yet appear when they arrive. */
export function openView(app: App, view: View, {anchor, isRevisit = false, from = app}: OpenOptions = {}): void {
  const {view: before} = from.screen;
  const isSame = from === app && sameView(before, view);
  app.update((screen) => ({
    ...screen,
    view,
    focus: 'main',
    back: isSame || isRevisit ? screen.back : historyWith(from),
    forward: isSame || isRevisit ? screen.forward : [],
  }));
  if (view.kind === 'messages') showTimeline(app, view, anchor);
  app.viewOpened(before);
}

/** Opens a narrow. Its `near` term gives the message to show and is no part of the view. */
export function openNarrow(app: App, narrowWithNear: Narrow, options: OpenOptions & {query?: string} = {}): void {
  const near = narrowWithNear.find(({operator, negated}) => operator === 'near' && negated !== true);
  const narrow = near === undefined ? narrowWithNear : narrowWithNear.filter((term) => term !== near);
  const id = Number(near?.operand);
  const anchor = options.anchor ?? (Number.isSafeInteger(id) ? id : undefined);
  openView(app, messagesView(narrow, options.query), {...options, anchor});
}

export function openConversation(app: App, conversation: Conversation, options: OpenOptions = {}): void {
  openNarrow(app, conversationNarrow(conversation), options);
}

/** Returns the views before the next one. */
function historyWith({info, screen: {back, view}}: App): readonly Visit[] {
  return [...back, {account: info.accountName, view}].slice(-maxHistory);
}

/** Shows the account of a view of the history. Returns its app; undefined if the account is not open. */
function showAccountOf(app: App, {account}: Visit): App | undefined {
  if (account === app.info.accountName) return app;
  const index = app.accounts.list().findIndex(({name}) => name === account);
  const owner = app.accounts.appAt?.(index);
  if (owner !== undefined) app.accounts.show(index);
  return owner;
}

/** Opens a view of the history as a new one. */
export function openVisit(app: App, visit: Visit): void {
  const owner = showAccountOf(app, visit);
  if (owner !== undefined) openView(owner, visit.view, {from: app});
}

/** Opens the previous view of the history; returns false when there is none. */
export function goBack(app: App): boolean {
  const {back, view, forward} = app.screen;
  const visit = back.at(-1);
  const owner = visit && showAccountOf(app, visit);
  if (visit === undefined || owner === undefined) return false;
  owner.set({back: back.slice(0, -1), forward: [...forward, {account: app.info.accountName, view}]});
  openView(owner, visit.view, {isRevisit: true, from: app});
  return true;
}

/** Opens the next view of the history; returns false when there is none. */
export function goForward(app: App): boolean {
  const {back, view, forward} = app.screen;
  const visit = forward.at(-1);
  const owner = visit && showAccountOf(app, visit);
  if (visit === undefined || owner === undefined) return false;
  owner.set({forward: forward.slice(0, -1), back: [...back, {account: app.info.accountName, view}]});
  openView(owner, visit.view, {isRevisit: true, from: app});
  return true;
}

/**
 * Continues the history in the account that is shown next. A list of all accounts is the same view in each; other views follow the
 * one that was left. Returns whether it is the same view.
 */
export function carryHistory(from: App, to: App): boolean {
  const {view, back, forward} = from.screen;
  const isSame = sameView(view, to.screen.view) && mainList(view)?.isMerged === true;
  to.set(isSame ? {back, forward} : {back: historyWith(from), forward: []});
  return isSame;
}

/**
 * Replaces a conversation by the one it was moved to, in both panes and their histories. The shown views keep
 * their message and their focus.
 */
export function redirectViews(app: App, from: Conversation, to: Conversation): void {
  const target = messagesView(conversationNarrow(to));
  const isFrom = ({account, view}: Visit) => {
    const shown = account === app.info.accountName ? shownConversation({view}) : undefined;
    return shown !== undefined && sameConversation(shown, from);
  };
  const withTarget = (visit: Visit) => (isFrom(visit) ? {...visit, view: target} : visit);
  const redirected = ({back, forward}: Pick<ScreenState, 'back' | 'forward'>, shown: Visit) => {
    if (![shown, ...back, ...forward].some(isFrom)) return undefined;
    const now = withTarget(shown);
    return {
      view: now.view,
      back: withoutRepeats([...back.map(withTarget), now]).slice(0, -1),
      forward: withoutRepeats([...forward.map(withTarget), now]).slice(0, -1),
    };
  };
  const before = app.screen.view;
  const isShown = isFrom({account: app.info.accountName, view: before});
  // The account that is shown has the history of all, and perhaps a pane of this account.
  for (const holder of new Set([app, shownApp(app) ?? app])) {
    const {screen, info} = holder;
    const views = redirected(screen, {account: info.accountName, view: screen.view});
    const timelines = holder === app ? renamedTimelines(screen, from, target, isShown) : screen.timelines;
    if (views !== undefined) holder.set({...views, timelines});
    const other = screen.otherPane;
    if (other === undefined) continue;
    const inOther = {account: accountOfPane(holder, other), view: other.view};
    const otherViews = redirected(other, inOther);
    if (otherViews === undefined) continue;
    const isMoved = isFrom(inOther);
    const isWriting = isMoved && other.composer !== undefined && sameTarget(other.composer.target, from);
    const composer = isWriting ? {...other.composer, target: to} : other.composer;
    holder.set({otherPane: {...other, ...otherViews, composer}});
    if (isMoved) loadTimeline(app, target, other.timeline);
  }
  if (!isShown) return;
  loadTimeline(app, target);
  app.viewOpened(before);
}

function withoutRepeats(visits: readonly Visit[]): readonly Visit[] {
  return visits.filter((visit, at) => {
    const next = visits[at + 1];
    return next === undefined || next.account !== visit.account || !sameView(visit.view, next.view);
  });
}

/** Moves the scroll position to the new view: positions refer to messages, which keep their ids when moved. */
function renamedTimelines(
  {timelines}: ScreenState,
  from: Conversation,
  target: MessagesView,
  isShown: boolean,
): ScreenState['timelines'] {
  const before = viewKey(messagesView(conversationNarrow(from)));
  const after = viewKey(target);
  const position = timelines.get(before);
  if (position === undefined || before === after) return timelines;
  const renamed = new Map(timelines);
  renamed.delete(before);
  if (isShown || !renamed.has(after)) renamed.set(after, position);
  return renamed;
}

/** Returns the scroll position and selection of a view. */
export function timelineState(app: Pick<App, 'screen'>, view: View = app.screen.view): TimelineState {
  return app.screen.timelines.get(viewKey(view)) ?? newTimelineState;
}

export function changeTimeline(app: App, view: View, change: (timeline: TimelineState) => TimelineState): void {
  const key = viewKey(view);
  app.update((screen) => {
    const before = screen.timelines.get(key) ?? newTimelineState;
    const after = change(before);
    return after === before ? screen : {...screen, timelines: new Map(screen.timelines).set(key, after)};
  });
}

/** Returns the name of the account that the second pane shows. */
function accountOfPane({info, accounts}: App, {organization}: OtherPane): string {
  return organization === undefined ? info.accountName : (accounts.list()[organization]?.name ?? '');
}

/** Returns the app on whose screen the second pane shows this account: itself, or the organization with the focus. */
export function otherPaneHolder(app: App): App | undefined {
  const shown = shownApp(app);
  const otherPane = shown?.screen.otherPane;
  if (shown !== undefined && otherPane?.organization !== undefined)
    if (accountOfPane(shown, otherPane) === app.info.accountName) return shown;
  return ownOtherPane(app.screen) === undefined ? undefined : app;
}

/** Changes the position in the pane without the focus, if it still shows the view of the organization; undefined for the app's own. */
export function changeOtherTimeline(
  app: App,
  view: View,
  change: (timeline: TimelineState) => TimelineState,
  organization?: number,
): void {
  app.update((screen) => {
    const {otherPane} = screen;
    if (otherPane?.organization !== organization || otherPane === undefined || !sameView(otherPane.view, view))
      return screen;
    const before = otherPane.timeline ?? newTimelineState;
    const timeline = change(before);
    return timeline === before ? screen : {...screen, otherPane: {...otherPane, timeline}};
  });
}

function showTimeline(app: App, view: MessagesView, anchor: TimelineAnchor | undefined): void {
  const {narrow} = view;
  const visit = {
    openAt: anchor,
    firstUnread: firstUnreadId(app.state, narrow),
    unreadCount: unreadCountIn(app.state, narrow),
  };
  changeTimeline(app, view, () => stateForVisit(app.screen.timelines.get(viewKey(view)), visit));
  loadTimeline(app, view);
}

/** Loads the messages around a position in a view that one of the panes shows. */
export function loadTimeline(app: App, view: MessagesView, position = timelineState(app, view)): void {
  const loaded = (state: TimelineState) => (state.hasLoaded ? state : {...state, hasLoaded: true});
  app.session.timelines.open(view.narrow, fetchAnchor(position)).then(
    (resolved) => {
      changeTimeline(app, view, loaded);
      changeOtherTimeline(app, view, loaded);
      openFoundNarrow(app, view, resolved);
      app.frames.paintResponse();
    },
    (error: unknown) => {
      if (isApiFailure(error) && error.kind === 'permanent') app.toast(failureMessage(error), 'error');
    },
  );
}

/**
 * Opens the narrow that the server resolved: a link can name a conversation by one of its messages, whose
 * current conversation is known only once it is fetched.
 */
function openFoundNarrow(app: App, view: MessagesView, resolved: Narrow): void {
  const isShown = app.screen.view === view;
  if (!isShown || narrowKey(resolved) === narrowKey(view.narrow)) return;
  const named = view.narrow.find(({operator}) => operator === 'with')?.operand;
  openView(app, messagesView(resolved, view.query), {
    isRevisit: true,
    anchor: typeof named === 'number' ? named : undefined,
  });
}

/** Opens the conversation of a message at the message, fetching it if needed. `missingText` is shown if there is none. */
export function openMessage(app: App, id: number, missingText: string): void {
  const message = app.state.messages.byId.get(id);
  if (message !== undefined) {
    openConversation(app, conversationOf(message), {anchor: id});
    return;
  }
  const {view} = app.screen;
  app.session.fetchMessage(id).then(
    (found) => {
      // The user may have opened another view meanwhile.
      if (app.screen.view === view) openConversation(app, conversationOf(found), {anchor: id});
    },
    () => app.toast(missingText, 'warning'),
  );
}

/** Returns the conversations of this account visited before, latest first, each once and without the one on screen. */
export function visitedConversations({info, screen}: Pick<App, 'info' | 'screen'>): readonly ConversationKey[] {
  const {view, back, forward} = screen;
  const keys = new Set<ConversationKey>();
  for (const visit of [...back.toReversed(), ...forward.toReversed()]) {
    const key = visit.account === info.accountName ? keyOfView(visit.view) : undefined;
    if (key !== undefined) keys.add(key);
  }
  const shown = keyOfView(view);
  if (shown !== undefined) keys.delete(shown);
  return [...keys];
}

function keyOfView(view: View): ConversationKey | undefined {
  const conversation = shownConversation({view});
  return conversation && conversationKey(conversation);
}

const dayMs = 86_400_000;
const pageSize = 1000;
/** More unread messages than this are not loaded. */
const maxLoaded = 3000;

/** Opens the cards of what happened in the last days. Older messages and those that arrive later are left to the inbox. */
export function openCatchUp(app: App, days: number): void {
  // In whole minutes, so that opening it again within one loads nothing twice.
  const since = Math.floor((app.clock.now() - days * dayMs) / 60_000) * 60;
  openView(app, {kind: 'catchUp', since, upTo: app.state.maxMessageId});
  ignoreFailure(loadUnread(app, since));
}

async function loadUnread({session}: App, since: number): Promise<void> {
  const narrow = await session.timelines.open(catchUpNarrow(since), 'newest', pageSize);
  for (;;) {
    const timeline = timelineOf(session.cache.state, narrow);
    if (timeline === undefined || timeline.hasOldest || timeline.ids.size >= maxLoaded) return;
    const before = timeline.ids.size;
    await session.timelines.loadOlder(narrow, pageSize);
    if (timelineOf(session.cache.state, narrow)?.ids.size === before) return;
  }
}
