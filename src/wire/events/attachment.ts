import {attachment} from '#wire/objects/attachment.ts';
import {type Infer, int, object} from '#wire/schema.ts';
import {opped} from './event-fields.ts';

const space = {upload_space_used: int};

export const attachmentAdd = object({...opped('attachment', 'add'), attachment}, space);
export const attachmentUpdate = object({...opped('attachment', 'update'), attachment}, space);
export const attachmentRemove = object(
  {...opped('attachment', 'remove'), attachment: object({id: int})},
  space,
);

export type AttachmentEvent =
  | Infer<typeof attachmentAdd>
  | Infer<typeof attachmentUpdate>
  | Infer<typeof attachmentRemove>;
