import type {Act} from '#server/context.ts';
import {type AttachmentRow, messagesLinking} from '#server/db/attachments.ts';
import type {Attachment} from '#wire/objects/attachment.ts';

export function attachmentView({world}: Pick<Act, 'world'>, row: AttachmentRow): Attachment {
  return {
    id: row.id,
    name: row.name,
    path_id: row.path_id,
    size: row.size,
    create_time: row.created_at,
    message_ids: messagesLinking(world.db, row.id),
  };
}
