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
import {MessageNames} from './message-names.ts';
import type {ParseContext} from './parse-context.ts';
import type {InlineToken} from './tokens.ts';

/**
 * Parses inline syntax. The dialect applies its rules one after the other to the whole text, not from left to right: code
 * anywhere takes precedence over a link that starts before it. Each match is replaced by a mark that later rules see as an
 * ordinary character, and only later rules apply inside it. marked's inline lexer works from left to right and cannot
 * express that, so it is not used here.
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

// A text without any of these has no inline syntax except linkifiers. The last ranges contain every emoji.
const special = /[`*@$#<[&~:\n\u0002\u00a9\u00ae\u203c\u2049\u2100-\u3299\ud83c-\ud83e]|\u20e3|\.\S|;\)|\(:/;

/** Returns whether the text has no inline syntax. Markers at the start of a line are not considered. */
export function isPlainInline(text: string, context: ParseContext): boolean {
  return !special.test(text) && !context.linkifiers?.some(({literal}) => text.includes(literal));
}

/** Parses the text of a block. `besideBlocks` is for text beside other blocks in a list item. */
export function parseInline(
  text: string,
  context: ParseContext,
  names = new MessageNames(text),
  besideBlocks = false,
): InlineToken[] {
  if (isPlainInline(text, context)) return text === '' ? [] : [{type: 'text', text}];
  return new InlineParser(passes, context, names, (part) => isPlainInline(part, context)).parse(text, besideBlocks);
}
