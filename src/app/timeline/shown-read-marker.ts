import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {AppSettings} from '#app/core/settings.ts';
import {type MessagesView, viewKey} from '#app/core/view.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {timelineState} from '#app/navigation/navigation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import type {ShownRow} from './timeline-window.ts';

/**
 * Marks read what is read by being shown: messages whose first and last line were on the screen, in a window that has the
 * focus, in a view where that means reading. Each message once in a visit, so that what somebody marks unread, or gets back
 * by undoing, stays unread. It is no step to undo: going there again would read it again.
 */
export class ShownReadMarker {
  readonly #app: App;
  #visit = '';
  readonly #begun = new Set<number>();
  readonly #read = new Set<number>();

  constructor(app: App) {
    this.#app = app;
  }

  /** This is on the screen now. */
  markShown(frame: Frame, view: MessagesView, {window}: ShownTimeline): void {
    this.#enter(viewKey(view));
    if (window === undefined || !canMarkByShowing(this.#app, frame, view)) return;
    const {byId} = frame.account.unreads;
    const ids = window.rows.flatMap((row) => this.#readNow(row)).filter((id) => byId.has(id));
    if (ids.length === 0) return;
    try {
      this.#app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids});
    } catch (error) {
      this.#app.session.context.log('What was read could not be noted', error);
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

  /** Read to its end just now, for the first time. */
  #readNow({key, isCutAbove, isCutBelow}: ShownRow): readonly number[] {
    if (typeof key !== 'number' || this.#read.has(key)) return [];
    if (!isCutAbove) this.#begun.add(key);
    if (isCutBelow || !this.#begun.has(key)) return [];
    this.#read.add(key);
    return [key];
  }
}

function canMarkByShowing({settings, info: facts}: App, frame: Frame, view: MessagesView): boolean {
  const {screen, account} = frame;
  if (facts.isExploring || facts.isReadOnly || screen.hasWindowFocus === false) return false;
  // Something lies over the messages.
  if (screen.overlays.length > 0 || screenLayout(frame).isDrawer) return false;
  if (timelineState({screen}, view).isPeek) return false;
  return isReadByShowing(account, view.narrow, settings.markRead);
}

/** Whether a view is read by looking at it. Collections, such as a search, never are. */
export function isReadByShowing(
  {settings}: Pick<AccountState, 'settings'>,
  narrow: Narrow,
  wish: AppSettings['markRead'],
): boolean {
  if (wish === 'onDone' || !narrow.every(isOfConversations)) return false;
  if (wish === 'onView') return true;
  const policy = settings.webMarkReadOnScrollPolicy;
  if (policy === policies.never) return false;
  return policy !== policies.conversations || conversationOfNarrow(narrow) !== undefined;
}

const policies = {always: 1, conversations: 2, never: 3} as const;

const isReadable: ReadonlySet<unknown> = new Set([
  'dm',
  'private',
  'mentioned',
  'followed',
  'resolved',
  'unread',
]);

/** Terms that choose among conversations, not among what was said in them. */
function isOfConversations({operator, operand}: Narrow[number]): boolean {
  if (operator === 'is') return isReadable.has(operand);
  return ['channel', 'channels', 'topic', 'dm', 'dm-including', 'in', 'with'].includes(operator);
}
