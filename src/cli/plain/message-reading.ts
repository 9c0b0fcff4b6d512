import type {App} from '#app/app.ts';
import type {Message} from '#state/model/message.ts';
import {type Narrow, narrowConversation} from '#state/model/narrow.ts';
import {firstUnread, timelineOf} from '#state/selectors/timeline.ts';
import {messageText} from './saying.ts';

const pageSize = 20;
/** Read messages before the first unread one, for the sake of what it answers. */
const context = 2;
/** What does not come in this time is not waited for: everything else still works. */
const patienceMs = 8000;

/** Messages of one view, printed a page at a time and numbered as they come. */
export class MessageReading {
  readonly narrow: Narrow;
  readonly #app: App;
  readonly #print: (text: string) => void;
  readonly #printed: number[] = [];

  constructor(app: App, narrow: Narrow, print: (text: string) => void) {
    this.#app = app;
    this.narrow = narrow;
    this.#print = print;
  }

  /** By the number that was printed before it. */
  messageAt(number: number): Message | undefined {
    const id = this.#printed[number - 1];
    return id === undefined ? undefined : this.#app.state.messages.byId.get(id);
  }

  /** The first unread ones, or the last of all. */
  async begin(): Promise<void> {
    await this.#waited(this.#app.session.timelines.open(this.narrow, 'firstUnread'));
    const ids = this.#ids();
    const unread = firstUnread(this.#app.state, this.narrow);
    const at = unread === undefined ? -1 : ids.findIndex((id) => id >= unread);
    const start = at < 0 ? Math.max(0, ids.length - pageSize) : Math.max(0, at - context);
    this.#say(ids.slice(start, start + pageSize));
    const left = ids.length - start - this.#printed.length;
    if (this.#printed.length === 0) this.#print('There are no messages here yet.');
    else if (left > 0) this.#print(`(${left} more follow: “more”)`);
  }

  /** What follows what was printed. */
  async more(): Promise<void> {
    const last = Math.max(0, ...this.#printed);
    let next = this.#ids().filter((id) => id > last);
    if (next.length === 0 && timelineOf(this.#app.state, this.narrow)?.hasNewest === false) {
      await this.#waited(this.#app.session.timelines.loadNewer(this.narrow));
      next = this.#ids().filter((id) => id > last);
    }
    if (next.length === 0) this.#print('That was the newest.');
    this.#say(next.slice(0, pageSize));
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

  /** What came in while somebody was looking. */
  news(): void {
    const last = Math.max(0, ...this.#printed);
    const timeline = timelineOf(this.#app.state, this.narrow);
    if (last === 0 || timeline?.hasNewest !== true) return;
    this.#say(this.#ids().filter((id) => id > last));
  }

  #ids(): readonly number[] {
    return timelineOf(this.#app.state, this.narrow)?.ids.toArray() ?? [];
  }

  #say(ids: readonly number[]): void {
    const hasPlace = narrowConversation(this.narrow) === undefined;
    const {state, frame} = this.#app;
    for (const id of ids) {
      const message = state.messages.byId.get(id);
      if (message === undefined) continue;
      this.#printed.push(id);
      this.#print(messageText(frame, message, {number: this.#printed.length, hasPlace}));
    }
  }

  async #waited(asked: Promise<unknown>): Promise<void> {
    let cancel = () => {};
    const enough = new Promise<void>((resolve) => {
      cancel = this.#app.clock.after(patienceMs, () => {
        this.#print('(The server does not answer: this is what is known here.)');
        resolve();
      });
    });
    await Promise.race([asked.catch(() => {}), enough]);
    cancel();
  }
}
