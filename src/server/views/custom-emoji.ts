import {basename} from 'node:path';
import type {ServerContext} from '#server/context.ts';
import {type CustomEmojiRow, customEmojiRows} from '#server/db/custom-emoji.ts';
import type {EmojiTable, WireEmoji} from '#wire/objects/emoji.ts';

/** The folder of custom emoji images in the file store. */
export const emojiFolder = '1/emoji/images';
/** The folder, in addresses only, of the first frames of animated images. */
export const stillFolder = `${emojiFolder}/still`;
/** The end of the names of animated GIFs. Of other animated images there is no still one: that would need a decoder. */
export const animatedGif = '-animated.gif';

export function customEmojiView(row: CustomEmojiRow): WireEmoji {
  return {
    id: String(row.id),
    name: row.name,
    source_url: `/user_avatars/${row.file}`,
    still_url: row.file.endsWith(animatedGif) ? `/user_avatars/${stillFolder}/${basename(row.file)}` : null,
    deactivated: row.deactivated === 1,
    author_id: row.author_id,
  };
}

export function customEmojiTable(server: Pick<ServerContext, 'derivedFacts'>): EmojiTable {
  return Object.fromEntries(server.derivedFacts.get(customEmojiRows).map((row) => [row.id, customEmojiView(row)]));
}
