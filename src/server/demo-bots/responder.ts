import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {SendDestination} from '#server/actions/messages/send-message.ts';
import type {SentMessage} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {BotRuntime} from './bot-runtime.ts';
import type {BotScript} from './bot-script.ts';
import {Replies} from './replies.ts';

type DelayRanges = Readonly<Record<'bot' | 'person', readonly [number, number]>>;
const thinkMs: DelayRanges = {bot: [300, 800], person: [900, 2200]};
const typingMs: DelayRanges = {bot: [300, 900], person: [600, 1200]};
/** The time that a person needs for each letter, up to `maxLettersMs`. */
const letterMs = 25;
const maxLettersMs = 4000;

/** Answers messages to one account: one reply at a time in each conversation, to its newest message. */
export class Responder {
  readonly #runtime: BotRuntime;
  readonly #script: BotScript;
  readonly #userId: number;
  readonly #replies: Replies;
  readonly #pending = new Map<string, SentMessage>();

  constructor(runtime: BotRuntime, script: BotScript, userId: number) {
    this.#runtime = runtime;
    this.#script = script;
    this.#userId = userId;
    this.#replies = new Replies(script.replies, runtime.server.random);
  }

  handleMessage(sent: SentMessage): void {
    if (!this.#isAddressed(sent)) return;
    const {row} = sent;
    const conversation = row.dm_id === null ? `${row.channel_id}:${row.topic_key}` : `${row.dm_id}`;
    const isPending = this.#pending.has(conversation);
    this.#pending.set(conversation, sent);
    if (!isPending)
      this.#runtime.after(this.#runtime.randomBetween(...thinkMs[this.#kind]), () => this.#startTyping(conversation));
  }

  get #kind(): 'person' | 'bot' {
    return this.#script.isPerson ? 'person' : 'bot';
  }

  /** Returns whether the account should answer: in a group conversation, only when it is mentioned. */
  #isAddressed({row, sender, members, mentioned}: SentMessage): boolean {
    if (sender.id === this.#userId) return false;
    const {answersDirect, answersMentions} = this.#script;
    if (row.dm_id === null) return answersMentions && mentioned.has(this.#userId);
    if (!members.includes(this.#userId)) return false;
    if (members.length === 2) return answersDirect;
    return (answersDirect || answersMentions) && mentioned.has(this.#userId);
  }

  #startTyping(conversation: string): void {
    const destination = this.#destination(this.#pending.get(conversation));
    const user = this.#runtime.availableAccount(this.#userId);
    if (destination === undefined || user === undefined) {
      this.#pending.delete(conversation);
      return;
    }
    this.#runtime.sendTyping(user, 'start', destination);
    const length = this.#pending.get(conversation)?.row.content.length ?? 0;
    const letters = this.#script.isPerson ? Math.min(length * letterMs, maxLettersMs) : 0;
    const duration = this.#runtime.randomBetween(...typingMs[this.#kind]) + letters;
    this.#runtime.after(duration, () => this.#sendReply(conversation, destination));
  }

  #sendReply(conversation: string, destination: SendDestination): void {
    const question = this.#pending.get(conversation);
    this.#pending.delete(conversation);
    const user = this.#runtime.availableAccount(this.#userId);
    if (question === undefined || user === undefined) return;
    this.#runtime.sendTyping(user, 'stop', destination);
    // A mention contains the account's name, which may match one of its rules.
    const text = question.row.content.replaceAll(/@_?\*\*[^*]+\*\*/g, ' ');
    const answer = this.#replies.replyTo(text);
    if (answer === undefined) return;
    this.#runtime.attempt(() =>
      // The account has read the message that it answers.
      this.#runtime.server.runAction((act) => changeFlag(act, user, {op: 'add', flag: 'read'}, [question.row.id])),
    );
    this.#runtime.sendMessage(user, destination, answer);
  }

  #destination(question: SentMessage | undefined): SendDestination | undefined {
    if (question === undefined) return undefined;
    const {row, members} = question;
    if (row.channel_id === null) return {kind: 'direct', userIds: members};
    const channel = findChannel(this.#runtime.server.db, row.channel_id);
    return channel === undefined ? undefined : {kind: 'channel', channel, topic: row.topic};
  }
}
