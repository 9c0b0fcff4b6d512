import type {SessionContext} from '#state/session-context.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';

export type AttachmentList = ResultOf<Endpoints['getAttachments']>;

/** Fetches the user's uploaded files and their total size. */
export function fetchAttachments(context: SessionContext): Promise<AttachmentList> {
  return fetchOnce(context, ['attachments'], (signal) =>
    fetchWithRetries(context, signal, () => context.api.getAttachments({}, {signal})),
  );
}
