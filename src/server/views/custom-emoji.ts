import type {ServerContext} from '#server/context.ts';
import {type CustomEmojiRow, customEmojiRows} from '#server/db/custom-emoji.ts';
import type {EmojiTable, WireEmoji} from '#wire/objects/emoji.ts';

/** The folder of custom emoji images in the file store. */
export const emojiFolder = '1/emoji/images';

export function customEmojiView(row: CustomEmojiRow): WireEmoji {
  return {
    id: String(row.id),
    name: row.name,
    source_url: `/user_avatars/${row.file}`,
    still_url: null,
    deactivated: row.deactivated === 1,
    author_id: row.author_id,
  };
}

export function customEmojiTable(server: Pick<ServerContext, 'derivedFacts'>): EmojiTable {
  return Object.fromEntries(server.derivedFacts.get(customEmojiRows).map((row) => [row.id, customEmojiView(row)]));
}
