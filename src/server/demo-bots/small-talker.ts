import type {SendDestination} from '#server/actions/messages/send-message.ts';
import {findChannelByName} from '#server/db/channels.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {type BotRuntime, botClient} from './bot-runtime.ts';
import type {SmallTalk} from './bot-script.ts';
import {fillTemplate} from './replies.ts';

const minuteMs = 60_000;
const typingMs = [1200, 2800] as const;

/** Says a list of remarks, one now and then, while somebody is connected: an unattended server stays as it is. */
export class SmallTalker {
  readonly #stage: BotRuntime;
  readonly #talk: SmallTalk;
  readonly #userId: number;
  readonly #isPerson: boolean;
  readonly #first: number;
  #said = 0;

  constructor(stage: BotRuntime, talk: SmallTalk, userId: number, isPerson: boolean) {
    this.#stage = stage;
    this.#talk = talk;
    this.#userId = userId;
    this.#isPerson = isPerson;
    this.#first = Math.floor(stage.randomBetween(0, talk.say.length));
    this.#wait(0.2, 1);
  }

  /** Between these parts of the usual time. */
  #wait(least: number, most: number): void {
    if (this.#said === this.#talk.say.length) return;
    const ms = this.#talk.everyMinutes * minuteMs * this.#stage.randomBetween(least, most);
    this.#stage.after(ms, () => this.#begin());
  }

  #begin(): void {
    const user = this.#stage.world.queues.size === 0 ? undefined : this.#stage.availableAccount(this.#userId);
    const destination = this.#destination();
    if (user === undefined || destination === undefined) {
      this.#wait(0.7, 1.3);
      return;
    }
    if (!this.#isPerson) {
      this.#speak(user, destination);
      return;
    }
    this.#stage.sendTyping(user, 'start', destination);
    this.#stage.after(this.#stage.randomBetween(...typingMs), () => {
      this.#stage.sendTyping(user, 'stop', destination);
      this.#speak(user, destination);
    });
  }

  #speak(user: UserRow, destination: SendDestination): void {
    const {say} = this.#talk;
    const line = say[(this.#first + this.#said) % say.length] ?? '';
    const text = fillTemplate(line, this.#stage.world.random, this.#count(destination));
    // Whoever may not speak there will not be asked again.
    if (!this.#stage.sendMessage(user, destination, text)) return;
    this.#said++;
    this.#wait(0.7, 1.3);
  }

  #destination(): SendDestination | undefined {
    const {channel: name, topic} = this.#talk;
    const channel = findChannelByName(this.#stage.world.db, name);
    return channel === undefined ? undefined : {kind: 'channel', channel, topic};
  }

  /** How many remarks were made there before, in earlier runs of the server too. */
  #count(destination: SendDestination): number {
    if (destination.kind === 'direct') return 0;
    const sql = `SELECT COUNT(*) FROM message
      WHERE channel_id = ? AND topic_key = ? AND sender_id = ? AND client = ?`;
    const {db} = this.#stage.world;
    return db.value(sql, destination.channel.id, fold(destination.topic), this.#userId, botClient) ?? 0;
  }
}
