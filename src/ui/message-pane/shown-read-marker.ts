import type {Narrow} from '#state/model/narrow.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {AppSettings} from '#ui/core/settings.ts';
import {type MessagesView, viewKey} from '#ui/core/view.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {timelineState} from '#ui/navigation/navigation.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import type {ShownRow} from './timeline-window.ts';

/**
 * Marks messages as read when they are shown: their first and last line were on the screen, the window has the focus, and
 * the view counts as reading. Each message is marked once per visit, so that one that the user marks unread, or restores by
 * undo, stays unread. Cannot be undone: returning would mark it read again.
 */
export class ShownReadMarker {
  readonly #app: App;
  #visit = '';
  readonly #begun = new Set<number>();
  readonly #read = new Set<number>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Called with each painted frame. */
  markShown(frame: Frame, view: MessagesView, {window}: ShownTimeline): void {
    this.#enter(viewKey(view));
    if (window === undefined || !canMarkByShowing(this.#app, frame, view)) return;
    const {byId} = frame.account.unreads;
    const ids = window.rows.flatMap((row) => this.#readNow(row)).filter((id) => byId.has(id));
    if (ids.length === 0) return;
    try {
      this.#app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids});
    } catch (error) {
      this.#app.session.context.log('Messages shown could not be marked as read', error);
    }
  }

  reset(): void {
    this.#enter('');
  }

  #enter(visit: string): void {
    if (visit === this.#visit) return;
    this.#visit = visit;
    this.#begun.clear();
    this.#read.clear();
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

function canMarkByShowing({settings, info}: App, frame: Frame, view: MessagesView): boolean {
  const {screen, account} = frame;
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
