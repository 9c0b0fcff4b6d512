import type {CliIo} from '#cli/io.ts';
import {MessageFormatter} from '#cli/messages/message-formatter.ts';
import {messageJson, printJsonLine} from '#cli/messages/message-json.ts';
import {outputStyle} from '#cli/messages/output-style.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {Session} from '#state/session.ts';
import type {CommonOptions} from './verb.ts';

/** Ids that are remembered as printed; whatever is older than all of them is not printed any more. */
const mostRemembered = 10_000;

/** Prints what a timeline gains at its end: each message once, in order. */
export class TailPrinter {
  readonly #session: Session;
  readonly #narrow: Narrow;
  readonly #io: CliIo;
  readonly #json: boolean;
  readonly #text: MessageFormatter;
  #printed = new Set<number>();
  /** Everything up to here was there at the beginning, or is too long ago. */
  #floor = -1;
  #newest = -1;

  constructor(
    session: Session,
    narrow: Narrow,
    io: CliIo,
    {json, color}: Pick<CommonOptions, 'json' | 'color'>,
  ) {
    this.#session = session;
    this.#narrow = narrow;
    this.#io = io;
    this.#json = json;
    const showsPlaces = conversationOfNarrow(narrow) === undefined;
    this.#text = new MessageFormatter(outputStyle(io, color), {showsPlaces});
  }

  /** The last so many; from then on what comes. */
  printLast(count: number): void {
    const ids = this.#timeline()?.ids.toArray() ?? [];
    this.#floor = ids.at(-1) ?? -1;
    this.#newest = this.#floor;
    for (const id of count === 0 ? [] : ids.slice(-count)) {
      const message = this.#session.cache.state.messages.byId.get(id);
      if (message !== undefined) this.#print(message);
    }
    this.printNew();
  }

  printNew(): void {
    const timeline = this.#timeline();
    // Until it is made anew, newer messages may be there before older ones.
    if (timeline === undefined || timeline.loading === 'first' || timeline.isStale) return;
    for (const id of timeline.ids.from(this.#floor + 1)) this.#meet(id);
    const isIdle = timeline.loading === undefined && timeline.problem === undefined;
    if (!timeline.hasNewest && isIdle) this.#catchUp();
  }

  #timeline(): Timeline | undefined {
    return this.#session.cache.state.timelines.get(narrowKey(this.#narrow));
  }

  #meet(id: number): void {
    const message = this.#printed.has(id) ? undefined : this.#session.cache.state.messages.byId.get(id);
    if (message === undefined) return;
    this.#printed.add(id);
    this.#print(message);
    this.#newest = Math.max(this.#newest, id);
    // After a gap the timeline is fetched around this place, so that what follows it is not skipped.
    this.#session.timelines.setViewedMessage(this.#narrow, this.#newest);
    if (this.#printed.size > mostRemembered) this.#forget();
  }

  #forget(): void {
    const kept = [...this.#printed].sort((a, b) => a - b).slice(-mostRemembered / 2);
    this.#floor = (kept[0] ?? 0) - 1;
    this.#printed = new Set(kept);
  }

  /** What fails is tried again when the server is back. */
  #catchUp(): void {
    this.#session.timelines.loadNewer(this.#narrow).catch(() => {});
  }

  #print(message: Message): void {
    const {state} = this.#session.cache;
    if (this.#json) printJsonLine(this.#io, messageJson(state, message, state.unreads.byId.has(message.id)));
    else this.#io.stdout.write(`${this.#text.lines(state, message).join('\n')}\n`);
  }
}
