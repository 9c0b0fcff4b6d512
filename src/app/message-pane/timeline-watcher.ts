import type {App} from '#app/core/app.ts';
import type {AppSettings} from '#app/core/host.ts';
import {changeOtherTimeline, changeTimeline, timelineState} from '#app/navigation/navigation.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import type {UndoRecord} from '#app/undo/undo-record.ts';
import type {Undoable} from '#app/undo/undo-stack.ts';
import {highlightCode, isHighlightable} from '#content/highlight/highlight-code.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import type {Span} from '#content/styled-text/line.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';
import {type Frame, type MessagesView, type View, viewKey} from '#ui/core/frame.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {canShowOpening, type ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {newTimelineState, type TimelineState} from '#ui/message-pane/timeline-state.ts';
import {movedByLines, type ShownRow} from '#ui/message-pane/timeline-window.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';
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
  const other = new TimelineWatcher(app, otherTimeline);
  const highlights = new CodeHighlighter(app);
  app.afterPaint(() => {
    const frame = app.frames.paintedFrame;
    // The focused one is last: if both show the same view, it decides which messages are kept around it.
    const shown = [other.watch(frame.screen.otherPane?.view, otherPaneFrame(frame)), focused.onPainted(frame)];
    if (shown.some((timeline) => timeline !== undefined)) highlights.highlightMissing();
  });
  app.onEnd(() => focused.end());
  app.onEnd(() => other.end());
}

/** How to read and change the position in one of the panes. */
interface WatchedTimeline {
  readonly state: (app: App, view: MessagesView) => TimelineState;
  readonly change: typeof changeTimeline;
}

const focusedTimeline: WatchedTimeline = {state: timelineState, change: changeTimeline};
const otherTimeline: WatchedTimeline = {
  state: ({screen}) => screen.otherPane?.timeline ?? newTimelineState,
  change: changeOtherTimeline,
};

/** Watches the timeline in one of the panes. */
class TimelineWatcher {
  protected readonly app: App;
  readonly #watched: WatchedTimeline;
  #openTimeline: {readonly key: string; readonly release: () => void} | undefined;
  #cancelSlow: (() => void) | undefined;

  constructor(app: App, watched: WatchedTimeline) {
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
    const isLoaded = view?.kind === 'messages' && timelineOf(this.app.state, view.narrow) !== undefined;
    this.#keepOpen(isLoaded ? view.narrow : undefined);
    const shown = frame === undefined ? undefined : mainTimelineNow(frame);
    if (!isLoaded || frame === undefined || shown?.timeline === undefined) return undefined;
    this.#fixPosition(view, shown);
    this.#fetchMore(view.narrow, shown);
    this.#watchUnsent(view, shown);
    this.#markNewUnread(frame, view);
    const {selected} = shown;
    this.app.session.timelines.setViewedMessage(view.narrow, typeof selected === 'number' ? selected : undefined);
    return shown;
  }

  #keepOpen(narrow: Narrow | undefined): void {
    const key = narrow === undefined ? undefined : narrowKey(narrow);
    if (this.#openTimeline?.key === key) return;
    this.#openTimeline?.release();
    this.#openTimeline =
      narrow === undefined || key === undefined
        ? undefined
        : {key, release: this.app.session.timelines.keepOpen(narrow)};
  }

