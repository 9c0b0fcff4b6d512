import type {App} from '#app/core/app.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {readSnoozes, showSnoozes} from '#app/snoozes/snooze-store.ts';
import {fetchAlertedMessages, fetchMessagesByIds} from '#state/fetches/fetch-messages.ts';
import {isAnchorLoaded, pageSize} from '#state/fetches/open-timelines.ts';
import {channelNarrow, conversationNarrow, narrowIs} from '#state/model/narrow.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {isTriageItem, type TriageItem} from '#ui/inbox/triage-row.ts';
import {bodyRows, listTop} from '#ui/lists/list-position.ts';
import type {ListState} from '#ui/lists/list-state.ts';
import {cursorIndex, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {freezeInboxOrder} from './scroll-preview.ts';

/** Moving quickly through the list fetches nothing: only a cursor that rests this long does. */
const restMs = 60;
/** The first responses of the server have arrived after this time: then the order is frozen. */
const settleMs = 1500;
/** Number of conversations after the cursor that are fetched ahead. */
const aheadCount = 2;
/** Rows above and below the visible ones whose first and last unread messages must be loaded. */
const aroundRows = 15;
/** If one of those is missing, this many rows above and below are fetched, so that few requests are needed. */
const fetchedRows = 100;
/** At most this many unread messages are fetched to learn which contain an alert word. */
const maxUnreadIds = 300;
/**
 * One page of a channel, or of all direct messages, loads the unread messages of several conversations, if they are at most
 * this many.
 */
const maxUnreadOfPage = 400;

/**
 * Starts fetching what the inbox shows, from the first visit on: the conversation under the cursor, the next
 * ones, and the first and the last unread message of each visible row, for its text and its age.
 */
export function startInboxPrefetch(app: App): void {
  new InboxPrefetcher(app);
}

/** Whether the cursor, the selection or the set of rows changed. */
function hasListChanged(before: ListState, now: ListState): boolean {
  const fieldsOf = ({cursor, selected, filter, folded, split, topicFilter}: ListState) =>
    [cursor, selected, filter, folded, split, topicFilter] as const;
  const previousFields = fieldsOf(before);
  return fieldsOf(now).some((value, at) => value !== previousFields[at]);
}

class InboxPrefetcher {
  readonly #app: App;
  /**
   * Messages that were requested as snippets and have not arrived, or never will. Those that arrived are
   * removed, because they may be dropped and requested again.
   */
  readonly #requestedIds = new Set<number>();
  #shownKeys = '';
  #wasOnline = false;
  /** Whether the newest messages have arrived: most others need not be fetched then. */
  #hasRecent = false;
  /** The server record of the last registration: a new one has dropped the fetched messages. */
  #server: AccountState['server'] | undefined;
  #release = () => {};
  #restingUntil = Number.NEGATIVE_INFINITY;
  #cancelFetch = () => {};
  #cancelFreeze: (() => void) | undefined;
  /** The list before the user did anything in it. */
  #initialList: ListState | undefined;
  /** Whether `settleMs` has passed since the server answered. */
  #isSettled = false;
  #pendingFetches = 0;
  /** The pages that are loading, by the prefix of their conversations. */
  readonly #pageLoads = new Map<string, Promise<void>>();

  constructor(app: App) {
    this.#app = app;
    app.afterPaint(() => this.#update());
    app.onEnd(
      app.session.context.store.onExternalChange(() => {
        if (app.screen.inbox.isVisited) showSnoozes(app, readSnoozes(app));
      }),
    );
    app.onEnd(() => {
      this.#cancelFetch();
      this.#stopFreezing();
      this.#release();
    });
  }

  #update(): void {
    if (!this.#app.screen.inbox.isVisited) return;
    const {kind} = this.#app.screen.view;
    if (kind !== 'inbox' && kind !== 'triage') {
      if (this.#initialList !== undefined) this.#freeze();
      this.#releaseTimeline();
      return;
    }
    const shown = this.#itemsAhead()
      .map(({key}) => key)
      .join('\n');
    this.#freezeWhenReady();
    const {connection, server} = this.#app.state;
    const isOnline = connection.phase === 'online';
    // Requests that failed while offline are sent now.
    if (isOnline && (!this.#wasOnline || server !== this.#server)) {
      this.#server = server;
      this.#requestedIds.clear();
      this.#hasRecent = false;
      this.#delayFreeze(this.#app.session.recentMessages().then(() => this.#afterRecent(server)));
    }
    const isSame = shown === this.#shownKeys && isOnline === this.#wasOnline;
    if (isSame && (!isOnline || !this.#hasRecent || this.#missingSnippetIds(aroundRows).length === 0)) return;
    this.#shownKeys = shown;
    this.#wasOnline = isOnline;
    this.#cancelFetch();
    const now = this.#app.clock.monotonic();
    const isResting = now >= this.#restingUntil;
    this.#restingUntil = now + restMs;
    if (isResting) this.#fetch();
    else this.#cancelFetch = this.#app.clock.after(restMs, () => this.#fetch());
  }

  /**
   * Freezes the order with the first key; without one, a moment after the server answered and once the first
   * fetches are done: an alert word in them moves its conversation to the mentions.
   */
  #freezeWhenReady(): void {
    const {screen, state, clock} = this.#app;
    if (screen.inbox.isOrderFrozen) {
      this.#stopFreezing();
      return;
    }
    this.#initialList ??= screen.lists.inbox;
    if (this.#hasStarted(this.#initialList)) this.#freeze();
    else if (state.connection.phase === 'online') this.#cancelFreeze ??= clock.after(settleMs, this.#onSettled);
  }

  /** Whether the user moved the cursor, changed what the list shows, or scrolled the preview. */
  #hasStarted(initialList: ListState): boolean {
    const {lists, inbox} = this.#app.screen;
    return inbox.preview !== undefined || hasListChanged(initialList, lists.inbox);
  }

  readonly #onSettled = () => {
    if (this.#initialList === undefined || this.#app.screen.inbox.isOrderFrozen) return;
    if (!this.#hasStarted(this.#initialList)) this.#moveToTop();
    this.#isSettled = true;
    if (this.#pendingFetches === 0) this.#freeze();
  };

  #stopFreezing(): void {
    this.#cancelFreeze?.();
    this.#cancelFreeze = undefined;
    this.#initialList = undefined;
    this.#isSettled = false;
  }

  #freeze(): void {
    this.#stopFreezing();
    freezeInboxOrder(this.#app);
  }

  /** Delays freezing the order until the request has succeeded or failed. */
  #delayFreeze(request: Promise<unknown>): void {
    this.#pendingFetches += 1;
    const onDone = () => {
      this.#pendingFetches -= 1;
      if (this.#isSettled && this.#pendingFetches === 0) this.#freeze();
    };
    request.then(onDone, onDone);
  }

  /**
   * Moves the cursor to the top: a user who has pressed nothing starts with the most important conversation
   * of now, not of the last run.
   */
  #moveToTop(): void {
    const top = visibleRowsOf(this.#app.frame, inboxList).rows.find(isTriageItem);
    if (top !== undefined) setListCursor(this.#app, inboxList, top.key);
    this.#initialList = this.#app.screen.lists.inbox;
  }

  #releaseTimeline(): void {
    if (this.#shownKeys === '') return;
    this.#shownKeys = '';
    this.#cancelFetch();
    this.#release();
    this.#release = () => {};
  }

  /** Returns the conversations from the cursor on. */
  #itemsAhead(): readonly TriageItem[] {
    const {frame} = this.#app;
    const {rows} = visibleRowsOf(frame, inboxList);
    const from = cursorIndex(frame, inboxList);
    if (from < 0) return [];
    const items: TriageItem[] = [];
    for (let at = from; at < rows.length && items.length <= aheadCount; at++) {
      const row = rows[at];
      if (isTriageItem(row)) items.push(row);
    }
    return items;
  }

  /** Fetches what the newest messages do not contain: unread messages with alert words, and snippets. */
  async #afterRecent(server: AccountState['server']): Promise<void> {
    const {session, state} = this.#app;
    if (server !== this.#server) return;
    this.#hasRecent = true;
    const unread = [...state.unreads.byId.keys()].filter((id) => !state.messages.byId.has(id));
    if (state.alertWords.length > 0 && unread.length > 0) {
      if (unread.length <= maxUnreadIds && state.server.abilities.messagesByIds) return this.#fetchIds(unread);
      await Promise.all([fetchAlertedMessages(session.context), this.#fetchSnippets()]);
    } else await this.#fetchSnippets();
  }

  #fetch(): void {
    const [first, ...next] = this.#itemsAhead();
    if (first === undefined) return;
    const narrow = conversationNarrow(first.conversation);
    void this.#openConversation(first).then(() => {
      this.#release();
      this.#release = this.#app.session.timelines.keepOpen(narrow);
      // Before the first key only the conversation under the cursor is needed.
      if (this.#app.screen.inbox.isOrderFrozen) for (const item of next) void this.#openConversation(item);
    });
    void this.#fetchSnippets();
  }

  /** Opens a conversation, after a page of its channel or of all direct messages if that loads others, too. */
  async #openConversation(item: TriageItem): Promise<void> {
    const narrow = conversationNarrow(item.conversation);
    const isLoaded = isAnchorLoaded(this.#app.state, narrow, 'firstUnread');
    // Before the first key only one conversation is needed.
    if (!isLoaded && this.#app.screen.inbox.isOrderFrozen) await this.#loadSharedPage(item).catch(() => {});
    // Messages that the page contains are not fetched again. The preview shows failures.
    await this.#app.session.timelines.open(narrow, 'firstUnread').catch(() => {});
  }

  async #loadSharedPage({key, conversation, oldestUnreadId}: TriageItem): Promise<void> {
    const isTopic = conversation.kind === 'topic';
    const prefix = isTopic ? `c${conversation.channelId}:` : 'd';
    await this.#pageLoads.get(prefix);
    const {state, session} = this.#app;
    if (oldestUnreadId === undefined || (isTopic && !isSubscribed(state, conversation.channelId))) return;
    const narrow = isTopic ? channelNarrow(conversation.channelId) : narrowIs('dm');
    const page = timelineOf(state, narrow);
    const isLoaded = page?.hasNewest === true && !page.isStale;
    const loadedFrom = (isLoaded ? page.ids.first() : undefined) ?? Number.POSITIVE_INFINITY;
    if (isLoaded && (page.hasOldest || oldestUnreadId >= loadedFrom)) {
      // Used last, it is closed last.
      await session.timelines.open(narrow, 'newest');
      return;
    }
    const {count, hasOther} = unreadBetween(state, prefix, key, [oldestUnreadId, loadedFrom]);
    if (!hasOther || count > maxUnreadOfPage) return;
    // Read messages are among them.
    const size = Math.max(pageSize, 2 * count);
    const load = isLoaded
      ? session.timelines.loadOlder(narrow, size)
      : session.timelines.open(narrow, 'newest', size).then(() => {});
    this.#pageLoads.set(
      prefix,
      load.catch(() => {}),
    );
    await load.finally(() => this.#pageLoads.delete(prefix));
  }

  async #fetchSnippets(): Promise<void> {
    if (!this.#hasRecent || this.#missingSnippetIds(aroundRows).length === 0) return;
    await this.#fetchIds(this.#missingSnippetIds(fetchedRows));
  }

  async #fetchIds(ids: readonly number[]): Promise<void> {
    const {session, state} = this.#app;
    if (state.connection.phase !== 'online') return;
    for (const id of ids) this.#requestedIds.add(id);
    const request = fetchMessagesByIds(session.context, ids).catch(() => {});
    this.#delayFreeze(request);
    await request;
    const {byId} = this.#app.state.messages;
    for (const id of ids) if (byId.has(id)) this.#requestedIds.delete(id);
  }

  /**
   * Returns the first and last unread messages of the visible rows and those around them that are neither loaded nor
   * requested.
   */
  #missingSnippetIds(around: number): readonly number[] {
    const {frame} = this.#app;
    const {byId} = frame.account.messages;
    const {rows} = visibleRowsOf(frame, inboxList);
    const room = bodyRows(frame, inboxList, screenLayout(frame)) ?? 0;
    const top = listTop(frame, inboxList, room);
    return rows.slice(Math.max(0, top - around), top + room + around).flatMap((row) => {
      if (!isTriageItem(row) || row.isRemoved) return [];
      const ids = new Set([row.oldestUnreadId, row.newestUnreadId]);
      return [...ids].filter((id) => !byId.has(id) && !this.#requestedIds.has(id));
    });
  }
}

/** Counts the unread messages of conversations with this prefix, roughly, and says whether there is another one than `key`. */
function unreadBetween(
  {unreads}: AccountState,
  prefix: string,
  key: string,
  [from, to]: readonly [number, number],
): {count: number; hasOther: boolean} {
  let count = 0;
  let hasOther = false;
  for (const [other, {ids}] of unreads.conversations.entries(prefix)) {
    if (!other.startsWith(prefix)) break;
    if ((ids.last() ?? 0) < from || (ids.first() ?? 0) >= to) continue;
    hasOther ||= other !== key;
    count += ids.size;
  }
  return {count, hasOther};
}
