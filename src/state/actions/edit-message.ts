import {isApiFailure, isRefusal, notCarriedOut} from '#api/failure.ts';
import {isUncertain} from '#state/lost-responses.ts';
import {attachmentFromWire} from '#state/model/organization.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {Attachment} from '#state/state.ts';

export interface MessageEdit {
  /** The source that was shown when the user began editing. */
  readonly before: string;
  readonly after: string;
}

export type EditOutcome = EditSuccess | EditConflict;

export interface EditSuccess {
  readonly kind: 'edited';
  /** Files that no message links to any more: they can be deleted. */
  readonly detached: readonly Attachment[];
}

/** Another user changed the message meanwhile. Nothing was overwritten; the caller still has the text. */
export interface EditConflict {
  readonly kind: 'conflict';
  /** The current content; undefined when it could not be fetched. */
  readonly theirs: string | undefined;
  /** A sentence for the user. */
  readonly problem: string;
}

const conflictProblem =
  'Someone else edited this message while you were editing it. Nothing was overwritten, and your text is kept.';

/**
 * Edits a message. Rejects with other failures; the message is then unchanged, unless `carriedOut` is
 * `maybe`.
 */
export async function editMessage(context: SessionContext, messageId: number, edit: MessageEdit): Promise<EditOutcome> {
  const {before, after} = edit;
  if (before === after) return {kind: 'edited', detached: []};
  const {api} = context;
  try {
    const args = {message_id: messageId, content: after, prev_content_sha256: await sha256(before)};
    const {detached_uploads: detached = []} = await api.editMessage(args);
    return {kind: 'edited', detached: detached.map(attachmentFromWire)};
  } catch (error) {
    const isConflict = isRefusal(error, 'EXPECTATION_MISMATCH');
    if (!isConflict && !isUncertain(error)) throw error;
    const theirs = await fetchContent(context, messageId);
    if (theirs !== undefined && isSameText(theirs, after)) return {kind: 'edited', detached: []};
    if (!isConflict) throw theirs === undefined ? error : notCarriedOut(error);
    return {kind: 'conflict', theirs, problem: conflictProblem};
  }
}

/** Fetches the content from the server, since the event may not have arrived yet. */
async function fetchContent({api}: SessionContext, messageId: number): Promise<string | undefined> {
  try {
    const args = {message_id: messageId, apply_markdown: false};
    return (await api.getMessage(args)).message.content;
  } catch (error) {
    if (isApiFailure(error)) return undefined;
    throw error;
  }
}

/** Compares with the stored text: servers trim it, and store `(deleted)` for empty text. */
function isSameText(stored: string, sent: string): boolean {
  return stored.trim() === sent.trim() || (sent.trim() === '' && stored === '(deleted)');
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
