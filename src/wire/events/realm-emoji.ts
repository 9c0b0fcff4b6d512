import {emoji, emojiTable} from '#wire/objects/emoji.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const realmEmojiAdd = object({...eventFieldsWithOp('realm_emoji', 'add'), emoji});
export const realmEmojiUpdateOne = object({
  ...eventFieldsWithOp('realm_emoji', 'update_one'),
  emoji_id: s.string(),
  data: object({}, {deactivated: s.boolean(), name: s.string()}),
});
/** Contains the whole table. */
export const realmEmojiUpdate = object({
  ...eventFieldsWithOp('realm_emoji', 'update'),
  realm_emoji: emojiTable,
});

export type RealmEmojiEvent =
  | Infer<typeof realmEmojiAdd>
  | Infer<typeof realmEmojiUpdateOne>
  | Infer<typeof realmEmojiUpdate>;
