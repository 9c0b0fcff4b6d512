import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {SendDestination} from '#server/actions/messages/send-message.ts';
import type {SentMessage} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {BotRuntime} from './bot-runtime.ts';
import type {BotScript} from './bot-script.ts';
import {Replies} from './replies.ts';

type Spans = Readonly<Record<'bot' | 'person', readonly [number, number]>>;
const thinkMs: Spans = {bot: [300, 800], person: [900, 2200]};
const writeMs: Spans = {bot: [300, 900], person: [600, 1200]};
/** People need time for each letter, up to a point. */
const letterMs = 25;
const longestWriteMs = 4000;

/** Answers what one account is told or asked: one answer at a time in each conversation, to the newest message. */
export class Responder {
  readonly #stage: BotRuntime;
  readonly #script: BotScript;
  readonly #userId: number;
  readonly #replies: Replies;
  readonly #pending = new Map<string, SentMessage>();

  constructor(stage: BotRuntime, script: BotScript, userId: number) {
    this.#stage = stage;
    this.#script = script;
    this.#userId = userId;
    this.#replies = new Replies(script.replies, stage.world.random);
  }

  handleMessage(sent: SentMessage): void {
    if (!this.#isAddressed(sent)) return;
    const {row} = sent;
    const place = row.dm_id === null ? `${row.channel_id}:${row.topic_key}` : `${row.dm_id}`;
    const isPending = this.#pending.has(place);
    this.#pending.set(place, sent);
    if (!isPending)
      this.#stage.after(this.#stage.randomBetween(...thinkMs[this.#kind]), () => this.#write(place));
  }

  get #kind(): 'person' | 'bot' {
    return this.#script.isPerson ? 'person' : 'bot';
  }

  /** In a conversation of more than two only those who are mentioned feel spoken to. */
  #isAddressed({row, sender, members, mentioned}: SentMessage): boolean {
    if (sender.id === this.#userId) return false;
    const {answersDirect, answersMentions} = this.#script;
    if (row.dm_id === null) return answersMentions && mentioned.has(this.#userId);
    if (!members.includes(this.#userId)) return false;
    if (members.length === 2) return answersDirect;
    return (answersDirect || answersMentions) && mentioned.has(this.#userId);
  }

  #write(place: string): void {
    const destination = this.#destination(this.#pending.get(place));
    const user = this.#stage.availableAccount(this.#userId);
    if (destination === undefined || user === undefined) {
      this.#pending.delete(place);
      return;
    }
    this.#stage.sendTyping(user, 'start', destination);
    const length = this.#pending.get(place)?.row.content.length ?? 0;
    const letters = this.#script.isPerson ? Math.min(length * letterMs, longestWriteMs) : 0;
    const duration = this.#stage.randomBetween(...writeMs[this.#kind]) + letters;
    this.#stage.after(duration, () => this.#answer(place, destination));
  }

  #answer(place: string, destination: SendDestination): void {
    const question = this.#pending.get(place);
    this.#pending.delete(place);
    const user = this.#stage.availableAccount(this.#userId);
    if (question === undefined || user === undefined) return;
    this.#stage.sendTyping(user, 'stop', destination);
    // Its own name is in every message that mentions it, and may be a word that it knows.
    const text = question.row.content.replaceAll(/@_?\*\*[^*]+\*\*/g, ' ');
    const answer = this.#replies.replyTo(text);
    if (answer === undefined) return;
    this.#stage.attempt(() =>
      // Who answers has read.
      this.#stage.world.runAction((act) =>
        changeFlag(act, user, {op: 'add', flag: 'read'}, [question.row.id]),
      ),
    );
    this.#stage.sendMessage(user, destination, answer);
  }

  #destination(question: SentMessage | undefined): SendDestination | undefined {
    if (question === undefined) return undefined;
    const {row, members} = question;
    if (row.channel_id === null) return {kind: 'direct', userIds: members};
    const channel = findChannel(this.#stage.world.db, row.channel_id);
    return channel === undefined ? undefined : {kind: 'channel', channel, topic: row.topic};
  }
}
