/** Inline passes for math, times, entities, emoji and emoticons. */

import {builtInEmoji, type EmojiNameTable, emojiCodeOfCharacters, emoticonName} from './emoji.ts';
import {entityPattern, entityText} from './html-entities.ts';
import {type InlinePass, replaceMatches} from './inline-parser.ts';
import {isoInstant} from './iso-instant.ts';
import type {ParseContext} from './parse-context.ts';
import type {EmojiToken} from './tokens.ts';

// `$$` must not touch a word character on its outer side.
const math = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;
const time = /<time:([^<>]{1,64})>/g;
const literalStars = /(?<!\S)(?:\*{1,3}|_{1,3})(?!\S)/g;
const emoji = /:([\p{L}\p{N}\p{M}_+-]+):/gu;
const emoticon = /(?<![^,.;?!()[\] "'\n\t])(?::\)|\(:|:\(|<3|:\||:\/|;\)|:D|:o|:O|:p|:P)(?![^,.;?!()[\] "'\n\t])/g;
const unicodeEmoji =
  /\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\ufe0f\u20e3?|\u20e3|[\u{e0020}-\u{e007e}]+\u{e007f})?(?:\u200d(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]+\u{e007f})?))*/gu;
/** Characters such as arrows and digits that are text unless a variation selector follows. */
const textPresentation = /^\P{Emoji_Presentation}\u20e3?$/u;

export const mathPass: InlinePass = (inline, data) => {
  if (!data.includes('$$')) return data;
  return replaceMatches(data, math, ([raw, tex = '']) =>
    inline.stashSymbol(raw, {type: 'math', tex: inline.restore(tex)}),
  );
};

export const timePass: InlinePass = (inline, data) => {
  if (!data.includes('<time:')) return data;
  return replaceMatches(data, time, ([raw, typed = '']) => {
    const text = inline.restore(typed);
    const datetime = text === text.trim() ? isoInstant(text) : undefined;
    // What is not a time stays as it was typed, without formatting.
    return datetime === undefined
      ? inline.stashText(inline.restore(raw))
      : inline.stash(raw, {type: 'time', datetime, text});
  });
};

export const entityPass: InlinePass = (inline, data) => {
  if (!data.includes('&')) return data;
  return replaceMatches(data, entityPattern, ([raw]) =>
    inline.stashSymbol(raw, {type: 'entity', raw, text: entityText(raw)}),
  );
};

/** Keeps stars with white space around them as text. */
export const literalStarsPass: InlinePass = (inline, data) => {
  if (!data.includes('*') && !data.includes('_')) return data;
  return replaceMatches(data, literalStars, ([raw]) => inline.stashText(raw));
};

export const emojiPass: InlinePass = (inline, data) => {
  if (!data.includes(':')) return data;
  return replaceMatches(data, emoji, ([raw, name = '']) => {
    const token = emojiToken(name, inline.context);
    // An unknown name keeps both colons, so `:nothing:smile:` contains no smile.
    return token === undefined ? inline.stashText(raw) : inline.stash(raw, token);
  });
};

/** Returns the names of the emoji that the emoticons in a text stand for. */
export function emoticonNames(text: string): string[] {
  return Array.from(text.matchAll(emoticon), ([found]) => emoticonName(found) ?? '');
}

function unicodeEmojiOf({unicodeEmoji}: ParseContext): EmojiNameTable {
  return unicodeEmoji?.() ?? builtInEmoji();
}

function emojiToken(name: string, context: ParseContext): EmojiToken | undefined {
  const custom = context.customEmoji?.(name);
  if (custom !== undefined) return {type: 'emoji', kind: 'custom', name, id: custom.id, sourceUrl: custom.sourceUrl};
  if (name === 'zulip') return {type: 'emoji', kind: 'extra', name};
  const code = unicodeEmojiOf(context).code(name);
  return code === undefined ? undefined : {type: 'emoji', kind: 'unicode', name, code};
}

export const emoticonPass: InlinePass = (inline, data) => {
  if (inline.context.translateEmoticons !== true) return data;
  return replaceMatches(data, emoticon, ([raw]) => {
    const name = emoticonName(raw);
    const code = name === undefined ? undefined : unicodeEmojiOf(inline.context).code(name);
    if (name === undefined || code === undefined) return undefined;
    return inline.stash(raw, {type: 'emoji', kind: 'unicode', name, code});
  });
};

export const unicodeEmojiPass: InlinePass = (inline, data) => {
  if (!/[\u0080-\uffff]/.test(data)) return data;
  return replaceMatches(data, unicodeEmoji, ([raw]) => {
    if (textPresentation.test(raw)) return undefined;
    const code = emojiCodeOfCharacters(raw);
    const name = unicodeEmojiOf(inline.context).name(code);
    return name === undefined ? undefined : inline.stash(raw, {type: 'emoji', kind: 'unicode', name, code});
  });
};
