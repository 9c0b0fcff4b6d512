import {userSettings} from '#server/accounts/user-settings.ts';
import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {SendDestination} from '#server/actions/messages/send-message.ts';
import {type PresenceStatus, reportPresence} from '#server/actions/users/presence.ts';
import type {SentMessage, ServerContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {parseWorldFile} from '#server/seed/demo-world/world-file.ts';
import {readAsset} from '#std/program-files.ts';
import {
  BotRuntime,
  type BotScript,
  botClient,
  fillTemplate,
  Replies,
  readBotScripts,
  type SmallTalk,
} from './bot-runtime.ts';

export interface DemoBotsOptions {
  /** Whether bots also start conversations; else they only answer. */
  readonly smallTalk?: boolean;
  readonly log?: (line: string, error: unknown) => void;
}

/** Starts the demo's bots and simulated people. Does nothing when the database is not the demo. */
export function startDemoBots(server: ServerContext, options: DemoBotsOptions = {}): {stop(): void} {
  const runtime = new BotRuntime(server, options.log ?? (() => {}));
  const userIds = demoUserIds(server);
  if (userIds.size === 0) return runtime;
  const responders: Responder[] = [];
  for (const script of readBotScripts()) {
    const userId = userIds.get(script.key);
    if (userId === undefined) continue;
    responders.push(new Responder(runtime, script, userId));
    if (options.smallTalk === false) continue;
    for (const talk of script.smallTalk) new SmallTalker(runtime, talk, userId, script.isPerson);
  }
  startPresenceReports(runtime, presentPeople(userIds));
  const listener = (sent: SentMessage) => {
    if (sent.sender.is_bot === 1 || runtime.isSending) return;
    runtime.attempt(() => {
      for (const responder of responders) responder.handleMessage(sent);
    });
  };
  server.messageListeners.add(listener);
  return {
    stop() {
      server.messageListeners.delete(listener);
      runtime.stop();
    },
  };
}

/** Returns the user ids by the keys of assets/demo/world.json, which the seeding stored. */
function demoUserIds({db}: ServerContext): Map<string, number> {
  const stored = db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}';
  return new Map(Object.entries<number>(JSON.parse(stored)));
}

function presentPeople(userIds: ReadonlyMap<string, number>): Map<number, PresenceStatus> {
  const presences = new Map<number, PresenceStatus>();
  const json = readAsset('demo/world.json');
  for (const {key, presence, you, deactivated} of parseWorldFile('world.json', json).people) {
    const id = userIds.get(key);
    if (id === undefined || you || deactivated) continue;
    if (presence === 'active' || presence === 'idle') presences.set(id, presence);
  }
  return presences;
}

/** Short enough that a new client soon sees who is present; reports that change nothing are not written. */
const presenceIntervalMs = 20_000;

/** Reports the simulated people as active or idle while a client is connected. */
function startPresenceReports(runtime: BotRuntime, people: ReadonlyMap<number, PresenceStatus>): void {
  const {server} = runtime;
  const report = () => {
    if (server.queues.size > 0) {
      runtime.attempt(() => {
        server.runAction((act) => {
          for (const [id, status] of people) {
            const user = runtime.availableAccount(id);
            if (user !== undefined) reportPresence(act, user, status, userSettings(user).presence_enabled);
          }
        });
      });
    }
    runtime.after(presenceIntervalMs, report);
  };
  runtime.after(presenceIntervalMs, report);
}

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

const minuteMs = 60_000;
const smallTalkTypingMs = [1200, 2800] as const;

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
    this.#runtime.after(this.#runtime.randomBetween(...smallTalkTypingMs), () => {
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
