import type {ActionContext} from '#server/context.ts';
import {type AttachmentRow, linkingMessageIds} from '#server/db/attachments.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';

/** Returns an uploaded file as the API shows it, with the ids of the messages that link to it. */
export function attachmentView({server}: Pick<ActionContext, 'server'>, row: AttachmentRow): WireAttachment {
  return {
    id: row.id,
    name: row.name,
    path_id: row.path_id,
    size: row.size,
    create_time: row.created_at,
    message_ids: linkingMessageIds(server.db, row.id),
  };
}
