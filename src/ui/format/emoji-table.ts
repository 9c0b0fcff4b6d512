import {builtInEmoji, EmojiNameTable} from '#content/emoji.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';

/** Returns the Unicode emoji with the names that the account's server accepts. */
export const emojiTable = memoBySlices(
  ['unicodeEmoji'],
  ({unicodeEmoji}: AccountState): EmojiNameTable =>
    unicodeEmoji === undefined ? builtInEmoji() : new EmojiNameTable(unicodeEmoji.names),
);
