import {type SendDestination, sendMessage} from '#server/actions/messages/send-message.ts';
import {sendChannelTyping, sendDirectTyping} from '#server/actions/users/typing.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError} from '#server/errors.ts';
import {DemoDataError, parseJson} from '#server/seed/demo-world/world-file.ts';
import {readAsset} from '#std/program-files.ts';
import {s, strings} from '#wire/schema.ts';

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

/** The behaviour of demo accounts; see assets/demo/README.md. */
const schema = s.array(
  s.strictObject({
    bot: s.string(),
    answers: s.picklist(['dm', 'mention', 'dm, mention', 'none']),
    /** Whether the account is a person of the demo and not a bot. */
    person: s.optional(s.boolean(), false),
    /** The replies to messages that match a pattern; the first rule that matches is used. */
    replies: s.array(s.strictObject({when: s.string(), say: strings})),
    /** Messages that the account sends from time to time: each once, in this order, starting at a random one. */
    smalltalk: s.array(
      s.strictObject({
        every_minutes: s.pipe(s.number(), s.minValue(1)),
        channel: s.string(),
        topic: s.string(),
        say: strings,
      }),
    ),
  }),
);

export type BotScript = ReturnType<typeof parseBotScripts>[number];

export function readBotScripts(): BotScript[] {
  return parseBotScripts('bots.json', readAsset('demo/bots.json'));
}

export function parseBotScripts(file: string, json: string) {
  return parseJson(file, json, schema).map((script) => ({
    ...script,
    replies: script.replies.map(({when, say}) => ({when: pattern(file, script.bot, when), say})),
  }));
}

function pattern(file: string, bot: string, source: string): RegExp {
  try {
    return new RegExp(source, 'i');
  } catch (error) {
    throw new DemoDataError({file, position: bot}, `“${source}” is not a pattern`, {cause: error});
  }
}

const placeholder = /\{\{(n|seq):(\d+)(?::(\d+))?(?::([\d.]+))?\}\}/g;

/**
 * Fills in `{{n:3:25}}` (a random number in the range), `{{n:48:56:0.1}}` (times 0.1) and `{{seq:2223}}` (plus
 * `count`).
 */
export function fillTemplate(text: string, random: () => number, count: number): string {
  return text.replaceAll(placeholder, (_all, word: string, low: string, high = low, step = '1') => {
    if (word === 'seq') return String(Number(low) + count);
    const number = Number(low) + Math.floor(random() * (Number(high) - Number(low) + 1));
    const decimals = step.split('.')[1]?.length ?? 0;
    return (number * Number(step)).toFixed(decimals);
  });
}

/** Picks replies by the first rule that matches, and never the same reply twice in a row. */
export function replyPicker(rules: BotScript['replies'], random: () => number): (text: string) => string | undefined {
  const lastReplies = new Map<object, string>();
  return (text) => {
    const rule = rules.find(({when}) => when.test(text));
    if (rule === undefined) return undefined;
    const fresh = rule.say.filter((line) => line !== lastReplies.get(rule));
    const choices = fresh.length === 0 ? rule.say : fresh;
    const line = choices[Math.floor(random() * choices.length)];
    if (line === undefined) return undefined;
    lastReplies.set(rule, line);
    return fillTemplate(line, random, 0);
  };
}
