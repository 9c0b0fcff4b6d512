import {attachmentFromWire} from '#state/model/organization.ts';
import type {SessionContext} from '#state/session-context.ts';
import {refetchIfChanged} from './fetch-channel-details.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';

export interface UploadSpace {
  /** The bytes that all files of the organization use; undefined if the server does not say. */
  readonly used: number | undefined;
}

/** Fetches the user's uploaded files, which events keep current afterwards, and the space that files use. */
export function fetchAttachments(context: SessionContext): Promise<UploadSpace> {
  const {api, cache} = context;
  return fetchOnce(context, ['attachments'], async (signal) => {
    const {response} = await refetchIfChanged(
      context,
      ({attachments}) => attachments,
      () => fetchWithRetries(context, signal, () => api.getAttachments({}, {signal})),
    );
    signal.throwIfAborted();
    cache.apply({type: 'attachments_fetched', attachments: response.attachments.map(attachmentFromWire)});
    return {used: response.upload_space_used};
  });
}
