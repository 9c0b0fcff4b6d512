import type {SessionContext} from '#state/session-context.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';

export type AttachmentList = ResultOf<Endpoints['getAttachments']>;

/** One's own files and how much room they take. */
export function fetchAttachments(context: SessionContext): Promise<AttachmentList> {
  return fetchOnce(context, ['attachments'], (signal) =>
    fetchWithRetries(context, signal, () => context.api.getAttachments({}, {signal})),
  );
}
