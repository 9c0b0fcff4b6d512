import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {MessagesView} from '#app/core/view.ts';
import {changeTimeline, ignoreFailure, timelineState} from '#app/navigation/navigation.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {firstUnreadId, unreadCountIn} from '#state/selectors/timeline.ts';
import {CodeHighlighter} from './code-highlighter.ts';
import {resumePendingMotion} from './move-in-messages.ts';
import {canShowOpening} from './opening-position.ts';
import {mainTimelineNow} from './selection.ts';
import {ShownReadMarker} from './shown-read-marker.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import type {TimelineState} from './timeline-state.ts';
import {movedByLines} from './timeline-window.ts';

/** So few messages beyond what is in sight, and more are fetched. */
const minMessagesAhead = 30;
/** A message that is on its way for longer shows it. */
const slowMs = 500;
/** After a key there may be another: what is not in sight yet is laid out once nobody presses any. */
const quietMs = 40;

/** Follows what is shown of the messages: fetches what comes next, holds the place, marks read what was read. */
export function watchTimelines(app: App): void {
  const tender = new TimelineWatcher(app);
  app.onEnd(app.frames.subscribe(() => tender.onPainted(app.frames.paintedFrame)));
  app.onEnd(() => tender.end());
}

class TimelineWatcher {
  readonly #app: App;
  readonly #reading: ShownReadMarker;
  readonly #highlights: CodeHighlighter;
  #held: {readonly key: string; readonly release: () => void} | undefined;
  #cancelSlow: (() => void) | undefined;
  #cancelAhead: (() => void) | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#reading = new ShownReadMarker(app);
    this.#highlights = new CodeHighlighter(app);
  }

  end(): void {
    this.#cancelSlow?.();
    this.#cancelAhead?.();
    this.#held?.release();
    this.#held = undefined;
  }

  /** A frame is on the screen. */
  onPainted(frame: Frame): void {
    const {view} = frame.screen;
    const shown = mainTimelineNow(frame);
    if (view.kind !== 'messages' || shown?.timeline === undefined) {
      this.#hold(undefined);
      this.#reading.reset();
      return;
    }
    this.#highlights.highlightMissing();
    this.#hold(view.narrow);
    this.#begin(view, shown);
    resumePendingMotion(this.#app, view, shown);
    this.#extend(view.narrow, shown);
    this.#watchUnsent(view, shown);
    this.#layOutAhead(shown);
    this.#markNews(frame, view);
    this.#reading.markShown(frame, view, shown);
    const {selected} = shown;
    this.#app.session.timelines.setViewedMessage(
      view.narrow,
      typeof selected === 'number' ? selected : undefined,
    );
  }

  #hold(narrow: Narrow | undefined): void {
    const key = narrow === undefined ? undefined : narrowKey(narrow);
    if (this.#held?.key === key) return;
    this.#held?.release();
    this.#held =
      narrow === undefined || key === undefined
        ? undefined
        : {key, release: this.#app.session.timelines.keepOpen(narrow)};
  }

  /** From the first picture with messages on, the place is a message: what comes later moves nothing. */
  #begin(view: MessagesView, {timeline, window, selected}: ShownTimeline): void {
    const state = timelineState(this.#app, view);
    if (timeline === undefined || window === undefined || !canShowOpening(this.#app.state, timeline, state))
      return;
    const anchor = window.isAtEnd && timeline.hasNewest ? undefined : window.top;
    changeTimeline(this.#app, view, (before) =>
      before === state ? {...before, selected, anchor, openAt: undefined} : before,
    );
  }

  /** What arrives while nobody looks has a line above it when they come back. */
  #markNews({account, screen}: Frame, view: MessagesView): void {
    if (screen.hasWindowFocus !== false || conversationOfNarrow(view.narrow) === undefined) return;
    const unread = firstUnreadId(account, view.narrow);
    const {firstUnread: marked, unreadCount: count} = timelineState(this.#app, view);
    const isOlder = marked !== undefined && marked !== unread && account.unreads.byId.has(marked);
    const unreadCount = unreadCountIn(account, view.narrow);
    if (unread === undefined || isOlder || (unread === marked && unreadCount === count)) return;
    changeTimeline(this.#app, view, (state) => ({...state, firstUnread: unread, unreadCount}));
  }

  #extend(narrow: Narrow, {timeline, window}: ShownTimeline): void {
    const isIdle = timeline?.loading === undefined && timeline?.problem === undefined && !timeline?.isStale;
    if (timeline === undefined || window === undefined || !isIdle) return;
    const {timelines} = this.#app.session;
    const [first, last] = [window.rows[0]?.key, window.rows.at(-1)?.key];
    if (!timeline.hasOldest && typeof first === 'number' && isNear(timeline, first, 'before')) {
      ignoreFailure(this.#app, timelines.loadOlder(narrow));
    } else if (!timeline.hasNewest && typeof last === 'number' && isNear(timeline, last, 'after')) {
      ignoreFailure(this.#app, timelines.loadNewer(narrow));
    }
  }

  /** A page above and below, so that paging there is as quick as paging back. */
  #layOutAhead({rows, window, height}: ShownTimeline): void {
    this.#cancelAhead?.();
    if (rows === undefined || window === undefined) return;
    this.#cancelAhead = this.#app.clock.after(quietMs, () => {
      movedByLines(rows, window.start, -height);
      movedByLines(rows, window.start, 2 * height);
    });
  }

  #watchUnsent(view: MessagesView, {rows}: ShownTimeline): void {
    const {slowOutboxIds: slow} = timelineState(this.#app, view);
    const waiting = rows?.unsent.filter(({id, status}) => status !== 'failed' && !slow.includes(id)) ?? [];
    const [oldest] = waiting;
    this.#cancelSlow?.();
    this.#cancelSlow = undefined;
    if (oldest === undefined) {
      if (slow.length > 0 && rows?.unsent.length === 0) this.#setSlow(view, []);
      return;
    }
    const left = Math.max(0, oldest.createdAt + slowMs - this.#app.clock.now());
    const still = slow.filter((id) => rows?.has(id));
    this.#cancelSlow = this.#app.clock.after(left, () => this.#setSlow(view, [...still, oldest.id]));
  }

  #setSlow(view: MessagesView, slow: TimelineState['slowOutboxIds']): void {
    changeTimeline(this.#app, view, (state) => ({...state, slowOutboxIds: slow}));
  }
}

function isNear({ids}: Timeline, from: number, direction: 'before' | 'after'): boolean {
  let id: number | undefined = from;
  for (let count = 0; count < minMessagesAhead; count++) {
    id = direction === 'before' ? ids.before(id) : ids.after(id);
    if (id === undefined) return true;
  }
  return false;
}
