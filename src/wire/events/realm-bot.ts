import {bot} from '#wire/objects/bot.ts';
import {type Infer, int, object} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

const gone = {bot: object({user_id: int})};

export const realmBotAdd = object({...eventFieldsWithOp('realm_bot', 'add'), bot});
export const realmBotUpdate = object({...eventFieldsWithOp('realm_bot', 'update'), bot});
export const realmBotDelete = object({...eventFieldsWithOp('realm_bot', 'delete'), ...gone});
/** Legacy. */
export const realmBotRemove = object({...eventFieldsWithOp('realm_bot', 'remove'), ...gone});

export type RealmBotEvent =
  | Infer<typeof realmBotAdd>
  | Infer<typeof realmBotUpdate>
  | Infer<typeof realmBotDelete>
  | Infer<typeof realmBotRemove>;
