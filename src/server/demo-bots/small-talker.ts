import type {SendDestination} from '#server/actions/messages/send-message.ts';
import {findChannelByName} from '#server/db/channels.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {type BotRuntime, botClient} from './bot-runtime.ts';
import type {SmallTalk} from './bot-script.ts';
import {fillTemplate} from './replies.ts';

const minuteMs = 60_000;
const typingMs = [1200, 2800] as const;

/** Sends a list of messages, one from time to time, while a client is connected: an unused server stays unchanged. */
export class SmallTalker {
  readonly #runtime: BotRuntime;
  readonly #talk: SmallTalk;
  readonly #userId: number;
  readonly #isPerson: boolean;
  readonly #first: number;
  #sentCount = 0;

  constructor(runtime: BotRuntime, talk: SmallTalk, userId: number, isPerson: boolean) {
    this.#runtime = runtime;
    this.#talk = talk;
    this.#userId = userId;
    this.#isPerson = isPerson;
    this.#first = Math.floor(runtime.randomBetween(0, talk.say.length));
    this.#wait(0.2, 1);
  }

  /** Waits for a random time between these fractions of the usual interval. */
  #wait(min: number, max: number): void {
    if (this.#sentCount === this.#talk.say.length) return;
    const ms = this.#talk.everyMinutes * minuteMs * this.#runtime.randomBetween(min, max);
    this.#runtime.after(ms, () => this.#begin());
  }

  #begin(): void {
    const user = this.#runtime.server.queues.size === 0 ? undefined : this.#runtime.availableAccount(this.#userId);
    const destination = this.#destination();
    if (user === undefined || destination === undefined) {
      this.#wait(0.7, 1.3);
      return;
    }
    if (!this.#isPerson) {
      this.#send(user, destination);
      return;
    }
    this.#runtime.sendTyping(user, 'start', destination);
    this.#runtime.after(this.#runtime.randomBetween(...typingMs), () => {
      this.#runtime.sendTyping(user, 'stop', destination);
      this.#send(user, destination);
    });
  }

  #send(user: UserRow, destination: SendDestination): void {
    const {say} = this.#talk;
    const line = say[(this.#first + this.#sentCount) % say.length] ?? '';
    const text = fillTemplate(line, this.#runtime.server.random, this.#count(destination));
    // An account that may not post there does not try again.
    if (!this.#runtime.sendMessage(user, destination, text)) return;
    this.#sentCount++;
    this.#wait(0.7, 1.3);
  }

  #destination(): SendDestination | undefined {
    const {channel: name, topic} = this.#talk;
    const channel = findChannelByName(this.#runtime.server.db, name);
    return channel === undefined ? undefined : {kind: 'channel', channel, topic};
  }

  /** Returns how many messages of the list were sent, including earlier runs of the server. */
  #count(destination: SendDestination): number {
    if (destination.kind === 'direct') return 0;
    const sql = `SELECT COUNT(*) FROM message
      WHERE channel_id = ? AND topic_key = ? AND sender_id = ? AND client = ?`;
    const {db} = this.#runtime.server;
    return db.value(sql, destination.channel.id, fold(destination.topic), this.#userId, botClient) ?? 0;
  }
}
