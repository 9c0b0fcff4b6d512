import type {App} from '#app/app.ts';
import {cursorIndex, listingOf} from '#app/lists/listing.ts';
import {putCursor} from '#app/lists/motion.ts';
import {fetchByIds} from '#state/fetches/by-ids.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {readLaters, showLaters} from './later-notes.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';

/** Whoever goes through the list quickly asks for nothing on the way. */
const restMs = 60;
/** What belongs to the first answers of the server is there by then: from then on nothing moves. */
const settleMs = 1500;
/** Conversations after the one under the cursor that are fetched before somebody gets there. */
const ahead = 2;
/** First unread messages that are asked for at once, so that rows can quote them. */
const mostQuoted = 60;

const attended = new WeakSet<App>();

/** Fetches what the inbox shows: the messages under the cursor, those next, and the first line of each row in sight. */
export function attendInbox(app: App): void {
  if (attended.has(app)) return;
  attended.add(app);
  new InboxAttendant(app);
}

class InboxAttendant {
  readonly #app: App;
  /** What was asked for already, and came or did not. */
  readonly #quoted = new Set<number>();
  #shown = '';
  #wasOnline = false;
  #release = () => {};
  #restUntil = 0;
  #cancel = () => {};
  #cancelSettling: (() => void) | undefined;
  #begunAt: string | undefined;

  constructor(app: App) {
    this.#app = app;
    const {store} = app.session.context;
    const quit = [
      app.frames.subscribe(() => this.#look()),
      store.onForeignChange(() => showLaters(app, readLaters(app))),
    ];
    app.onEnd(() => {
      for (const leave of quit) leave();
      this.#cancel();
      this.#cancelSettling?.();
      this.#release();
    });
  }

  #look(): void {
    const {kind} = this.#app.screen.view;
    if (kind !== 'inbox' && kind !== 'triage') {
      this.#leave();
      return;
    }
    const shown = this.#itemsAhead()
      .map(({key}) => key)
      .join('\n');
    this.#settle();
    const isOnline = this.#app.state.connection.phase === 'online';
    // What could not be asked for before the server was there is asked for now.
    if (shown === this.#shown && isOnline === this.#wasOnline) return;
    this.#shown = shown;
    this.#wasOnline = isOnline;
    this.#cancel();
    const now = this.#app.clock.now();
    const isAtRest = now >= this.#restUntil;
    this.#restUntil = now + restMs;
    if (isAtRest) this.#fetch();
    else this.#cancel = this.#app.clock.after(restMs, () => this.#fetch());
  }

  /** The order lasts from the first key on, or from a moment after the server has answered. */
  #settle(): void {
    const {screen, state, clock} = this.#app;
    if (screen.inbox.isSettled) return;
    const {cursor} = screen.lists.inbox;
    this.#begunAt ??= cursor;
    const settle = () => {
      this.#cancelSettling = undefined;
      this.#app.update((now) => ({...now, inbox: {...now.inbox, isSettled: true}}));
    };
    const settleAtTop = () => {
      settle();
      this.#goToTop();
    };
    if (cursor !== this.#begunAt) settle();
    else if (state.connection.phase === 'online') this.#cancelSettling ??= clock.after(settleMs, settleAtTop);
  }

  /** Whoever has pressed nothing yet begins with what matters most now, not with what did when this was last open. */
  #goToTop(): void {
    const {frame, screen} = this.#app;
    if (screen.lists.inbox.cursor !== this.#begunAt || screen.inbox.preview !== undefined) return;
    const top = listingOf(frame, 'inbox').rows.find(isTriageItem);
    if (top !== undefined) putCursor(this.#app, 'inbox', top.key);
  }

  #leave(): void {
    if (this.#shown === '') return;
    this.#shown = '';
    this.#cancel();
    this.#release();
    this.#release = () => {};
  }

  /** From the cursor on. */
  #itemsAhead(): readonly TriageItem[] {
    const {frame} = this.#app;
    const {rows} = listingOf(frame, 'inbox');
    const from = cursorIndex(frame, 'inbox');
    if (from < 0) return [];
    const found: TriageItem[] = [];
    for (let at = from; at < rows.length && found.length <= ahead; at++) {
      const row = rows[at];
      if (isTriageItem(row)) found.push(row);
    }
    return found;
  }

  #fetch(): void {
    const [first, ...next] = this.#itemsAhead();
    if (first === undefined) return;
    const narrow = conversationNarrow(first.conversation);
    const {timelines} = this.#app.session;
    this.#open(narrow).then(() => {
      this.#release();
      this.#release = timelines.hold(narrow);
      for (const {conversation} of next) void this.#open(conversationNarrow(conversation));
    });
    this.#quote();
  }

  /** What is there already is not asked for; what fails says so in the preview. */
  #open(narrow: Narrow): Promise<unknown> {
    return this.#app.session.timelines.open(narrow, 'firstUnread').catch(() => {});
  }

  /** The first unread message of rows around the cursor that do not know theirs. */
  #quote(): void {
    const {frame, session} = this.#app;
    const {rows} = listingOf(frame, 'inbox');
    const from = Math.max(0, cursorIndex(frame, 'inbox') - mostQuoted / 2);
    const ids = rows.slice(from, from + mostQuoted).flatMap((row) => {
      const id = isTriageItem(row) ? row.oldestUnreadId : undefined;
      const isKnown = id === undefined || frame.account.messages.byId.has(id) || this.#quoted.has(id);
      return isKnown ? [] : [id];
    });
    if (ids.length === 0 || frame.account.connection.phase !== 'online') return;
    for (const id of ids) this.#quoted.add(id);
    fetchByIds(session.context, ids).catch(() => {
      for (const id of ids) this.#quoted.delete(id);
    });
  }
}
