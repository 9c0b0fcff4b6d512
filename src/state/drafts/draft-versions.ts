import type {DraftTarget, DraftVersion, LocalDraft} from '#state/model/draft.ts';
import {normalizedDraftContent, truncatedTopic} from '#state/outbox/normalize-text.ts';
import type {ServerDraft} from '#state/slices/drafts.ts';
import type {AccountState} from '#state/state.ts';
import type {DraftInput} from '#wire/objects/personal.ts';

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

/** Returns whether the draft was sent as new and no response arrived. */
export function isUnconfirmed({serverId, sent}: LocalDraft): boolean {
  return serverId === undefined && sent !== undefined;
}

export function isDeleted({status}: LocalDraft): boolean {
  return status === 'deleted';
}

export function tombstone(id: string, serverId: number, {target, content, timestamp}: DraftVersion): LocalDraft {
  const base = {target, content, timestamp};
  return {id, serverId, target, content, editedAt: timestamp * 1000, base, status: 'deleted'};
}
