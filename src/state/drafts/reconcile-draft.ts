import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
import type {ServerDraft} from '#state/model/personal.ts';
import type {DraftContent} from './draft-versions.ts';

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
