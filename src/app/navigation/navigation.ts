import {failureMessage, isApiFailure} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import {
  type MessagesView,
  messagesView,
  sameView,
  shownConversation,
  type View,
  viewChannelId,
  viewKey,
} from '#app/core/view.ts';
import {
  fetchAnchor,
  newTimelineState,
  stateForVisit,
  type TimelineState,
} from '#app/timeline/timeline-state.ts';
import type {TimelineAnchor} from '#state/fetches/page-args.ts';
import {type Conversation, sameConversation} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {firstUnreadId, unreadCountIn} from '#state/selectors/timeline.ts';

const maxHistory = 100;

export interface OpenOptions {
  /** The message to show; the first unread one without. */
  readonly anchor?: TimelineAnchor | undefined;
  /** Leaves no trace in the history: going back and forth. */
  readonly isRevisit?: boolean | undefined;
}

/** Shows something else in the main pane. Never waits: what is not there yet comes when it comes. */
export function openView(app: App, view: View, {anchor, isRevisit = false}: OpenOptions = {}): void {
  const {screen} = app;
  const isSame = sameView(screen.view, view);
  app.update((before) => ({
    ...before,
    view,
    focus: 'main',
    back: isSame || isRevisit ? before.back : [...before.back, before.view].slice(-maxHistory),
    forward: isSame || isRevisit ? before.forward : [],
  }));
  if (view.kind === 'messages') showTimeline(app, view, anchor);
  app.viewOpened(screen.view);
  const channelId = viewChannelId(view);
  if (channelId !== undefined) ignoreFailure(app, app.session.fetchTopics(channelId));
}

/** `near` says where to begin and is no part of a view. */
export function openNarrow(app: App, given: Narrow, options: OpenOptions & {query?: string} = {}): void {
  const near = given.find(({operator, negated}) => operator === 'near' && negated !== true);
  const narrow = near === undefined ? given : given.filter((term) => term !== near);
  const id = Number(near?.operand);
  const anchor = options.anchor ?? (Number.isSafeInteger(id) ? id : undefined);
  openView(app, messagesView(narrow, options.query), {...options, anchor});
}

export function openConversation(app: App, conversation: Conversation, options: OpenOptions = {}): void {
  openNarrow(app, conversationNarrow(conversation), options);
}

export function goBack(app: App): boolean {
  const {back, view, forward} = app.screen;
  const before = back.at(-1);
  if (before === undefined) return false;
  app.set({back: back.slice(0, -1), forward: [...forward, view]});
  openView(app, before, {isRevisit: true});
  return true;
}

export function goForward(app: App): boolean {
  const {back, view, forward} = app.screen;
  const next = forward.at(-1);
  if (next === undefined) return false;
  app.set({forward: forward.slice(0, -1), back: [...back, view]});
  openView(app, next, {isRevisit: true});
  return true;
}

/**
 * A conversation goes on elsewhere: whoever is there stays at the same message, with the same pane at the keys, and finds it
 * there when going back to it.
 */
export function redirectViews(app: App, from: Conversation, to: Conversation): void {
  const target = messagesView(conversationNarrow(to));
  const isFrom = (view: View) => {
    const shown = shownConversation({view});
    return shown !== undefined && sameConversation(shown, from);
  };
  const {view: before, back: past, forward: future} = app.screen;
  const isShown = isFrom(before);
  if (!isShown && ![...past, ...future].some(isFrom)) return;
  app.update((screen) => {
    const renamed = (view: View) => (isFrom(view) ? target : view);
    const view = renamed(screen.view);
    const back = withoutRepeats([...screen.back.map(renamed), view]).slice(0, -1);
    const forward = withoutRepeats([...screen.forward.map(renamed), view]).slice(0, -1);
    return {...screen, view, back, forward, timelines: renamedTimelines(screen, from, target, isShown)};
  });
  if (!isShown) return;
  loadTimeline(app, target);
  app.viewOpened(before);
}

function withoutRepeats(views: readonly View[]): readonly View[] {
  return views.filter((view, at) => {
    const next = views[at + 1];
    return next === undefined || !sameView(view, next);
  });
}

/** Places are named by messages, which are the same wherever they go. */
function renamedTimelines(
  {timelines}: ScreenState,
  from: Conversation,
  target: MessagesView,
  isShown: boolean,
): ScreenState['timelines'] {
  const [before, after] = [viewKey(messagesView(conversationNarrow(from))), viewKey(target)];
  const place = timelines.get(before);
  if (place === undefined || before === after) return timelines;
  const kept = new Map(timelines);
  kept.delete(before);
  if (isShown || !kept.has(after)) kept.set(after, place);
  return kept;
}

export function timelineState(app: Pick<App, 'screen'>, view: View = app.screen.view): TimelineState {
  return app.screen.timelines.get(viewKey(view)) ?? newTimelineState;
}

export function changeTimeline(
  app: App,
  view: View,
  change: (timeline: TimelineState) => TimelineState,
): void {
  const key = viewKey(view);
  app.update((screen) => {
    const before = screen.timelines.get(key) ?? newTimelineState;
    const after = change(before);
    return after === before ? screen : {...screen, timelines: new Map(screen.timelines).set(key, after)};
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

function loadTimeline(app: App, view: MessagesView): void {
  app.session.timelines.open(view.narrow, fetchAnchor(timelineState(app, view))).then(
    (found) => {
      changeTimeline(app, view, (state) => (state.hasLoaded ? state : {...state, hasLoaded: true}));
      openFoundNarrow(app, view, found);
      app.frames.paintResponse();
    },
    (error: unknown) => {
      if (isApiFailure(error) && error.kind === 'permanent') app.toast(failureMessage(error), 'error');
    },
  );
}

/** A link may name a conversation by one of its messages: where that is now is known only once it is found. */
function openFoundNarrow(app: App, view: MessagesView, found: Narrow): void {
  const isShown = app.screen.view === view;
  if (!isShown || narrowKey(found) === narrowKey(view.narrow)) return;
  const named = view.narrow.find(({operator}) => operator === 'with')?.operand;
  openView(app, messagesView(found, view.query), {
    isRevisit: true,
    anchor: typeof named === 'number' ? named : undefined,
  });
}

/** What fails shows it where it belongs, and is asked for again when somebody looks. */
export function ignoreFailure(_app: App, asked: Promise<unknown>): void {
  asked.catch(() => {});
}
