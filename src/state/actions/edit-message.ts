import {isApiFailure, isRefusal} from '#api/failure.ts';
import {attachmentFromWire} from '#state/model/organization.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {Attachment} from '#state/state.ts';

export interface MessageEdit {
  /** The source that was on screen when the user began. */
  readonly before: string;
  readonly after: string;
}

export type EditOutcome = EditSuccess | EditConflict;

export interface EditSuccess {
  readonly kind: 'edited';
  /** Files that no message links to any more: they may be deleted. */
  readonly detached: readonly Attachment[];
}

/** Somebody else changed it meanwhile. Nothing was overwritten; the caller still has the user's text. */
export interface EditConflict {
  readonly kind: 'conflict';
  /** What it says now; undefined when that could not be found out. */
  readonly theirs: string | undefined;
  /** A sentence for the user. */
  readonly problem: string;
}

const conflictSentence =
  'Somebody else changed this message while you were editing it. Nothing was overwritten, and your text is kept.';

/** Rejects with what else can go wrong; then the message is as it was, unless the failure says `maybe`. */
export async function editMessage(
  context: SessionContext,
  messageId: number,
  edit: MessageEdit,
): Promise<EditOutcome> {
  const {before, after} = edit;
  if (before === after) return {kind: 'edited', detached: []};
  const {api, signal} = context;
  try {
    const args = {message_id: messageId, content: after, prev_content_sha256: await sha256(before)};
    const {detached_uploads: detached = []} = await api.editMessage(args, {signal});
    return {kind: 'edited', detached: detached.map(attachmentFromWire)};
  } catch (error) {
    const isConflict = isRefusal(error, 'EXPECTATION_MISMATCH');
    const isOpen = isApiFailure(error) && error.carriedOut === 'maybe';
    if (!isConflict && !isOpen) throw error;
    const theirs = await contentOf(context, messageId);
    if (theirs !== undefined && isSameText(theirs, after)) return {kind: 'edited', detached: []};
    if (!isConflict) throw error;
    return {kind: 'conflict', theirs, problem: conflictSentence};
  }
}

/** As the server has it, since the event may not have come yet. */
async function contentOf({api, signal}: SessionContext, messageId: number): Promise<string | undefined> {
  try {
    const args = {message_id: messageId, apply_markdown: false};
    return (await api.getMessage(args, {signal})).message.content;
  } catch (error) {
    if (isApiFailure(error)) return undefined;
    throw error;
  }
}

/** Servers trim what they keep, and write `(deleted)` for nothing. */
function isSameText(kept: string, sent: string): boolean {
  return kept.trim() === sent.trim() || (sent.trim() === '' && kept === '(deleted)');
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
