import type {SendDestination} from '#server/actions/messages/send-message.ts';
import type {SentMessage} from '#server/context.ts';
import {Flag} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {BotRuntime} from './bot-runtime.ts';
import type {TutorialStep, TutorialTask} from './tutorial-script.ts';

const lookEveryMs = 1000;
const typingMs = [500, 1100] as const;
const metaKey = 'lesson';

/** Where the pupil is, kept so that nobody is taught twice. */
interface TutorialProgress {
  /** The step that was said last; -1 before the first. */
  readonly step: number;
  /** The newest message and reaction, and what was unread, when it was said. */
  readonly message: number;
  readonly reaction: number;
  readonly unread: readonly number[];
  /** What was read meanwhile. */
  readonly gone: readonly number[];
}

/**
 * Teaches one person by doing: says what to try, sees that it was done, says the next. It looks on only while its pupil is
 * connected, from their second look on: whoever only asks something and goes is not here to learn.
 */
export class Tutorial {
  readonly #stage: BotRuntime;
  readonly #steps: readonly TutorialStep[];
  readonly #guideId: number;
  readonly #pupilId: number;
  #progress: TutorialProgress;
  #wasThere = false;
  #isSpeaking = false;

  constructor(stage: BotRuntime, steps: readonly TutorialStep[], guideId: number, pupilId: number) {
    this.#stage = stage;
    this.#steps = steps;
    this.#guideId = guideId;
    this.#pupilId = pupilId;
    this.#progress = this.#saved() ?? this.#moment(-1);
    this.#wait();
  }

  /** Whether this was said to the guide because it asked for it: then nobody else answers. */
  isAwaiting({row, sender, members}: SentMessage): boolean {
    const isToGuide = row.dm_id !== null && members.length === 2 && members.includes(this.#guideId);
    return this.#step?.until === 'reply' && isToGuide && sender.id === this.#pupilId;
  }

  get #step(): TutorialStep | undefined {
    return this.#steps[this.#progress.step];
  }

  get #isOver(): boolean {
    return this.#progress.step >= this.#steps.length - 1;
  }

  #wait(): void {
    if (!this.#isOver) this.#stage.after(lookEveryMs, () => this.#look());
  }

  #look(): void {
    const isThere = this.#stage.world.queues.isConnected(this.#pupilId);
    const isStill = isThere && this.#wasThere;
    this.#wasThere = isThere;
    if (isStill && !this.#isSpeaking && this.#isDone()) this.#speak();
    else this.#wait();
  }

  #isDone(): boolean {
    const until = this.#step?.until;
    return until === undefined || this.#happened(until);
  }

  #happened(deed: TutorialTask): boolean {
    const {db} = this.#stage.world;
    const {message, reaction, unread, gone} = this.#progress;
    switch (deed) {
      case 'reply':
        return (
          db.value(
            `SELECT 1 FROM message AS m WHERE m.id > ? AND m.sender_id = ? AND m.dm_id IN
               (SELECT dm_id FROM dm_member WHERE user_id = ?)`,
            message,
            this.#pupilId,
            this.#guideId,
          ) !== undefined
        );
      case 'message':
        return (
          db.value(
            'SELECT 1 FROM message WHERE id > ? AND sender_id = ? AND channel_id IS NOT NULL',
            message,
            this.#pupilId,
          ) !== undefined
        );
      case 'reaction':
        return (
          db.value('SELECT 1 FROM reaction WHERE id > ? AND user_id = ?', reaction, this.#pupilId) !==
          undefined
        );
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

  /** Outside of the conversation with the guide. */
  #unread(): number[] {
    return this.#stage.world.db.pluck<number>(
      `SELECT um.message_id FROM user_message AS um JOIN message AS m ON m.id = um.message_id
       WHERE um.user_id = ? AND um.flags & ${Flag.unread} AND m.sender_id <> ?`,
      this.#pupilId,
      this.#guideId,
    );
  }

  #speak(): void {
    const guide = this.#stage.availableAccount(this.#guideId);
    if (guide === undefined) {
      this.#wait();
      return;
    }
    const destination: SendDestination = {kind: 'direct', userIds: [this.#guideId, this.#pupilId]};
    this.#isSpeaking = true;
    this.#stage.sendTyping(guide, 'start', destination);
    this.#stage.after(this.#stage.randomBetween(...typingMs), () => {
      this.#isSpeaking = false;
      this.#stage.sendTyping(guide, 'stop', destination);
      const step = this.#progress.step + 1;
      if (this.#stage.sendMessage(guide, destination, this.#filled(this.#steps[step]?.say ?? ''))) {
        this.#progress = this.#moment(step);
        this.#save();
      }
      this.#wait();
    });
  }

  #filled(text: string): string {
    const [first = ''] = (findUser(this.#stage.world.db, this.#pupilId)?.full_name ?? '').split(' ');
    return text.replaceAll('{{name}}', first);
  }

  #moment(step: number): TutorialProgress {
    const {db} = this.#stage.world;
    const unread = this.#unread();
    return {
      step,
      message: db.value<number>('SELECT MAX(id) FROM message') ?? 0,
      reaction: db.value<number>('SELECT MAX(id) FROM reaction') ?? 0,
      unread,
      gone: step > 0 ? this.#readSince(this.#progress.unread) : [],
    };
  }

  #saved(): TutorialProgress | undefined {
    const text = this.#stage.world.db.value<string>('SELECT value FROM meta WHERE key = ?', metaKey);
    // Nobody else writes it.
    return text === undefined ? undefined : (JSON.parse(text) as TutorialProgress);
  }

  #save(): void {
    const text = JSON.stringify(this.#progress);
    this.#stage.attempt(() =>
      this.#stage.world.runAction(
        ({db}) => void db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', metaKey, text),
      ),
    );
  }
}
