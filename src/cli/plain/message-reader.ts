import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import type {App} from '#ui/core/app.ts';
import {plainMessageText} from './plain-text.ts';

const pageSize = 20;
/** The number of read messages to print before the first unread one, as context. */
const contextMessages = 2;
/** The number of printed messages that can certainly be named by their numbers. */
const maxNumbered = 500;
/** The time to wait for the server before going on without its messages. */
const loadTimeoutMs = 8000;

/** Prints the messages of one view page by page, and numbers them in the order in which they are printed. */
export class MessageReader {
  readonly narrow: Narrow;
  readonly #app: App;
  readonly #print: (text: string) => void;
  readonly #printed: number[] = [];
  /** The number of unread messages that the user knows of, because they were printed or counted. */
  #knownUnread: number;
  /** The number of messages after the printed ones that the user knows of. */
  #following = 0;

  constructor(app: App, narrow: Narrow, print: (text: string) => void) {
    this.#app = app;
    this.narrow = narrow;
    this.#print = print;
    this.#knownUnread = unreadCountIn(app.state, narrow);
  }

  /** Returns the message that was printed with this number. */
  messageAt(number: number): Message | undefined {
    const id = this.#printed[number - 1];
    return id === undefined ? undefined : this.#app.state.messages.byId.get(id);
  }

  /** Returns the messages that the user may refer to. */
  numberedIds(): readonly number[] {
    return this.#printed.slice(-maxNumbered);
  }

  /** Prints the first unread messages, or the newest ones when all are read. */
  async printFirstPage(): Promise<void> {
    await this.#waitForServer(this.#app.session.timelines.open(this.narrow, 'firstUnread'));
    const ids = this.#ids();
    const unread = firstUnreadId(this.#app.state, this.narrow);
    const at = unread === undefined ? -1 : ids.findIndex((id) => id >= unread);
    const start = at < 0 ? Math.max(0, ids.length - pageSize) : Math.max(0, at - contextMessages);
    const unreadAt = Math.max(start, at);
    this.#printMessages(ids.slice(start, unreadAt));
    if (this.#printed.length > 0) this.#print('First unread:');
    this.#printMessages(ids.slice(unreadAt, start + pageSize));
    if (this.#printed.length === 0) this.#print(this.#emptyText());
    this.#printFollowingCount();
  }

  #emptyText(): string {
    return this.#knownUnread === 0 ? 'No messages here yet.' : 'Still loading messages.';
  }

  #printFollowingCount(): void {
    this.#following = this.#after().length;
    this.#knownUnread = unreadCountIn(this.#app.state, this.narrow);
    if (this.#printed.length > 0 && this.#following > 0) this.#print(`(${this.#following} more: type “more”)`);
  }

  #after(): readonly number[] {
    const last = Math.max(0, ...this.#printed);
    return this.#ids().filter((id) => id > last);
  }

  /** Prints the next page. */
  async more(): Promise<void> {
    let next = this.#after();
    if (next.length === 0 && timelineOf(this.#app.state, this.narrow)?.hasNewest === false) {
      await this.#waitForServer(this.#app.session.timelines.loadNewer(this.narrow));
      next = this.#after();
    }
    if (next.length === 0) this.#print('No newer messages.');
    this.#printMessages(next.slice(0, pageSize));
    this.#printFollowingCount();
  }

  /** Prints the previous page. */
  async older(): Promise<void> {
    const first = Math.min(...this.#printed);
    this.#view(first);
    let before = this.#ids().filter((id) => id < first);
    if (before.length < pageSize && timelineOf(this.#app.state, this.narrow)?.hasOldest === false) {
      await this.#waitForServer(this.#app.session.timelines.loadOlder(this.narrow));
      before = this.#ids().filter((id) => id < first);
    }
    if (before.length === 0) this.#print('No older messages.');
    this.#printMessages(before.slice(-pageSize));
  }

  /**
   * Prints messages that arrived meanwhile. If earlier messages were not printed yet, it only prints the new
   * count: commands may mark read only messages that the user knows of.
   */
  printNewMessages(): void {
    const after = this.#after();
    const hasPrintedAll = this.#following === 0 && this.#printed.length > 0;
    const hasNewest = timelineOf(this.#app.state, this.narrow)?.hasNewest === true;
    const unread = unreadCountIn(this.#app.state, this.narrow);
    if (hasPrintedAll && hasNewest) this.#printMessages(after);
    else if (unread > this.#knownUnread) this.#print(`(${unread} unread here now: type “more”)`);
    this.#following = this.#after().length;
    this.#knownUnread = unread;
  }

  /** Has the messages around this one loaded. */
  #view(messageId: number): void {
    if (Number.isFinite(messageId)) this.#app.session.timelines.setViewedMessage(this.narrow, messageId);
  }

  #ids(): readonly number[] {
    return timelineOf(this.#app.state, this.narrow)?.ids.toArray() ?? [];
  }

  #printMessages(ids: readonly number[]): void {
    const showsConversation = conversationOfNarrow(this.narrow) === undefined;
    const {state, frame} = this.#app;
    for (const id of ids) {
      const message = state.messages.byId.get(id);
      if (message === undefined) continue;
      this.#printed.push(id);
      this.#print(plainMessageText(frame, message, {number: this.#printed.length, showsConversation}));
    }
    this.#view(Math.max(...this.#printed));
  }

  /** Waits for a request, but not when the server is known to be unreachable. */
  async #waitForServer(request: Promise<unknown>): Promise<void> {
    const response = request.then(
      () => true,
      () => false,
    );
    const isOnline = this.#app.state.connection.phase === 'online';
    const {promise: timeout, resolve} = Promise.withResolvers<boolean>();
    const cancel = this.#app.clock.after(isOnline ? loadTimeoutMs : 0, () => resolve(false));
    const hasLoaded = await Promise.race([response, timeout]);
    cancel();
    if (!hasLoaded) this.#print('(The server does not respond. Showing saved messages.)');
  }
}
