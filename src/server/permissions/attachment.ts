import type {ReadContext} from '#server/context.ts';
import {type AttachmentRow, linkingMessageIds} from '#server/db/attachments.ts';
import {findMessage} from '#server/db/messages.ts';
import type {UserRow} from '#server/db/rows.ts';
import {canReadMessage} from './message.ts';

/** Returns whether the user owns the file or may read a message that links to it. */
export function canReadAttachment(act: ReadContext, user: UserRow, file: AttachmentRow): boolean {
  if (file.owner_id === user.id) return true;
  return linkingMessageIds(act.server.db, file.id).some((id) => {
    const message = findMessage(act.server.db, id);
    return message !== undefined && canReadMessage(act, user, message);
  });
}
