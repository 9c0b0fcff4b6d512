import {userSettings} from '#server/accounts/user-settings.ts';
import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {SendDestination} from '#server/actions/messages/send-message.ts';
import {type PresenceStatus, reportPresence} from '#server/actions/users/presence.ts';
import type {SentMessage, ServerContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {parseWorldFile} from '#server/seed/demo-world/world-file.ts';
import {readAsset} from '#std/program-files.ts';
import {BotRuntime, type BotScript, botClient, fillTemplate, readBotScripts, replyPicker} from './bot-runtime.ts';

interface DemoBotsOptions {
  /** Whether bots also start conversations; else they only answer. */
  readonly smallTalk?: boolean;
  readonly log?: (line: string, error: unknown) => void;
}

/** Starts the demo's bots and simulated people. Does nothing when the database is not the demo. */
export function startDemoBots(server: ServerContext, options: DemoBotsOptions = {}): {stop(): void} {
  const runtime = new BotRuntime(server, options.log ?? (() => {}));
  const userIds = demoUserIds(server);
  if (userIds.size === 0) return runtime;
  const responders: ((sent: SentMessage) => void)[] = [];
  for (const script of readBotScripts()) {
    const userId = userIds.get(script.bot);
    if (userId === undefined) continue;
    responders.push(responder(runtime, script, userId));
    if (options.smallTalk === false) continue;
    for (const talk of script.smalltalk) startSmallTalk(runtime, talk, userId, script.person);
  }
  startPresenceReports(runtime, presentPeople(userIds));
  const listener = (sent: SentMessage) => {
    if (sent.sender.is_bot === 1 || runtime.isSending) return;
    runtime.attempt(() => {
      for (const respond of responders) respond(sent);
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
function responder(runtime: BotRuntime, script: BotScript, userId: number): (sent: SentMessage) => void {
  const {server} = runtime;
  const kind = script.person ? 'person' : 'bot';
  const answersDirect = script.answers.includes('dm');
  const answersMentions = script.answers.includes('mention');
  const replyTo = replyPicker(script.replies, server.random);
  const pending = new Map<string, SentMessage>();

  /** Returns whether the account should answer: in a group conversation, only when it is mentioned. */
  function isAddressed({row, sender, members, mentioned}: SentMessage): boolean {
    if (sender.id === userId) return false;
    if (row.dm_id === null) return answersMentions && mentioned.has(userId);
    if (!members.includes(userId)) return false;
    if (members.length === 2) return answersDirect;
    return (answersDirect || answersMentions) && mentioned.has(userId);
  }

  function startTyping(conversation: string): void {
    const question = pending.get(conversation);
    const destination = question && destinationOf(server, question);
    const user = runtime.availableAccount(userId);
    if (question === undefined || destination === undefined || user === undefined) {
      pending.delete(conversation);
      return;
    }
    runtime.sendTyping(user, 'start', destination);
    const letters = script.person ? Math.min(question.row.content.length * letterMs, maxLettersMs) : 0;
    runtime.after(runtime.randomBetween(...typingMs[kind]) + letters, () => sendReply(conversation, destination));
  }

  function sendReply(conversation: string, destination: SendDestination): void {
    const question = pending.get(conversation);
    pending.delete(conversation);
    const user = runtime.availableAccount(userId);
    if (question === undefined || user === undefined) return;
    runtime.sendTyping(user, 'stop', destination);
    // A mention contains the account's name, which may match one of its rules.
    const answer = replyTo(question.row.content.replaceAll(/@_?\*\*[^*]+\*\*/g, ' '));
    if (answer === undefined) return;
    runtime.attempt(() =>
      // The account has read the message that it answers.
      server.runAction((act) => changeFlag(act, user, {op: 'add', flag: 'read'}, [question.row.id])),
    );
    runtime.sendMessage(user, destination, answer);
  }

  return (sent) => {
    if (!isAddressed(sent)) return;
    const {row} = sent;
    const conversation = row.dm_id === null ? `${row.channel_id}:${row.topic_key}` : `${row.dm_id}`;
    const isPending = pending.has(conversation);
    pending.set(conversation, sent);
    if (!isPending) runtime.after(runtime.randomBetween(...thinkMs[kind]), () => startTyping(conversation));
  };
}

function destinationOf({db}: ServerContext, {row, members}: SentMessage): SendDestination | undefined {
  if (row.channel_id === null) return {kind: 'direct', userIds: members};
  const channel = findChannel(db, row.channel_id);
  return channel === undefined ? undefined : {kind: 'channel', channel, topic: row.topic};
}

const minuteMs = 60_000;
const smallTalkTypingMs = [1200, 2800] as const;

/** Sends a list of messages, one from time to time, while a client is connected: an unused server stays unchanged. */
function startSmallTalk(
  runtime: BotRuntime,
  {channel: name, topic, say, every_minutes}: BotScript['smalltalk'][number],
  userId: number,
  isPerson: boolean,
): void {
  const {db, queues, random} = runtime.server;
  const first = Math.floor(runtime.randomBetween(0, say.length));
  let sentCount = 0;

  /** Waits for a random time between these fractions of the usual interval. */
  function wait(min: number, max: number): void {
    if (sentCount < say.length) runtime.after(every_minutes * minuteMs * runtime.randomBetween(min, max), begin);
  }

  function begin(): void {
    const user = queues.size === 0 ? undefined : runtime.availableAccount(userId);
    const channel = findChannelByName(db, name);
    if (user === undefined || channel === undefined) {
      wait(0.7, 1.3);
      return;
    }
    if (!isPerson) {
      send(user, channel);
      return;
    }
    const destination = {kind: 'channel', channel, topic} as const;
    runtime.sendTyping(user, 'start', destination);
    runtime.after(runtime.randomBetween(...smallTalkTypingMs), () => {
      runtime.sendTyping(user, 'stop', destination);
      send(user, channel);
    });
  }

  function send(user: UserRow, channel: ChannelRow): void {
    // Counts those of earlier runs of the server too.
    const sql = 'SELECT COUNT(*) FROM message WHERE channel_id = ? AND topic_key = ? AND sender_id = ? AND client = ?';
    const count = db.value(sql, channel.id, fold(topic), userId, botClient) ?? 0;
    const text = fillTemplate(say[(first + sentCount) % say.length] ?? '', random, count);
    // An account that may not post there does not try again.
    if (!runtime.sendMessage(user, {kind: 'channel', channel, topic}, text)) return;
    sentCount++;
    wait(0.7, 1.3);
  }

  wait(0.2, 1);
}
