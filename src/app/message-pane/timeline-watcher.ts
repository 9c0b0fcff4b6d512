import type {App} from '#app/core/app.ts';
import {changeOtherTimeline, changeTimeline, timelineState} from '#app/navigation/navigation.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import type {Frame, MessagesView, View} from '#ui/core/frame.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {canShowOpening, type ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {newTimelineState, type TimelineState} from '#ui/message-pane/timeline-state.ts';
import {movedByLines} from '#ui/message-pane/timeline-window.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {CodeHighlighter} from './code-highlighter.ts';
import {ShownReadMarker} from './mark-shown-read.ts';
import {resumePendingMotion} from './move-in-messages.ts';

/** More messages are fetched when fewer than this remain off-screen. */
const minMessagesAhead = 30;
/** Sending that takes longer shows a mark. */
const slowMs = 500;
/** Messages off-screen are laid out once no key was pressed for this long. */
const quietMs = 40;

/** Starts the watchers of the shown timelines: they fetch more, fix the position, and mark messages read. */
export function watchTimelines(app: App): void {
  const focused = new FocusedTimelineWatcher(app);
  const others = new Map<number | undefined, TimelineWatcher>();
  const highlights = new CodeHighlighter(app);
  app.afterPaint(() => {
    const frame = app.frames.paintedFrame;
    const {otherPane} = frame.screen;
    const otherFrame = otherPaneFrame(frame);
    const isWatched = otherPane !== undefined && (otherPane.organization === undefined || app.isOnScreen);
    const watcher = isWatched ? otherWatcher(app, otherPane.organization, others) : undefined;
    for (const other of others.values()) if (other !== watcher) other.end();
    // The focused one is last: if both show the same view, it decides which messages are kept around it.
    watcher?.watch(otherPane?.view, otherFrame);
    const shown = focused.onPainted(frame);
    if (shown !== undefined || otherFrame !== undefined) highlights.highlightMissing();
  });
  app.onEnd(() => focused.end());
  app.onEnd(() => {
    for (const other of others.values()) other.end();
  });
}

/** Returns what watches the other pane while it shows an organization; undefined while that is not open. */
function otherWatcher(
  app: App,
  organization: number | undefined,
  watchers: Map<number | undefined, TimelineWatcher>,
): TimelineWatcher | undefined {
  const owner = organization === undefined ? app : app.accounts.appAt?.(organization);
  if (owner === undefined) return undefined;
  const known = watchers.get(organization);
  if (known?.owner === owner) return known;
  known?.end();
  const watcher = new TimelineWatcher(app, otherTimeline(organization), owner);
  watchers.set(organization, watcher);
  return watcher;
}

/** How to read and change the position in one of the panes. */
interface WatchedTimeline {
  readonly state: (app: App, view: MessagesView) => TimelineState;
  readonly change: typeof changeTimeline;
}

const focusedTimeline: WatchedTimeline = {state: timelineState, change: changeTimeline};
const otherTimeline = (organization: number | undefined): WatchedTimeline => ({
  state: ({screen}) => screen.otherPane?.timeline ?? newTimelineState,
  change: (app, view, change) => changeOtherTimeline(app, view, change, organization),
});

/** Watches the timeline in one of the panes of `app`, which is that of `owner`. */
class TimelineWatcher {
  readonly owner: App;
  protected readonly app: App;
  readonly #watched: WatchedTimeline;
  #openTimeline: {readonly key: string; readonly release: () => void} | undefined;
  #cancelSlow: (() => void) | undefined;

  constructor(app: App, watched: WatchedTimeline, owner = app) {
    this.owner = owner;
    this.app = app;
    this.#watched = watched;
  }

  end(): void {
    this.#cancelSlow?.();
    this.#keepOpen(undefined);
  }

  /**
   * Called with each painted frame of the pane, undefined while it is hidden: its view stays open. Returns the loaded timeline
   * that it shows.
   */
  watch(view: View | undefined, frame: Frame | undefined): ShownTimeline | undefined {
    const isLoaded = view?.kind === 'messages' && timelineOf(this.owner.state, view.narrow) !== undefined;
    this.#keepOpen(isLoaded ? view.narrow : undefined);
    const shown = frame && mainTimelineNow(frame);
    if (!isLoaded || frame === undefined || shown?.timeline === undefined) return undefined;
    this.#fixPosition(view, shown);
    this.#fetchMore(view.narrow, shown);
    this.#watchUnsent(view, shown);
    this.#markNewUnread(frame, view);
    const {selected} = shown;
    this.owner.session.timelines.setViewedMessage(view.narrow, typeof selected === 'number' ? selected : undefined);
    return shown;
  }

  #keepOpen(narrow: Narrow | undefined): void {
    const key = narrow && narrowKey(narrow);
    if (this.#openTimeline?.key === key) return;
    this.#openTimeline?.release();
    this.#openTimeline =
      narrow === undefined || key === undefined
        ? undefined
        : {key, release: this.owner.session.timelines.keepOpen(narrow)};
  }