  /** Fixes the position to a message from the first frame with messages on, so that later arrivals move nothing. */
  #fixPosition(view: MessagesView, {timeline, window, selected}: ShownTimeline): void {
    const state = this.#watched.state(this.app, view);
    if (timeline === undefined || window === undefined || !canShowOpening(this.app.state, timeline, state)) return;
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
    const {timelines} = this.app.session;
    const [first, last] = [window.rows[0]?.key, window.rows.at(-1)?.key];
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

/**
 * Marks messages as read when they are shown: their first and last line were on the screen, the window has the focus, and
 * the view counts as reading. Each message is marked once per visit, so that one that the user marks unread, or restores by
 * undo, stays unread. The undo history has one entry for each visit; the undo key skips it, because it is about what the user did.
 */
class ShownReadMarker {
  readonly #app: App;
  #visit = '';
  readonly #begun = new Set<number>();
  readonly #read = new Set<number>();
  /** Those that this visit marked, and the entry about them in the undo history. */
  #marked: readonly number[] = [];
  #undoable: Undoable | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  /** Called with each painted frame. */
  markShown(frame: Frame, view: MessagesView, {window, selected}: ShownTimeline): void {
    this.#enter(viewKey(view));
    if (window === undefined || !canMarkByShowing(this.#app, frame, view)) return;
    const {byId} = frame.account.unreads;
    // A screen reader reads message by message: those below the selected one were not read yet.
    const isSpoken = frame.display.glyphs === 'words';
    const rows = isSpoken ? window.rows.slice(0, window.rows.findIndex(({key}) => key === selected) + 1) : window.rows;
    const ids = rows.flatMap((row) => this.#readNow(row)).filter((id) => byId.has(id));
    if (ids.length === 0) return;
    try {
      const change = this.#app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids});
      if (change !== undefined) this.#addToHistory(view, ids);
    } catch (error) {
      this.#app.session.context.log('Messages shown could not be marked as read', error);
    }
  }

  #addToHistory({narrow}: MessagesView, ids: readonly number[]): void {
    const {undoStack, clock, state} = this.#app;
    const isListed = this.#undoable !== undefined && undoStack.includes(this.#undoable);
    this.#marked = isListed ? [...this.#marked, ...ids] : ids;
    const conversation = conversationOfNarrow(narrow);
    const record: UndoRecord = {
      label: `Read by opening (${this.#marked.length})`,
      at: clock.now(),
      keys: [],
      place: conversation && conversationTitle(state, conversation),
      steps: [{kind: 'change', inverse: {kind: 'flags', op: 'remove', flag: 'read', ids: this.#marked}}],
    };
    this.#undoable = undoStack.pushPassive(record, this.#undoable);
  }

  reset(): void {
    this.#enter('');
  }

  #enter(visit: string): void {
    if (visit === this.#visit) return;
    this.#visit = visit;
    this.#begun.clear();
    this.#read.clear();
    this.#undoable = undefined;
  }

  /** Returns the row's message if its end was just shown for the first time. */
  #readNow({key, isCutAbove, isCutBelow}: ShownRow): readonly number[] {
    if (typeof key !== 'number' || this.#read.has(key)) return [];
    if (!isCutAbove) this.#begun.add(key);
    if (isCutBelow || !this.#begun.has(key)) return [];
    this.#read.add(key);
    return [key];
  }
}

function canMarkByShowing({settings, info, isOnScreen}: App, frame: Frame, view: MessagesView): boolean {
  const {screen, account} = frame;
  if (!isOnScreen) return false;
  if (info.isExploring || info.isReadOnly || screen.hasWindowFocus === false) return false;
  // An overlay covers the messages.
  if (screen.overlays.length > 0 || screenLayout(frame).isDrawer) return false;
  if (timelineState({screen}, view).isPeek) return false;
  return isReadByShowing(account, view.narrow, settings.markRead);
}

/** Whether looking at a view marks it read. Collections, such as a search, never do. */
export function isReadByShowing(
  {settings}: Pick<AccountState, 'settings'>,
  narrow: Narrow,
  markRead: AppSettings['markRead'],
): boolean {
  if (markRead === 'onDone' || !narrow.every(isOfConversations)) return false;
  if (markRead === 'onView') return true;
  const policy = settings.webMarkReadOnScrollPolicy;
  if (policy === policies.never) return false;
  return policy !== policies.conversations || conversationOfNarrow(narrow) !== undefined;
}

const policies = {always: 1, conversations: 2, never: 3} as const;

const isReadable: ReadonlySet<unknown> = new Set(['dm', 'private', 'mentioned', 'followed', 'resolved', 'unread']);

/** Whether the term selects conversations rather than messages by content. */
function isOfConversations({operator, operand}: Narrow[number]): boolean {
  if (operator === 'is') return isReadable.has(operand);
  return ['channel', 'channels', 'topic', 'dm', 'dm-including', 'in', 'with'].includes(operator);
}

type Highlight = NonNullable<RenderOptions['highlight']>;
type HighlightedLines = readonly (readonly Span[])[];

interface HighlightedCode {
  readonly lines: HighlightedLines | undefined;
}

/** Estimates the bytes of highlighted code: its source as the key, its text again in spans. */
function highlightedBytes({lines = []}: HighlightedCode, key: string): number {
  return 2 * key.length + lines.reduce((total, spans) => total + objectBytes * (1 + spans.length), 2 * objectBytes);
}

/** Highlights visible code asynchronously: code is painted plain first, and again when its colours are ready. */
class CodeHighlighter {
  readonly #app: App;
  readonly #ready = new LruCache<string, HighlightedCode>(2 * 1024 * 1024, highlightedBytes);
  readonly #missing = new Map<string, {readonly language: string; readonly code: string}>();
  #isBusy = false;

  constructor(app: App) {
    this.#app = app;
    app.setDisplay({highlight: this.#newHighlight()});
  }

  /** Highlights the code that the last frame lacked colours for. */
  highlightMissing(): void {
    if (this.#isBusy || this.#missing.size === 0) return;
    this.#isBusy = true;
    void this.#highlightAll();
  }

  async #highlightAll(): Promise<void> {
    let isNew = false;
    for (const [key, {language, code}] of [...this.#missing]) {
      const lines = await highlightCode(language, code);
      this.#missing.delete(key);
      this.#ready.set(key, {lines});
      isNew ||= lines !== undefined;
    }
    this.#isBusy = false;
    if (isNew) this.#app.setDisplay({highlight: this.#newHighlight()});
  }

  /** Returns a new function each time, so that memoized lines notice the new colours. */
  #newHighlight(): Highlight {
    return (language, code) => {
      if (!isHighlightable(language)) return undefined;
      const key = `${language}\n${code}`;
      const ready = this.#ready.get(key);
      if (ready === undefined) this.#missing.set(key, {language, code});
      return ready?.lines;
    };
  }
}
