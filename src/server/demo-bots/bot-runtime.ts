import {type SendDestination, sendMessage} from '#server/actions/messages/send-message.ts';
import {sendChannelTyping, sendDirectTyping} from '#server/actions/messages/typing.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';

export const botClient = 'ParleyBot';

/** What all bots share: timers that end together, a voice, and errors that stay where they are. */
export class BotRuntime {
  readonly world: ServerContext;
  readonly #log: (line: string, error: unknown) => void;
  readonly #timers = new Set<() => void>();
  #isSpeaking = false;
  #isStopped = false;

  constructor(world: ServerContext, log: (line: string, error: unknown) => void) {
    this.world = world;
    this.#log = log;
  }

  /** True while one of the bots sends: what is heard then is no question to anybody. */
  get isSending(): boolean {
    return this.#isSpeaking;
  }

  /** A number from `low` up to `high`. */
  randomBetween(low: number, high: number): number {
    return low + this.world.random() * (high - low);
  }

  after(ms: number, task: () => void): void {
    if (this.#isStopped) return;
    const cancel = this.world.clock.after(ms, () => {
      this.#timers.delete(cancel);
      this.attempt(task);
    });
    this.#timers.add(cancel);
  }

  /** Whether the task succeeded. A refusal (somebody may not post there) is an everyday thing and not logged. */
  attempt(task: () => void): boolean {
    try {
      task();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) this.#log('A bot of the demo failed', error);
      return false;
    }
  }

  /** The account, unless it is closed or somebody is signed in as it and speaks for themselves. */
  availableAccount(id: number): UserRow | undefined {
    const user = findUser(this.world.db, id);
    return user?.is_active === 1 && !this.world.queues.isConnected(id) ? user : undefined;
  }

  sendTyping(user: UserRow, op: 'start' | 'stop', destination: SendDestination): void {
    this.attempt(() =>
      this.world.runAction((act) => {
        if (destination.kind === 'direct') sendDirectTyping(act, user, op, destination.userIds);
        else sendChannelTyping(act, user, op, destination.channel, destination.topic);
      }),
    );
  }

  /** Whether it could be said. */
  sendMessage(user: UserRow, destination: SendDestination, content: string): boolean {
    this.#isSpeaking = true;
    try {
      return this.attempt(() => {
        const input = {destination, content, client: botClient, readBySender: true};
        this.world.runAction((act) => void sendMessage(act, user, input));
      });
    } finally {
      this.#isSpeaking = false;
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}
