import type {App} from '#app/core/app.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {firstUnreadId, timelineOf, unreadCountIn} from '#state/selectors/timeline.ts';
import {plainMessageText} from './plain-text.ts';

const pageSize = 20;
/** Read messages before the first unread one, for the sake of what it answers. */
const context = 2;
/** What does not come in this time is not waited for: everything else still works. */
const patienceMs = 8000;

/** Messages of one view, printed a page at a time and numbered as they come. */
export class MessageReader {
  readonly narrow: Narrow;
  readonly #app: App;
  readonly #print: (text: string) => void;
  readonly #printed: number[] = [];
  /** How many unread messages were told of, printed or only counted. */
  #counted: number;
  /** Messages that follow what was printed, as far as was told. */
  #following = 0;

  constructor(app: App, narrow: Narrow, print: (text: string) => void) {
    this.#app = app;
    this.narrow = narrow;
    this.#print = print;
    this.#counted = unreadCountIn(app.state, narrow);
  }

  /** By the number that was printed before it. */
  messageAt(number: number): Message | undefined {
    const id = this.#printed[number - 1];
    return id === undefined ? undefined : this.#app.state.messages.byId.get(id);
  }

  /** The first unread ones, or the last of all. */
  async printFirstPage(): Promise<void> {
    await this.#waited(this.#app.session.timelines.open(this.narrow, 'firstUnread'));
    const ids = this.#ids();
    const unread = firstUnreadId(this.#app.state, this.narrow);
    const at = unread === undefined ? -1 : ids.findIndex((id) => id >= unread);
    const start = at < 0 ? Math.max(0, ids.length - pageSize) : Math.max(0, at - context);
    const unreadAt = Math.max(start, at);
    this.#say(ids.slice(start, unreadAt));
    if (this.#printed.length > 0) this.#print('The first unread one:');
    this.#say(ids.slice(unreadAt, start + pageSize));
    if (this.#printed.length === 0) this.#print(this.#nothingWords());
    this.#sayFollowing();
  }

  #nothingWords(): string {
    return this.#counted === 0 ? 'There are no messages here yet.' : 'The messages are still loading';
  }

  #sayFollowing(): void {
    this.#following = this.#after().length;
    this.#counted = unreadCountIn(this.#app.state, this.narrow);
    if (this.#printed.length > 0 && this.#following > 0) this.#print(`(${this.#following} more: “more”)`);
  }

  #after(): readonly number[] {
    const last = Math.max(0, ...this.#printed);
    return this.#ids().filter((id) => id > last);
  }

  /** What follows what was printed. */
  async more(): Promise<void> {
    let next = this.#after();
    if (next.length === 0 && timelineOf(this.#app.state, this.narrow)?.hasNewest === false) {
      await this.#waited(this.#app.session.timelines.loadNewer(this.narrow));
      next = this.#after();
    }
    if (next.length === 0) this.#print('That was the newest.');
    this.#say(next.slice(0, pageSize));
    this.#sayFollowing();
  }

  /** What came before what was printed. */
  async older(): Promise<void> {
    const first = Math.min(...this.#printed);
    let before = this.#ids().filter((id) => id < first);
    if (before.length < pageSize && timelineOf(this.#app.state, this.narrow)?.hasOldest === false) {
      await this.#waited(this.#app.session.timelines.loadOlder(this.narrow));
      before = this.#ids().filter((id) => id < first);
    }
    if (before.length === 0) this.#print('That was the beginning.');
    this.#say(before.slice(-pageSize));
  }

  /**
   * What came in while somebody was looking. After messages that were not printed yet it is only counted: whatever verbs mark
   * read was told of before.
   */
  printNewMessages(): void {
    const after = this.#after();
    const isAtEnd = this.#following === 0 && this.#printed.length > 0;
    const isKnown = timelineOf(this.#app.state, this.narrow)?.hasNewest === true;
    const unread = unreadCountIn(this.#app.state, this.narrow);
    if (isAtEnd && isKnown) this.#say(after);
    else if (unread > this.#counted) this.#print(`(${unread} unread here now: “more”)`);
    this.#following = this.#after().length;
    this.#counted = unread;
  }

  #ids(): readonly number[] {
    return timelineOf(this.#app.state, this.narrow)?.ids.toArray() ?? [];
  }

  #say(ids: readonly number[]): void {
    const hasPlace = conversationOfNarrow(this.narrow) === undefined;
    const {state, frame} = this.#app;
    for (const id of ids) {
      const message = state.messages.byId.get(id);
      if (message === undefined) continue;
      this.#printed.push(id);
      this.#print(plainMessageText(frame, message, {number: this.#printed.length, hasPlace}));
    }
  }

  /** Nobody waits for a server that is known to be out of reach. */
  async #waited(asked: Promise<unknown>): Promise<void> {
    const answer = asked.then(
      () => true,
      () => false,
    );
    const isOnline = this.#app.state.connection.phase === 'online';
    const {promise: enough, resolve} = Promise.withResolvers<boolean>();
    const cancel = this.#app.clock.after(isOnline ? patienceMs : 0, () => resolve(false));
    const hasCome = await Promise.race([answer, enough]);
    cancel();
    if (!hasCome) this.#print('(The server does not answer: this is what is known here.)');
  }
}
