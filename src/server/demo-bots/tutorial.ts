import type {SendDestination} from '#server/actions/messages/send-message.ts';
import type {SentMessage} from '#server/context.ts';
import {unreadSql} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import type {BotRuntime} from './bot-runtime.ts';
import type {TutorialStep, TutorialTask} from './tutorial-script.ts';

const checkDelayMs = 1000;
const typingMs = [500, 1100] as const;
const metaKey = 'lesson';

/** The learner's progress, stored in the database so that the tutorial does not start again. */
interface TutorialProgress {
  /** The index of the last step that was sent; -1 before the first. */
  readonly step: number;
  /** The newest message and reaction, and the unread messages, when the step was sent. */
  readonly message: number;
  readonly reaction: number;
  readonly unread: readonly number[];
  /** The messages that were read during the previous step. */
  readonly gone: readonly number[];
}

/**
 * Teaches one user step by step: sends what to try, waits until it is done, sends the next step. It checks a moment
 * after actions, only while the user is connected, and from the second check on: a client that connects for one command
 * is not a learner.
 */
export class Tutorial {
  readonly #runtime: BotRuntime;
  readonly #steps: readonly TutorialStep[];
  readonly #guideId: number;
  readonly #learnerId: number;
  #progress: TutorialProgress;
  #wasConnected = false;
  #isWaiting = false;
  #isTyping = false;

  constructor(runtime: BotRuntime, steps: readonly TutorialStep[], guideId: number, learnerId: number) {
    this.#runtime = runtime;
    this.#steps = steps;
    this.#guideId = guideId;
    this.#learnerId = learnerId;
    this.#progress = this.#savedProgress() ?? this.#progressAt(-1);
    runtime.server.actionListeners.add(() => this.#wait());
  }

  /** Returns whether a message is the reply that the current step asks for: then no bot answers it. */
  isAwaiting({row, sender, members}: SentMessage): boolean {
    const isToGuide = row.dm_id !== null && members.length === 2 && members.includes(this.#guideId);
    return this.#step?.until === 'reply' && isToGuide && sender.id === this.#learnerId;
  }

  get #step(): TutorialStep | undefined {
    return this.#steps[this.#progress.step];
  }

  get #isFinished(): boolean {
    return this.#progress.step >= this.#steps.length - 1;
  }

  #wait(): void {
    if (this.#isWaiting || this.#isTyping || this.#isFinished) return;
    this.#isWaiting = true;
    this.#runtime.after(checkDelayMs, () => this.#check());
  }

  #check(): void {
    this.#isWaiting = false;
    const wasConnected = this.#wasConnected;
    this.#wasConnected = this.#runtime.server.queues.isConnected(this.#learnerId);
    if (!this.#wasConnected || this.#isTyping) return;
    if (!wasConnected) this.#wait();
    else if (this.#isDone()) this.#sendNextStep();
  }

  #isDone(): boolean {
    const until = this.#step?.until;
    return until === undefined || this.#happened(until);
  }

  #happened(task: TutorialTask): boolean {
    const {db} = this.#runtime.server;
    const {message, reaction, unread, gone} = this.#progress;
    switch (task) {
      case 'reply':
        return (
          db.value(
            `SELECT 1 FROM message AS m WHERE m.id > ? AND m.sender_id = ? AND m.dm_id IN
               (SELECT dm_id FROM dm_member WHERE user_id = ?)`,
            message,
            this.#learnerId,
            this.#guideId,
          ) !== undefined
        );
      case 'message':
        return (
          db.value(
            'SELECT 1 FROM message WHERE id > ? AND sender_id = ? AND channel_id IS NOT NULL',
            message,
            this.#learnerId,
          ) !== undefined
        );
      case 'reaction':
        return db.value('SELECT 1 FROM reaction WHERE id > ? AND user_id = ?', reaction, this.#learnerId) !== undefined;
      case 'read':
        return this.#readSince(unread).length > 0;
      case 'unread': {
        const now = new Set(this.#unread());
        return gone.some((id) => now.has(id));
      }
    }
  }

  #readSince(before: readonly number[]): readonly number[] {
    const now = new Set(this.#unread());
    return before.filter((id) => !now.has(id));
  }

  /** Returns the ids of the learner's unread messages, without the guide's. */
  #unread(): number[] {
    return this.#runtime.server.db.pluck<number>(
      `SELECT u.id FROM ${unreadSql} AS u JOIN message AS m ON m.id = u.id AND m.sender_id <> ?2 ORDER BY u.id`,
      this.#learnerId,
      this.#guideId,
    );
  }

  #sendNextStep(): void {
    const guide = this.#runtime.availableAccount(this.#guideId);
    if (guide === undefined) return;
    const destination: SendDestination = {kind: 'direct', userIds: [this.#guideId, this.#learnerId]};
    this.#isTyping = true;
    this.#runtime.sendTyping(guide, 'start', destination);
    this.#runtime.after(this.#runtime.randomBetween(...typingMs), () => {
      this.#isTyping = false;
      this.#runtime.sendTyping(guide, 'stop', destination);
      const step = this.#progress.step + 1;
      if (this.#runtime.sendMessage(guide, destination, this.#fillName(this.#steps[step]?.say ?? ''))) {
        this.#progress = this.#progressAt(step);
        this.#save();
      }
      this.#wait();
    });
  }

  #fillName(text: string): string {
    const [first = ''] = (findUser(this.#runtime.server.db, this.#learnerId)?.full_name ?? '').split(' ');
    return text.replaceAll('{{name}}', first);
  }

  #progressAt(step: number): TutorialProgress {
    const {db} = this.#runtime.server;
    const unread = this.#unread();
    return {
      step,
      message: db.value<number>('SELECT MAX(id) FROM message') ?? 0,
      reaction: db.value<number>('SELECT MAX(id) FROM reaction') ?? 0,
      unread,
      gone: step > 0 ? this.#readSince(this.#progress.unread) : [],
    };
  }

  #savedProgress(): TutorialProgress | undefined {
    const text = this.#runtime.server.db.value<string>('SELECT value FROM meta WHERE key = ?', metaKey);
    // Only `#save` writes it, so its type is known.
    return text === undefined ? undefined : (JSON.parse(text) as TutorialProgress);
  }

  #save(): void {
    const text = JSON.stringify(this.#progress);
    this.#runtime.attempt(() =>
      this.#runtime.server.runAction(
        ({db}) => void db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', metaKey, text),
      ),
    );
  }
}
