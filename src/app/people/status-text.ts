import type {Looks} from '#app/core/frame.ts';
import {charactersOfCode} from '#content/emoji.ts';
import type {StatusMessage} from '#state/selectors/people/presence-status.ts';

/** What somebody says they are up to: `🎧 in the workshop`. */
export function statusText(status: StatusMessage, looks: Pick<Looks, 'glyphs'>): string {
  return [statusSign(status, looks), status.text].filter((part) => part !== '').join(' ');
}

/** The emoji of it; empty when it has none. */
export function statusSign(
  {emojiName, emojiCode, reactionType}: StatusMessage,
  {glyphs}: Pick<Looks, 'glyphs'>,
): string {
  if (emojiName === undefined) return '';
  const isUnicode = glyphs === 'unicode' && reactionType === 'unicode_emoji';
  return (isUnicode ? charactersOfCode(emojiCode ?? '') : undefined) ?? `:${emojiName}:`;
}
