import type {DisplayOptions} from '#app/core/frame.ts';
import {emojiCharacters} from '#content/emoji.ts';
import type {StatusMessage} from '#state/selectors/people/presence-status.ts';

/** What somebody says they are up to: `🎧 in the workshop`. */
export function statusText(status: StatusMessage, looks: Pick<DisplayOptions, 'glyphs'>): string {
  return [statusEmoji(status, looks), status.text].filter((part) => part !== '').join(' ');
}

/** The emoji of it; empty when it has none. */
export function statusEmoji(
  {emojiName, emojiCode, reactionType}: StatusMessage,
  {glyphs}: Pick<DisplayOptions, 'glyphs'>,
): string {
  if (emojiName === undefined) return '';
  const isUnicode = glyphs === 'unicode' && reactionType === 'unicode_emoji';
  return (isUnicode ? emojiCharacters(emojiCode ?? '') : undefined) ?? `:${emojiName}:`;
}
