import {byId, type Infer, nullableInt, nullableText, object, s, strings} from '#wire/schema.ts';

/** A custom emoji of an organization; ids are text. */
export const emoji = object(
  {id: s.string(), name: s.string(), source_url: s.string(), deactivated: s.boolean()},
  {still_url: nullableText, author_id: nullableInt},
);
export type WireEmoji = Infer<typeof emoji>;

/** The file at `server_emoji_data_url`: hex code → names, the canonical one first. */
export const emojiData = object({code_to_names: byId(strings)});

export const emojiTable = byId(emoji);
export type EmojiTable = Infer<typeof emojiTable>;
