import {attachment} from '#wire/objects/attachment.ts';
import {type Infer, int, object} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

const space = {upload_space_used: int};

export const attachmentAdd = object({...eventFieldsWithOp('attachment', 'add'), attachment}, space);
export const attachmentUpdate = object({...eventFieldsWithOp('attachment', 'update'), attachment}, space);
export const attachmentRemove = object(
  {...eventFieldsWithOp('attachment', 'remove'), attachment: object({id: int})},
  space,
);

export type AttachmentEvent =
  | Infer<typeof attachmentAdd>
  | Infer<typeof attachmentUpdate>
  | Infer<typeof attachmentRemove>;
