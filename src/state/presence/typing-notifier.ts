import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {SessionContext} from '#state/session-context.ts';
import {isApiFailure} from '#wire/failure.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

const {
  server_typing_started_wait_period_milliseconds: defaultRepeatMs,
  server_typing_stopped_wait_period_milliseconds: defaultIdleMs,
} = realmDefaults;

/** A message to a conversation, or a new version of a message, that the user is typing. */
type TypingTarget =
  | {readonly kind: 'message'; readonly conversation: Conversation}
  | {readonly kind: 'edit'; readonly messageId: number};

interface CurrentTyping {
  readonly key: string;
  readonly subject: TypingTarget;
  toldAt: number;
  /** Whether the last notification was a start. */
  isShown: boolean;
  cancelIdle: () => void;
}

/** Pauses are reported at most once in this time; after others, the indicator of the other clients expires. */
const pauseIntervalMs = 60_000;

/**
 * Sends typing notifications while the user types, at the server's pace, and removes those of others when
 * they expire. Failures are ignored; after one that asks to wait, nothing is sent for that time.
 */
export class TypingNotifier {
  readonly #context: SessionContext;
  readonly #stopWatching: () => void;
  readonly #isEnabled: boolean;
  #current: CurrentTyping | undefined;
  #pausedAt = Number.NEGATIVE_INFINITY;
  #waitsUntil = Number.NEGATIVE_INFINITY;
  #cancelExpiry = () => {};

  constructor(context: SessionContext, isEnabled = true) {
    this.#context = context;
    this.#isEnabled = isEnabled;
    this.#stopWatching = context.cache.subscribe(['typing'], () => this.#scheduleExpiry());
  }

  /** Records a key press in a non-empty message to this conversation. */
  noteTyping(conversation: Conversation): void {
    this.#noteKey({kind: 'message', conversation}, conversationKey(conversation));
  }

  /** Records a key press in the edit of a message. */
  noteEditing(messageId: number): void {
    this.#noteKey({kind: 'edit', messageId}, `edit ${messageId}`);
  }

  /** Sends the stop notification: the text was sent or left. */
  stop(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    current.cancelIdle();
    if (current.isShown) this.#send(current.subject, 'stop');
  }

  /** Sends the stop notification, if it is not too soon after the last one: the text was emptied, or no key follows. */
  pause(): void {
    const current = this.#current;
    const now = this.#context.clock.monotonic();
    if (current === undefined || !current.isShown || now - this.#pausedAt < pauseIntervalMs) return;
    current.isShown = false;
    this.#pausedAt = now;
    this.#send(current.subject, 'stop');
  }

  /** Stops for good. */
  dispose(): void {
    this.stop();
    this.#stopWatching();
    this.#cancelExpiry();
  }

  #noteKey(target: TypingTarget, key: string): void {
    const {clock, cache} = this.#context;
    const {serverTypingStartedWaitPeriodMilliseconds: repeatMs = defaultRepeatMs} = cache.state.server;
    const {serverTypingStoppedWaitPeriodMilliseconds: idleMs = defaultIdleMs} = cache.state.server;
    if (this.#current?.key !== key) this.stop();
    if (!this.#maySend(target)) return;
    const now = clock.monotonic();
    const current = this.#current ?? {
      key,
      subject: target,
      toldAt: Number.NEGATIVE_INFINITY,
      isShown: false,
      cancelIdle: () => {},
    };
    this.#current = current;
    current.cancelIdle();
    current.cancelIdle = clock.after(idleMs, () => this.pause());
    if (now - current.toldAt < repeatMs) return;
    current.toldAt = now;
    current.isShown = true;
    this.#send(target, 'start');
  }

  #maySend(target: TypingTarget): boolean {
    const {isExploring, cache} = this.#context;
    const {connection, settings, server, messages} = cache.state;
    if (!this.#isEnabled || isExploring || connection.phase !== 'online') return false;
    if (target.kind === 'edit' && !server.abilities.editTyping) return false;
    const message = target.kind === 'edit' ? messages.byId.get(target.messageId) : undefined;
    const conversation = target.kind === 'edit' ? message && conversationOf(message) : target.conversation;
    if (conversation?.kind === 'topic') return settings.sendStreamTypingNotifications !== false;
    // No one else reads messages to oneself.
    const hasReaders = conversation !== undefined && conversation.userIds.length > 0;
    return hasReaders && settings.sendPrivateTypingNotifications !== false;
  }

  #send(target: TypingTarget, op: 'start' | 'stop'): void {
    const {api, signal, clock} = this.#context;
    if (!this.#maySend(target) || clock.monotonic() < this.#waitsUntil) return;
    void send().catch((error: unknown) => {
      const waitMs = isApiFailure(error) && error.kind === 'retry' ? error.retryAfterMs : undefined;
      if (waitMs !== undefined) this.#waitsUntil = clock.monotonic() + waitMs;
    });

    async function send(): Promise<void> {
      if (target.kind === 'edit') {
        await api.sendEditTyping({message_id: target.messageId, op}, {signal});
      } else if (target.conversation.kind === 'topic') {
        const {channelId, topic} = target.conversation;
        await api.sendTyping({type: 'stream', op, stream_id: channelId, topic}, {signal});
      } else {
        await api.sendTyping({op, to: [...target.conversation.userIds]}, {signal});
      }
    }
  }

  /** Removes indicators of others that expire without a stop event. */
  #scheduleExpiry(): void {
    const {clock, cache} = this.#context;
    const {conversations, edits} = cache.state.typing;
    this.#cancelExpiry();
    const times = [...conversations.values(), ...edits.values()].flatMap((users) => [...users.values()]);
    if (times.length === 0) return;
    const ms = Math.max(0, Math.min(...times) - clock.monotonic());
    this.#cancelExpiry = clock.after(ms, () => cache.apply({type: 'typing_expired', now: clock.monotonic()}));
  }
}