  /** Fixes the position to a message from the first frame with messages on, so that later arrivals move nothing. */
  #fixPosition(view: MessagesView, {timeline, window, selected}: ShownTimeline): void {
    const state = this.#watched.state(this.app, view);
    if (timeline === undefined || window === undefined || !canShowOpening(this.owner.state, timeline, state)) return;
    const anchor = window.isAtEnd && timeline.hasNewest ? undefined : window.top;
    this.#watched.change(this.app, view, (before) =>
      before === state ? {...before, selected, anchor, openAt: undefined} : before,
    );
  }

  /** Moves the unread separator above messages that arrive while the window or the pane does not have the focus. */
  #markNewUnread({account, screen}: Frame, view: MessagesView): void {
    const isOther = screen.focus === 'other';
    const isLookedAt = screen.hasWindowFocus !== false && this.app.isOnScreen && !isOther;
    if (isLookedAt || conversationOfNarrow(view.narrow) === undefined) return;
    const unread = firstUnreadId(account, view.narrow);
    if (isOther && unread !== undefined && unread <= (this.app.screen.otherPane?.newestKnown ?? 0)) return;
    const {firstUnread: marked, unreadCount: count} = this.#watched.state(this.app, view);
    const isOlder = marked !== undefined && marked !== unread && account.unreads.byId.has(marked);
    const unreadCount = unreadCountIn(account, view.narrow);
    if (unread === undefined || isOlder || (unread === marked && unreadCount === count)) return;
    this.#watched.change(this.app, view, (state) => ({...state, firstUnread: unread, unreadCount}));
  }

  #fetchMore(narrow: Narrow, {timeline, window}: ShownTimeline): void {
    const isIdle = timeline?.loading === undefined && timeline?.problem === undefined && !timeline?.isStale;
    if (timeline === undefined || window === undefined || !isIdle) return;
    const {timelines} = this.owner.session;
    const first = window.rows[0]?.key;
    const last = window.rows.at(-1)?.key;
    if (!timeline.hasOldest && typeof first === 'number' && isNear(timeline, first, 'before')) {
      ignoreFailure(timelines.loadOlder(narrow));
    } else if (!timeline.hasNewest && typeof last === 'number' && isNear(timeline, last, 'after')) {
      ignoreFailure(timelines.loadNewer(narrow));
    }
  }

  #watchUnsent(view: MessagesView, {rows}: ShownTimeline): void {
    const {slowOutboxIds: slow} = this.#watched.state(this.app, view);
    const waiting =
      rows?.unsent.filter(({id, status}) => status !== 'failed' && status !== 'sent' && !slow.includes(id)) ?? [];
    const [oldest] = waiting;
    this.#cancelSlow?.();
    this.#cancelSlow = undefined;
    if (oldest === undefined) {
      if (slow.length > 0 && rows?.unsent.length === 0) this.#setSlow(view, []);
      return;
    }
    // At most `slowMs`: the clock may have been set back since then.
    const left = Math.min(slowMs, Math.max(0, oldest.createdAt + slowMs - this.app.clock.now()));
    const stillSlow = slow.filter((id) => rows?.has(id));
    this.#cancelSlow = this.app.clock.after(left, () => this.#setSlow(view, [...stillSlow, oldest.id]));
  }

  #setSlow(view: MessagesView, slow: TimelineState['slowOutboxIds']): void {
    this.#watched.change(this.app, view, (state) => ({...state, slowOutboxIds: slow}));
  }
}

/** Watches the timeline of the focused pane: keys move in it, and what it shows becomes read. */
class FocusedTimelineWatcher extends TimelineWatcher {
  readonly #readMarker: ShownReadMarker;
  #cancelAhead: (() => void) | undefined;

  constructor(app: App) {
    super(app, focusedTimeline);
    this.#readMarker = new ShownReadMarker(app);
  }

  override end(): void {
    this.#cancelAhead?.();
    super.end();
  }

  onPainted(frame: Frame): ShownTimeline | undefined {
    const {view} = frame.screen;
    const shown = this.watch(view, frame);
    if (view.kind !== 'messages' || shown === undefined) {
      this.#readMarker.reset();
      return undefined;
    }
    resumePendingMotion(this.app, view, shown);
    this.#layOutOffscreen(shown);
    this.#readMarker.markShown(frame, view, shown);
    return shown;
  }

  /** Lays out a page above and below, so that paging is fast. */
  #layOutOffscreen({rows, window, height}: ShownTimeline): void {
    this.#cancelAhead?.();
    if (rows === undefined || window === undefined) return;
    this.#cancelAhead = this.app.clock.after(quietMs, () => {
      movedByLines(rows, window.start, -height);
      movedByLines(rows, window.start, 2 * height);
    });
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
