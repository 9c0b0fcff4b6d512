import type {ActionContext} from '#server/context.ts';
import {type AttachmentRow, linkingMessageIds} from '#server/db/attachments.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';

export function attachmentView({world}: Pick<ActionContext, 'world'>, row: AttachmentRow): WireAttachment {
  return {
    id: row.id,
    name: row.name,
    path_id: row.path_id,
    size: row.size,
    create_time: row.created_at,
    message_ids: linkingMessageIds(world.db, row.id),
  };
}
