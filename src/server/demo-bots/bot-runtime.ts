import {type SendDestination, sendMessage} from '#server/actions/messages/send-message.ts';
import {sendChannelTyping, sendDirectTyping} from '#server/actions/messages/typing.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';

/** The client name of messages that demo bots send; small talk counts its own messages by it. */
export const botClient = 'ParleyBot';

/** The services that all demo bots share: timers that stop together, sending, and error handling. */
export class BotRuntime {
  readonly server: ServerContext;
  readonly #log: (line: string, error: unknown) => void;
  readonly #timers = new Set<() => void>();
  #isSending = false;
  #isStopped = false;

  constructor(server: ServerContext, log: (line: string, error: unknown) => void) {
    this.server = server;
    this.#log = log;
  }

  /** True while one of the bots sends a message: the other bots must not answer it. */
  get isSending(): boolean {
    return this.#isSending;
  }

  /** Returns a random number from `low` up to `high`. */
  randomBetween(low: number, high: number): number {
    return low + this.server.random() * (high - low);
  }

  after(ms: number, task: () => void): void {
    if (this.#isStopped) return;
    const cancel = this.server.clock.after(ms, () => {
      this.#timers.delete(cancel);
      this.attempt(task);
    });
    this.#timers.add(cancel);
  }

  /** Runs a task and returns whether it succeeded. Refused requests (no permission to post) are not logged. */
  attempt(task: () => void): boolean {
    try {
      task();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) this.#log('A bot of the demo failed', error);
      return false;
    }
  }

  /** Returns the account, unless it is deactivated or a client is signed in as it. */
  availableAccount(id: number): UserRow | undefined {
    const user = findUser(this.server.db, id);
    return user?.is_active === 1 && !this.server.queues.isConnected(id) ? user : undefined;
  }

  sendTyping(user: UserRow, op: 'start' | 'stop', destination: SendDestination): void {
    this.attempt(() =>
      this.server.runAction((act) => {
        if (destination.kind === 'direct') sendDirectTyping(act, user, op, destination.userIds);
        else sendChannelTyping(act, user, op, destination.channel.id, destination.topic);
      }),
    );
  }

  /** Sends a message and returns whether that succeeded. */
  sendMessage(user: UserRow, destination: SendDestination, content: string): boolean {
    this.#isSending = true;
    try {
      return this.attempt(() => {
        const input = {destination, content, client: botClient, readBySender: true};
        this.server.runAction((act) => void sendMessage(act, user, input));
      });
    } finally {
      this.#isSending = false;
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}
