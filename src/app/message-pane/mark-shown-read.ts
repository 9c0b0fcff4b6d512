import type {App} from '#app/core/app.ts';
import type {AppSettings} from '#app/core/host.ts';
import {timelineState} from '#app/navigation/navigation.ts';
import type {UndoRecord} from '#app/undo/undo-record.ts';
import type {Undoable} from '#app/undo/undo-stack.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {type Frame, type MessagesView, viewKey} from '#ui/core/frame.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import type {ShownRow} from '#ui/message-pane/timeline-window.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/**
 * Marks messages as read when they are shown: their first and last line were on the screen, the window has the focus, and
 * the view counts as reading. Each message is marked once per visit, so that one that the user marks unread, or restores by
 * undo, stays unread. The undo history has one entry for each visit; the undo key skips it, because it is about what the user did.
 */
export class ShownReadMarker {
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
  if (markRead === 'on-done' || !narrow.every(isOfConversations)) return false;
  if (markRead === 'on-view') return true;
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
