import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
import type {ServerDraft} from '#state/model/personal.ts';
import type {DraftContent} from './draft-versions.ts';

export interface ReconciledDraft {
  /** Undefined: removed. The same object: unchanged. */
  readonly draft: LocalDraft | undefined;
  /** A second draft, when both versions must be kept. */
  readonly other?: LocalDraft;
}

type SameTest = (a: DraftContent, b: DraftContent) => boolean;

/**
 * Returns what becomes of a local draft given the server's version. Texts are never merged or dropped: edited
 * on both sides, both are kept; the newer one keeps the server's id, and the local one keeps the id that a
 * composer may have open.
 */
export function reconcileDraft(draft: LocalDraft, server: ServerDraft | undefined, same: SameTest): ReconciledDraft {
  if (server === undefined) return {draft: deletedElsewhere(draft)};
  const theirs = versionOnServer(server);
  if (draft.status === 'clean') {
    return {draft: same(theirs, draft) ? withBase(draft, theirs) : withServerText(draft, theirs)};
  }
  const isOurs = isKnownVersion(draft, theirs, same);
  if (draft.status === 'deleted') {
    return {draft: isOurs || same(theirs, draft) ? draft : withServerText(draft, theirs)};
  }
  if (same(theirs, draft)) return {draft: {...withoutSent(draft), base: theirs, status: 'clean'}};
  return isOurs ? {draft: withBase(draft, theirs)} : keepBoth(draft, server, theirs);
}

/** Returns whether the version is one that we agreed on or sent, rather than an edit from elsewhere. */
export function isKnownVersion({base, sent}: LocalDraft, theirs: DraftContent, same: SameTest): boolean {
  return (base !== undefined && same(theirs, base)) || (sent !== undefined && same(theirs, sent));
}

/**
 * Returns a local draft for one created elsewhere. Its id derives from the server's, so that no process adds it twice.
 */
export function draftFromServer(server: ServerDraft): LocalDraft {
  return {
    id: `s${server.id}`,
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

/** Removes the link to a server copy, which is gone or never existed. */
export function withoutServerCopy(draft: LocalDraft): LocalDraft {
  return {...withoutSent(draft), serverId: undefined, base: undefined};
}

export function withoutSent({sent: _, ...draft}: LocalDraft): LocalDraft {
  return draft;
}

function deletedElsewhere(draft: LocalDraft): LocalDraft | undefined {
  return draft.status === 'dirty' ? withoutServerCopy(draft) : undefined;
}

function withBase(draft: LocalDraft, theirs: DraftVersion): LocalDraft {
  return draft.base?.timestamp === theirs.timestamp && draft.base.content === theirs.content
    ? draft
    : {...draft, base: theirs};
}

function withServerText(draft: LocalDraft, theirs: DraftVersion): LocalDraft {
  const {target, content, timestamp} = theirs;
  return {...withoutSent(draft), target, content, editedAt: timestamp * 1000, base: theirs, status: 'clean'};
}

function keepBoth(draft: LocalDraft, server: ServerDraft, theirs: DraftVersion): ReconciledDraft {
  const other = draftFromServer(server);
  if (draft.editedAt >= server.timestamp * 1000) {
    const id = `c${server.id}.${server.timestamp}.${hash(server.content)}`;
    return {
      draft: {...withoutSent(draft), base: theirs},
      other: {...withoutServerCopy(other), id, status: 'dirty'},
    };
  }
  const id = other.id === draft.id ? `${other.id}.${server.timestamp}` : other.id;
  return {draft: withoutServerCopy(draft), other: {...other, id}};
}

/** Returns a short hash that distinguishes two texts of the same second. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
