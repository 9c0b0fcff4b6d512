import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
import type {ServerDraft} from '#state/model/personal.ts';
import type {DraftContent} from './draft-versions.ts';

export interface ReconciledDraft {
  /** Undefined: gone. The same object: nothing to do. */
  readonly draft: LocalDraft | undefined;
  /** The other one, when both have to be kept. */
  readonly other?: LocalDraft;
}

type SameTest = (a: DraftContent, b: DraftContent) => boolean;

/**
 * What a draft of ours becomes, given what the server has under its id. Texts are never merged and never dropped: edited on
 * both sides, both are kept; the newer one keeps the server's id, and ours keeps the id that a composer may have open.
 */
export function reconcileDraft(
  draft: LocalDraft,
  server: ServerDraft | undefined,
  same: SameTest,
): ReconciledDraft {
  if (server === undefined) return {draft: deletedElsewhere(draft)};
  const theirs = versionOnServer(server);
  if (draft.status === 'clean') {
    return {draft: same(theirs, draft) ? based(draft, theirs) : takenOver(draft, theirs)};
  }
  const isOurs = isKnownVersion(draft, theirs, same);
  if (draft.status === 'deleted') {
    return {draft: isOurs || same(theirs, draft) ? draft : takenOver(draft, theirs)};
  }
  if (same(theirs, draft)) return {draft: {...withoutSent(draft), base: theirs, status: 'clean'}};
  return isOurs ? {draft: based(draft, theirs)} : bothKept(draft, server, theirs);
}

/** Is this a version that we know of, rather than an edit from elsewhere? */
export function isKnownVersion({base, sent}: LocalDraft, theirs: DraftContent, same: SameTest): boolean {
  return (base !== undefined && same(theirs, base)) || (sent !== undefined && same(theirs, sent));
}

/** A draft that was born elsewhere. Its id follows from the server's, so that no program takes it in twice. */
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

/** No longer on the server, or never there. */
export function withoutServerCopy(draft: LocalDraft): LocalDraft {
  return {...withoutSent(draft), serverId: undefined, base: undefined};
}

export function withoutSent({sent: _, ...draft}: LocalDraft): LocalDraft {
  return draft;
}

function deletedElsewhere(draft: LocalDraft): LocalDraft | undefined {
  return draft.status === 'dirty' ? withoutServerCopy(draft) : undefined;
}

function based(draft: LocalDraft, theirs: DraftVersion): LocalDraft {
  return draft.base?.timestamp === theirs.timestamp && draft.base.content === theirs.content
    ? draft
    : {...draft, base: theirs};
}

function takenOver(draft: LocalDraft, theirs: DraftVersion): LocalDraft {
  const {target, content, timestamp} = theirs;
  return {...withoutSent(draft), target, content, editedAt: timestamp * 1000, base: theirs, status: 'clean'};
}

function bothKept(draft: LocalDraft, server: ServerDraft, theirs: DraftVersion): ReconciledDraft {
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

/** Enough to tell two texts of the same second apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
