import {draft} from '#wire/objects/draft.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const draftsAdd = object({...eventFieldsWithOp('drafts', 'add'), drafts: s.array(draft)});
export const draftsUpdate = object({...eventFieldsWithOp('drafts', 'update'), draft});
export const draftsRemove = object({...eventFieldsWithOp('drafts', 'remove'), draft_id: int});

export type DraftsEvent = Infer<typeof draftsAdd> | Infer<typeof draftsUpdate> | Infer<typeof draftsRemove>;
