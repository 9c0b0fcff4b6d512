import type {Context} from '#state/session-context.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {once, patiently} from './fetch-once.ts';

export type AttachmentList = ResultOf<Endpoints['getAttachments']>;

/** One's own files and how much room they take. */
export function fetchAttachments(context: Context): Promise<AttachmentList> {
  return once(context, ['attachments'], (signal) =>
    patiently(context, signal, () => context.api.getAttachments({}, {signal})),
  );
}
