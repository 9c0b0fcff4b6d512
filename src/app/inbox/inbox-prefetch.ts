import type {App} from '#app/core/app.ts';
import {readSnoozes, showSnoozes} from '#app/inbox/snooze/snooze-store.ts';
import {bodyRows, listTop} from '#app/lists/list-pane.ts';
import type {ListState} from '#app/lists/list-state.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {cursorIndex, visibleRowsOf} from '#app/lists/visible-rows.ts';
import {fetchAlertedMessages, fetchMessagesByIds} from '#state/fetches/fetch-messages.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {settleInboxOrder} from './settle-order.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';

/** Whoever goes through the list quickly asks for nothing on the way. */
const restMs = 60;
/** What belongs to the first answers of the server is there by then: from then on nothing moves. */
const settleMs = 1500;
/** Conversations after the one under the cursor that are fetched before somebody gets there. */
const ahead = 2;
/** Rows above and below those in sight that quote their first unread message before somebody gets there. */
const around = 15;

/**
 * Fetches what the inbox shows, from the first visit on: the messages under the cursor, those next, and the first line of each
 * row in sight.
 */
export function startInboxPrefetch(app: App): void {
  new InboxPrefetcher(app);
}

/** Another row has the cursor, or other rows are wanted. */
function isOther(before: ListState, now: ListState): boolean {
  const chosen = ({cursor, selected, filter, folded, split, topicFilter: reach}: ListState) =>
    [cursor, selected, filter, folded, split, reach] as const;
  const others = chosen(before);
  return chosen(now).some((value, at) => value !== others[at]);
}

class InboxPrefetcher {
  readonly #app: App;
  /** What was asked for to be quoted and has not come, or will not. What has come may be forgotten, and is asked for again. */
  readonly #asked = new Set<number>();
  #shown = '';
  #wasOnline = false;
  /** What the last registration said of the server: another one has dropped what was fetched. */
  #server: AccountState['server'] | undefined;
  #release = () => {};
  #restUntil = 0;
  #cancel = () => {};
  #cancelSettling: (() => void) | undefined;
  /** The list before anybody did anything in it. */
  #begun: ListState | undefined;
  /** A moment has passed since the server answered. */
  #isRested = false;
  #awaited = 0;

  constructor(app: App) {
    this.#app = app;
    const {store} = app.session.context;
    const quit = [
      app.frames.subscribe(() => this.#look()),
      store.onExternalChange(() => {
        if (app.screen.inbox.isVisited) showSnoozes(app, readSnoozes(app));
      }),
    ];
    app.onEnd(() => {
      for (const leave of quit) leave();
      this.#cancel();
      this.#stopSettling();
      this.#release();
    });
  }

  #look(): void {
    if (!this.#app.screen.inbox.isVisited) return;
    const {kind} = this.#app.screen.view;
    if (kind !== 'inbox' && kind !== 'triage') {
      if (this.#begun !== undefined) this.#makeLast();
      this.#leave();
      return;
    }
    const shown = this.#itemsAhead()
      .map(({key}) => key)
      .join('\n');
    this.#settle();
    const {connection, server} = this.#app.state;
    const isOnline = connection.phase === 'online';
    // What could not be asked for before the server was there is asked for now.
    if (isOnline && (!this.#wasOnline || server !== this.#server)) {
      this.#server = server;
      this.#asked.clear();
      this.#await(fetchAlertedMessages(this.#app.session.context));
    }
    const isSame = shown === this.#shown && isOnline === this.#wasOnline;
    if (isSame && (!isOnline || this.#unquoted().length === 0)) return;
    this.#shown = shown;
    this.#wasOnline = isOnline;
    this.#cancel();
    const now = this.#app.clock.now();
    const isAtRest = now >= this.#restUntil;
    this.#restUntil = now + restMs;
    if (isAtRest) this.#fetch();
    else this.#cancel = this.#app.clock.after(restMs, () => this.#fetch());
  }

  /**
   * The order lasts from the first key on; without one, from a moment after the server has answered, and once what was asked
   * for at the start is there: an alert word in it brings its conversation up.
   */
  #settle(): void {
    const {screen, state, clock} = this.#app;
    if (screen.inbox.isOrderSettled) {
      this.#stopSettling();
      return;
    }
    this.#begun ??= screen.lists.inbox;
    if (this.#hasBegun(this.#begun)) this.#makeLast();
    else if (state.connection.phase === 'online') this.#cancelSettling ??= clock.after(settleMs, this.#rest);
  }

  /** Somebody went to another row, chose what to see, or reads. */
  #hasBegun(begun: ListState): boolean {
    const {lists, inbox} = this.#app.screen;
    return inbox.preview !== undefined || isOther(begun, lists.inbox);
  }

  readonly #rest = () => {
    if (this.#begun === undefined || this.#app.screen.inbox.isOrderSettled) return;
    if (!this.#hasBegun(this.#begun)) this.#goToTop();
    this.#isRested = true;
    if (this.#awaited === 0) this.#makeLast();
  };

  #stopSettling(): void {
    this.#cancelSettling?.();
    this.#cancelSettling = undefined;
    this.#begun = undefined;
    this.#isRested = false;
  }

  #makeLast(): void {
    this.#stopSettling();
    settleInboxOrder(this.#app);
  }

  /** The order is made when it has come, or will not come. */
  #await(asked: Promise<unknown>): void {
    this.#awaited += 1;
    const landed = () => {
      this.#awaited -= 1;
      if (this.#isRested && this.#awaited === 0) this.#makeLast();
    };
    asked.then(landed, landed);
  }

  /** Whoever has pressed nothing yet begins with what matters most now, not with what did when this was last open. */
  #goToTop(): void {
    const top = visibleRowsOf(this.#app.frame, 'inbox').rows.find(isTriageItem);
    if (top !== undefined) setListCursor(this.#app, 'inbox', top.key);
    this.#begun = this.#app.screen.lists.inbox;
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
    const {rows} = visibleRowsOf(frame, 'inbox');
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
      this.#release = timelines.keepOpen(narrow);
      for (const {conversation} of next) void this.#open(conversationNarrow(conversation));
    });
    this.#quote();
  }

  /** What is there already is not asked for; what fails says so in the preview. */
  #open(narrow: Narrow): Promise<unknown> {
    return this.#app.session.timelines.open(narrow, 'firstUnread').catch(() => {});
  }

  #quote(): void {
    const {session, state} = this.#app;
    const ids = this.#unquoted();
    if (ids.length === 0 || state.connection.phase !== 'online') return;
    for (const id of ids) this.#asked.add(id);
    const asked = fetchMessagesByIds(session.context, ids);
    this.#await(asked);
    const landed = () => {
      const {byId} = this.#app.state.messages;
      for (const id of ids) if (byId.has(id)) this.#asked.delete(id);
    };
    asked.then(landed, landed);
  }

  /** The first unread messages of rows in sight, and of some around them, that are neither here nor asked for. */
  #unquoted(): readonly number[] {
    const {frame} = this.#app;
    const {byId} = frame.account.messages;
    const {rows} = visibleRowsOf(frame, 'inbox');
    const room = bodyRows(frame, 'inbox') ?? 0;
    const top = listTop(frame, 'inbox', room);
    return rows.slice(Math.max(0, top - around), top + room + around).flatMap((row) => {
      const id = isTriageItem(row) && !row.isRemoved ? row.oldestUnreadId : undefined;
      return id === undefined || byId.has(id) || this.#asked.has(id) ? [] : [id];
    });
  }
}
