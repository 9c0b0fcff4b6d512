import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {SessionContext} from '#state/session-context.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

const {
  server_typing_started_wait_period_milliseconds: defaultAgainMs,
  server_typing_stopped_wait_period_milliseconds: defaultIdleMs,
} = realmDefaults;

/** What is being written: a message to a conversation, or another version of a message. */
type TypingTarget =
  | {readonly kind: 'message'; readonly conversation: Conversation}
  | {readonly kind: 'edit'; readonly messageId: number};

interface CurrentTyping {
  readonly key: string;
  readonly subject: TypingTarget;
  toldAt: number;
  cancelIdle: () => void;
}

/** Lets others know that one writes, for as long as one does, at the pace the server wants. Failures are nobody's loss. */
export class TypingNotifier {
  readonly #context: SessionContext;
  readonly #stopWatching: () => void;
  readonly #isOn: boolean;
  #current: CurrentTyping | undefined;
  #cancelExpiry = () => {};

  constructor(context: SessionContext, isOn = true) {
    this.#context = context;
    this.#isOn = isOn;
    this.#stopWatching = context.cache.subscribe(['typing'], () => this.#watchOthers());
  }

  /** A key changed what is being written there, and it is not empty. */
  noteTyping(conversation: Conversation): void {
    this.#touch({kind: 'message', conversation}, conversationKey(conversation));
  }

  /** The same for a message that is being edited. */
  noteEditing(messageId: number): void {
    this.#touch({kind: 'edit', messageId}, `edit ${messageId}`);
  }

  /** It was sent, emptied or left. */
  stop(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    current.cancelIdle();
    this.#tell(current.subject, 'stop');
  }

  /** For good. */
  dispose(): void {
    this.stop();
    this.#stopWatching();
    this.#cancelExpiry();
  }

  #touch(subject: TypingTarget, key: string): void {
    const {clock, cache} = this.#context;
    const {serverTypingStartedWaitPeriodMilliseconds: againMs = defaultAgainMs} = cache.state.server;
    const {serverTypingStoppedWaitPeriodMilliseconds: idleMs = defaultIdleMs} = cache.state.server;
    if (this.#current?.key !== key) this.stop();
    if (!this.#mayTell(subject)) return;
    const now = clock.now();
    const current = this.#current ?? {key, subject, toldAt: Number.NEGATIVE_INFINITY, cancelIdle: () => {}};
    this.#current = current;
    current.cancelIdle();
    current.cancelIdle = clock.after(idleMs, () => this.stop());
    if (now - current.toldAt < againMs) return;
    current.toldAt = now;
    this.#tell(subject, 'start');
  }

  #mayTell(subject: TypingTarget): boolean {
    const {isExploring, cache} = this.#context;
    const {connection, settings, server, messages} = cache.state;
    if (!this.#isOn || isExploring || connection.phase !== 'online') return false;
    if (subject.kind === 'edit' && !server.abilities.editTyping) return false;
    const message = subject.kind === 'edit' ? messages.byId.get(subject.messageId) : undefined;
    const conversation = subject.kind === 'edit' ? message && conversationOf(message) : subject.conversation;
    if (conversation?.kind === 'topic') return settings.sendStreamTypingNotifications !== false;
    // Nobody else reads notes to oneself.
    const hasReaders = conversation !== undefined && conversation.userIds.length > 0;
    return hasReaders && settings.sendPrivateTypingNotifications !== false;
  }

  #tell(subject: TypingTarget, op: 'start' | 'stop'): void {
    const {api, signal} = this.#context;
    if (!this.#mayTell(subject)) return;
    void send().catch(() => {});

    async function send(): Promise<void> {
      if (subject.kind === 'edit') {
        await api.sendEditTyping({message_id: subject.messageId, op}, {signal});
      } else if (subject.conversation.kind === 'topic') {
        const {channelId, topic} = subject.conversation;
        await api.sendTyping({type: 'stream', op, stream_id: channelId, topic}, {signal});
      } else {
        await api.sendTyping({op, to: [...subject.conversation.userIds]}, {signal});
      }
    }
  }

  /** Somebody may go away without a word. */
  #watchOthers(): void {
    const {clock, cache} = this.#context;
    const {conversations, edits} = cache.state.typing;
    this.#cancelExpiry();
    const times = [...conversations.values(), ...edits.values()].flatMap((people) => [...people.values()]);
    if (times.length === 0) return;
    const ms = Math.max(0, Math.min(...times) - clock.now());
    this.#cancelExpiry = clock.after(ms, () => cache.apply({type: 'typing_expired', now: clock.now()}));
  }
}
