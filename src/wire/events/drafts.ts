import {draft} from '#wire/objects/draft.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {opped} from './event-fields.ts';

export const draftsAdd = object({...opped('drafts', 'add'), drafts: s.array(draft)});
export const draftsUpdate = object({...opped('drafts', 'update'), draft});
export const draftsRemove = object({...opped('drafts', 'remove'), draft_id: int});

export type DraftsEvent = Infer<typeof draftsAdd> | Infer<typeof draftsUpdate> | Infer<typeof draftsRemove>;
