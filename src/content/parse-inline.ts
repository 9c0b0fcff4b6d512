import {autolinkPass, linkifierPass, linkPass, mediaPass} from './inline-links.ts';
import {channelLinkPass, groupMentionPass, userMentionPass} from './inline-mentions.ts';
import {InlineParser, type InlinePass} from './inline-parser.ts';
import {codePass, emphasisPass, strikePass, strongEmphasisPass, strongPass} from './inline-styles.ts';
import {
  emojiPass,
  emoticonPass,
  entityPass,
  literalStarsPass,
  mathPass,
  timePass,
  unicodeEmojiPass,
} from './inline-symbols.ts';
import type {ParseContext} from './parse-context.ts';
import type {InlineToken} from './tokens.ts';

/**
 * Inline syntax. The dialect applies its rules one after the other to the whole text, not from left to right: code
 * anywhere wins over a link that starts before it. What a rule takes is replaced by a mark that later rules see as an
 * ordinary character, and inside it only later rules apply. marked's inline lexer goes from left to right and cannot
 * express that, so this does not use it.
 */

const passes: readonly InlinePass[] = [
  codePass,
  strongEmphasisPass,
  userMentionPass,
  mathPass,
  channelLinkPass,
  timePass,
  groupMentionPass,
  linkPass,
  mediaPass,
  autolinkPass,
  linkifierPass,
  entityPass,
  strongPass,
  emphasisPass,
  strikePass,
  literalStarsPass,
  emojiPass,
  emoticonPass,
  unicodeEmojiPass,
];

// Without any of these no pass finds anything, except linkifiers. The last ranges hold every emoji.
const special = /[`*@$#<[&~:\n\u0002\u00a9\u00ae\u203c\u2049\u2100-\u3299\ud83c-\ud83e]|\u20e3|\.\S|;\)|\(:/;

/** Whether the text shows as it is typed, apart from what stands at the start of a line. */
export function isPlainInline(text: string, context: ParseContext): boolean {
  return !special.test(text) && !context.linkifiers?.some(({literal}) => text.includes(literal));
}

export function parseInline(text: string, context: ParseContext, quoted = false): InlineToken[] {
  if (isPlainInline(text, context)) return text === '' ? [] : [{type: 'text', text}];
  return new InlineParser(passes, context, quoted).parse(text);
}
