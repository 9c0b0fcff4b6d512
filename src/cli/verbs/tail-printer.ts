import {type CliIo, printStyled} from '#cli/io.ts';
import {MessageFormatter} from '#cli/messages/message-formatter.ts';
import {messageJson, printJsonLine} from '#cli/messages/message-json.ts';
import {messageTextOptions} from '#cli/messages/message-text.ts';
import {outputStyle} from '#cli/messages/output-style.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {Session} from '#state/session.ts';
import type {CommonOptions} from './verb.ts';

/** The number of printed ids to remember; messages older than all of them are not printed any more. */
const maxRemembered = 10_000;

/** Prints the messages that are added at the end of a timeline: each once, in order. */
export class TailPrinter {
  readonly #session: Session;
  readonly #narrow: Narrow;
  readonly #io: CliIo;
  readonly #json: boolean;
  readonly #formatter: MessageFormatter;
  #printed = new Set<number>();
  /** Messages up to this id existed at the start, or are too old to be remembered. */
  #floor = -1;
  #newest = -1;

  constructor(
    session: Session,
    narrow: Narrow,
    io: CliIo,
    {json, color, raw}: Pick<CommonOptions, 'json' | 'color'> & {readonly raw: boolean},
  ) {
    this.#session = session;
    this.#narrow = narrow;
    this.#io = io;
    this.#json = json;
    const showsConversations = conversationOfNarrow(narrow) === undefined;
    this.#formatter = new MessageFormatter(outputStyle(io, color), {
      showsConversations,
      text: raw ? undefined : (state) => messageTextOptions(state, io.clock.now()),
    });
  }

  /** Prints the last messages of the timeline, and then new ones as they arrive. */
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
    // Until a stale timeline is reloaded, newer messages may arrive before older ones.
    if (timeline === undefined || timeline.loading === 'first' || timeline.isStale) return;
    for (const id of timeline.ids.from(this.#floor + 1)) this.#printOnce(id);
    const isIdle = timeline.loading === undefined && timeline.problem === undefined;
    if (!timeline.hasNewest && isIdle) this.#catchUp();
  }

  #timeline(): Timeline | undefined {
    return this.#session.cache.state.timelines.get(narrowKey(this.#narrow));
  }

  #printOnce(id: number): void {
    const message = this.#printed.has(id) ? undefined : this.#session.cache.state.messages.byId.get(id);
    if (message === undefined) return;
    this.#printed.add(id);
    this.#print(message);
    this.#newest = Math.max(this.#newest, id);
    // After a gap the timeline is fetched around this message, so that no later one is skipped.
    this.#session.timelines.setViewedMessage(this.#narrow, this.#newest);
    if (this.#printed.size > maxRemembered) this.#dropOldIds();
  }

  #dropOldIds(): void {
    const recent = [...this.#printed].sort((a, b) => a - b).slice(-maxRemembered / 2);
    this.#floor = (recent[0] ?? 0) - 1;
    this.#printed = new Set(recent);
  }

  /** Loads newer messages. A failure is retried when the server is reachable again. */
  #catchUp(): void {
    this.#session.timelines.loadNewer(this.#narrow).catch(() => {});
  }

  #print(message: Message): void {
    const {state} = this.#session.cache;
    if (this.#json) {
      const options = messageTextOptions(state, this.#io.clock.now());
      printJsonLine(this.#io, messageJson(state, message, state.unreads.byId.has(message.id), options));
    } else void printStyled(this.#io, this.#formatter.lines(state, message).join('\n'));
  }
}
