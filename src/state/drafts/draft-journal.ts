import type {DraftTarget, DraftVersion, LocalDraft} from '#state/model/draft.ts';
import {normalizedDraftContent, truncatedTopic} from '#state/outbox/normalize-text.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ServerDraft} from '#state/slices/drafts.ts';
import type {AccountState} from '#state/state.ts';
import type {DraftInput} from '#wire/objects/personal.ts';

/**
 * The drafts on disk and, except those waiting for deletion, in the state.
 *
 * Several processes share them. Every change names the version it replaces, so that no process undoes another's change.
 */
export class DraftJournal {
  readonly #context: Pick<SessionContext, 'cache' | 'store'>;
  #rows = new Map<string, LocalDraft>();
  #published: readonly LocalDraft[] = [];

  constructor(context: Pick<SessionContext, 'cache' | 'store'>) {
    this.#context = context;
    this.reload();
  }

  get(id: string): LocalDraft | undefined {
    return this.#current().get(id);
  }

  all(): readonly LocalDraft[] {
    return [...this.#current().values()];
  }

  visible(): readonly LocalDraft[] {
    this.#current();
    return this.#published;
  }

  byServerId(serverId: number): LocalDraft | undefined {
    return this.all().find((draft) => draft.serverId === serverId);
  }

  reload(): void {
    this.#rows = new Map(this.#context.store.drafts.all().map((draft) => [draft.id, draft]));
    this.#publish();
  }

  add(draft: LocalDraft): void {
    this.#context.store.drafts.put(draft);
    this.#current().set(draft.id, draft);
    this.#publish();
  }

  /** Returns false, and reloads, when the stored draft differs from `before`. */
  replace(before: LocalDraft, after: LocalDraft | undefined): boolean {
    if (before === after) return true;
    if (!this.#context.store.drafts.replace(before, after)) {
      this.reload();
      return false;
    }
    const rows = this.#current();
    if (after === undefined) rows.delete(before.id);
    else rows.set(before.id, after);
    this.#publish();
    return true;
  }

  /**
   * Applies `change` until it succeeds, and returns the draft that was written. `change` may return its
   * argument when nothing is left to do.
   */
  update(id: string, change: (draft: LocalDraft | undefined) => LocalDraft | undefined): LocalDraft | undefined {
    for (;;) {
      const before = this.get(id);
      const after = change(before);
      if (before === undefined) {
        if (after !== undefined) this.add(after);
        return after;
      }
      if (this.replace(before, after)) return after;
    }
  }

  /**
   * Returns the rows, reloaded if the outbox changed the drafts: sending removes a draft, and a message may
   * become one again.
   */
  #current(): Map<string, LocalDraft> {
    if (this.#context.cache.state.localDrafts !== this.#published) this.reload();
    return this.#rows;
  }

  #publish(): void {
    const {cache} = this.#context;
    const visible = [...this.#rows.values()].filter(({status}) => status !== 'deleted');
    const known = cache.state.localDrafts;
    const isKnown = known.length === visible.length && visible.every((draft, index) => draft === known[index]);
    this.#published = isKnown ? known : visible;
    if (!isKnown) cache.apply({type: 'local_drafts_changed', localDrafts: visible});
  }
}

export type DraftContent = Pick<DraftVersion, 'target' | 'content'>;

/** Returns the version that is about to be sent. */
export function versionToSend({target, content, editedAt}: LocalDraft): DraftVersion {
  return {target, content, timestamp: Math.floor(editedAt / 1000)};
}

/**
 * Returns whether two drafts are equal to a server, which strips texts on both sides, truncates long ones and
 * drops the topic without a channel.
 */
export function isSameOnServer(a: DraftContent, b: DraftContent, state: AccountState): boolean {
  return (
    sameTarget(a.target, b.target, state) &&
    normalizedDraftContent(a.content, state) === normalizedDraftContent(b.content, state)
  );
}

/** Returns whether `a` continues the text of `b`, or equals it: then nothing is lost without `b`. */
export function continuesOnServer(a: DraftContent, b: DraftContent, state: AccountState): boolean {
  return (
    sameTarget(a.target, b.target, state) &&
    normalizedDraftContent(a.content, state).startsWith(normalizedDraftContent(b.content, state))
  );
}

/** Returns whether two drafts have exactly the same text and recipients. */
export function isSameDraftText(a: DraftContent, b: DraftContent): boolean {
  return a.content === b.content && JSON.stringify(targetParts(a.target)) === JSON.stringify(targetParts(b.target));
}

function sameTarget(a: DraftTarget, b: DraftTarget, state: AccountState): boolean {
  if (a.kind === 'none') return b.kind === 'none';
  if (a.kind === 'direct') return b.kind === 'direct' && a.userIds.join() === b.userIds.join();
  return (
    b.kind === 'topic' &&
    a.channelId === b.channelId &&
    truncatedTopic(a.topic, state) === truncatedTopic(b.topic, state)
  );
}

function targetParts(target: DraftTarget): readonly unknown[] {
  if (target.kind === 'topic') return [target.channelId, target.topic];
  return target.kind === 'direct' ? target.userIds : ['', target.topic];
}

export function wireDraft({target, content, timestamp}: DraftVersion, selfId: number): DraftInput {
  const common = {content, timestamp};
  switch (target.kind) {
    case 'topic':
      return {type: 'stream', to: [target.channelId], topic: target.topic, ...common};
    case 'direct': {
      const {userIds} = target;
      return {type: 'private', to: userIds.length === 0 ? [selfId] : [...userIds], topic: '', ...common};
    }
    case 'none':
      return {type: '', to: [], topic: '', ...common};
  }
}

/** Returns whether two drafts are equal to the server. */
export type SameTest = (a: DraftContent, b: DraftContent) => boolean;

/**
 * Returns what becomes of a local draft given the server's version: undefined if it is removed, the same object if
 * it is unchanged.
 *
 * Texts are never merged or dropped. Edited on both sides, the local draft loses its server copy and is uploaded as a
 * new one, so that two clients that go on typing do not overwrite each other.
 */
export function reconcileDraft(
  draft: LocalDraft,
  server: ServerDraft | undefined,
  same: SameTest,
): LocalDraft | undefined {
  if (server === undefined) return draft.status === 'dirty' ? withoutServerCopy(draft) : undefined;
  const theirs = versionOnServer(server);
  if (draft.status === 'clean') return same(theirs, draft) ? withBase(draft, theirs) : withServerText(draft, theirs);
  const isOurs = isKnownVersion(draft, theirs, same);
  if (draft.status === 'deleted') return isOurs || same(theirs, draft) ? draft : withServerText(draft, theirs);
  if (same(theirs, draft)) return {...withoutSent(draft), base: theirs, status: 'clean'};
  return isOurs ? withBase(draft, theirs) : withoutServerCopy(draft);
}

/** Returns whether the version is one that we agreed on or sent, rather than an edit from elsewhere. */
export function isKnownVersion({base, sent}: LocalDraft, theirs: DraftContent, same: SameTest): boolean {
  return (base !== undefined && same(theirs, base)) || (sent !== undefined && same(theirs, sent));
}

/** Returns a local draft for one created elsewhere. */
export function draftFromServer(server: ServerDraft, id: string): LocalDraft {
  return {
    id,
    serverId: server.id,
    target: server.target,
    content: server.content,
    editedAt: server.timestamp * 1000,
    base: versionOnServer(server),
    status: 'clean',
  };
}

export function versionOnServer({target, content, timestamp}: ServerDraft): DraftVersion {
  return {target, content, timestamp};
}

/** Returns what is left of a draft that was removed: until it is removed from the server, if it may be there, a mark for that. */
export function withoutText(draft: LocalDraft): LocalDraft | undefined {
  const mayBeOnServer = draft.serverId !== undefined || draft.sent !== undefined;
  return mayBeOnServer ? {...draft, status: 'deleted'} : undefined;
}

/** Removes the link to a server copy, which is gone or belongs to another client's text. */
export function withoutServerCopy(draft: LocalDraft): LocalDraft {
  const formerBase = draft.base ?? draft.formerBase;
  return {...withoutSent(draft), serverId: undefined, base: undefined, ...(formerBase && {formerBase})};
}

export function withoutSent({sent: _, ...draft}: LocalDraft): LocalDraft {
  return draft;
}

function withBase(draft: LocalDraft, theirs: DraftVersion): LocalDraft {
  const {base, sent} = draft;
  const isUnchanged = sent === undefined && base?.timestamp === theirs.timestamp && base.content === theirs.content;
  return isUnchanged ? draft : {...withoutSent(draft), base: theirs};
}

function withServerText(draft: LocalDraft, theirs: DraftVersion): LocalDraft {
  const {target, content, timestamp} = theirs;
  return {...withoutSent(draft), target, content, editedAt: timestamp * 1000, base: theirs, status: 'clean'};
}

/** Returns a draft that the server does not have. */
export function newDraft(id: string, {target, content}: DraftContent, editedAt: number): LocalDraft {
  return {id, serverId: undefined, target, content, editedAt, base: undefined, status: 'dirty'};
}
