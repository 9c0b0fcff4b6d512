import {guardBackgroundTask} from '#state/guard-background-task.ts';
import {type Conversation, sameConversation} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import {newId} from '#state/new-id.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ServerEvent} from '#wire/events.ts';
import {DraftJournal} from './draft-journal.ts';
import {DraftSync} from './draft-sync.ts';
import {isSameDraftText} from './draft-versions.ts';

export interface DraftText {
  readonly target: DraftTarget;
  readonly content: string;
}

/** After the last key, so that others see it within a second; and at the latest after so long without a pause. */
const quietMs = 500;
const longestMs = 15_000;

/**
 * What is being written. Every change is on disk before the screen shows it, and on the server a moment later, if the user
 * wants drafts there. Programs on one account share it. Stops with the context's signal.
 */
export class Drafts {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #sync: DraftSync;
  /** When the oldest change that is not sent yet was made. */
  #waitingSince: number | undefined;
  #wasOnline = false;

  /** `isSynced` can only forbid what the account allows. */
  constructor(context: SessionContext, isSynced = true) {
    const {cache, store, signal} = context;
    this.#context = context;
    this.#journal = new DraftJournal(context);
    this.#sync = new DraftSync(context, this.#journal, isSynced);
    const quit = [
      cache.subscribe(
        ['connection'],
        guardBackgroundTask(context, () => this.#connectionChanged()),
      ),
      cache.subscribe(
        ['outbox'],
        guardBackgroundTask(context, () => this.#outboxChanged()),
      ),
      store.onExternalChange(guardBackgroundTask(context, () => this.#journal.reload())),
    ];
    const quitAll = () => {
      for (const leave of quit) leave();
    };
    signal.addEventListener('abort', quitAll, {once: true});
  }

  /** In the order in which they were begun. */
  all(): readonly LocalDraft[] {
    return this.#journal.visible();
  }

  get(id: string): LocalDraft | undefined {
    const draft = this.#journal.get(id);
    return draft?.status === 'deleted' ? undefined : draft;
  }

  /** Latest first. */
  forConversation(conversation: Conversation): readonly LocalDraft[] {
    const isFor = ({target}: LocalDraft) => target.kind !== 'none' && sameConversation(target, conversation);
    return this.all()
      .filter(isFor)
      .sort((a, b) => b.editedAt - a.editedAt);
  }

  /**
   * On disk when it returns; throws when the disk does not take it. Without an id a new draft is begun; without words the
   * draft goes, and undefined is given. The draft given back may be another one than was asked for, when another program is
   * writing in that: go on with its id.
   */
  edit(id: string | undefined, text: DraftText): LocalDraft | undefined {
    if (isBlank(text.content)) {
      if (id !== undefined) this.remove(id);
      return undefined;
    }
    const draft = id === undefined ? this.#begin(text) : this.#change(id, text);
    this.#soon();
    return draft;
  }

  /** Gives back what was removed, for `restore`. */
  remove(id: string): LocalDraft | undefined {
    let removed: LocalDraft | undefined;
    this.#journal.update(id, (draft) => {
      removed = draft?.status === 'deleted' ? undefined : draft;
      if (draft === undefined || draft.status === 'deleted') return draft;
      const isElsewhere = draft.serverId !== undefined || draft.sent !== undefined;
      return isElsewhere ? {...draft, status: 'deleted'} : undefined;
    });
    if (removed !== undefined) this.#soon();
    return removed;
  }

  /** Takes back a removal: the same words in the same draft, on the server perhaps under a new id. */
  restore(removed: LocalDraft): LocalDraft {
    const {id, target, content, editedAt} = removed;
    const fresh: LocalDraft = {
      id,
      target,
      content,
      editedAt,
      serverId: undefined,
      base: undefined,
      status: 'dirty',
    };
    const draft = this.#journal.update(id, (current) =>
      current === undefined ? fresh : {...current, target, content, editedAt, status: 'dirty'},
    );
    this.#soon();
    return draft ?? fresh;
  }

  /** Sends what waits, now. Resolves when all is done that can be done now. */
  flush(): Promise<void> {
    this.#waitingSince = undefined;
    return this.#sync.syncNow();
  }

  /** Resolves when nothing is under way to the server. */
  idle(): Promise<void> {
    return this.#sync.idle();
  }

  /** Every batch of events. */
  onEvents(events: readonly ServerEvent[]): void {
    for (const event of events) {
      if (event.type === 'drafts') this.#sync.onDraftsEvent(event);
      else if (event.type === 'user_settings' && event.property === 'enable_drafts_synchronization') {
        this.#sync.onSettingChanged();
      }
    }
  }

  /** After the state of a new registration is in. */
  onRegistered(): void {
    this.#sync.onRegistered();
  }

  /** The server can be reached. */
  online(): void {
    if (this.#wasOnline) return;
    this.#wasOnline = true;
    this.#sync.onReachable();
  }

  /** Before the end: what was written last goes to the server, if that is quickly done. */
  beforeStop(): Promise<void> {
    return this.flush();
  }

  #begin({target, content}: DraftText): LocalDraft {
    const {clock, random} = this.#context;
    const draft: LocalDraft = {
      id: newId(clock, random),
      serverId: undefined,
      target,
      content,
      editedAt: clock.now(),
      base: undefined,
      status: 'dirty',
    };
    this.#journal.add(draft);
    return draft;
  }

  #change(id: string, text: DraftText): LocalDraft {
    const {clock} = this.#context;
    const {target, content} = text;
    const known = this.#journal.get(id);
    for (;;) {
      const draft = this.#journal.get(id);
      if (draft === undefined) return this.#revive(id, text);
      if (isSameDraftText(draft, text) && draft.status !== 'deleted') return draft;
      // Somebody else's words stand there now: ours get a draft of their own.
      if (known !== undefined && !isSameDraftText(draft, known)) return this.#begin(text);
      const after: LocalDraft = {...draft, target, content, editedAt: clock.now(), status: 'dirty'};
      if (this.#journal.replace(draft, after)) return after;
    }
  }

  /** It was removed, sent or deleted elsewhere while somebody went on writing in it. */
  #revive(id: string, text: DraftText): LocalDraft {
    const draft = {...this.#emptyDraft(), id, ...text};
    this.#journal.add(draft);
    return draft;
  }

  #emptyDraft(): Omit<LocalDraft, 'id' | 'target' | 'content'> {
    return {serverId: undefined, editedAt: this.#context.clock.now(), base: undefined, status: 'dirty'};
  }

  #soon(): void {
    const now = this.#context.clock.now();
    this.#waitingSince ??= now;
    const latest = this.#waitingSince + longestMs;
    this.#sync.syncIn(Math.max(0, Math.min(quietMs, latest - now)));
    if (latest <= now) this.#waitingSince = now;
  }

  #connectionChanged(): void {
    if (this.#context.cache.state.connection.phase === 'online') this.online();
    else this.#wasOnline = false;
  }

  /** A message sent, or turned back into a draft: the journal knows both. */
  #outboxChanged(): void {
    this.#journal.reload();
    if (this.#journal.all().some(({status}) => status !== 'clean')) this.#sync.syncIn(0);
  }
}
