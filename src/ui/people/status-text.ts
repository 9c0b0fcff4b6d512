import {emojiCharacters} from '#content/emoji.ts';
import type {StatusMessage} from '#state/selectors/people/people.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';

/** Returns a status such as `🎧 in the workshop`. */
export function statusText(status: StatusMessage, display: Pick<DisplayOptions, 'glyphs'>): string {
  return [statusEmoji(status, display), status.text].filter((part) => part !== '').join(' ');
}

/** Returns the status emoji; empty when there is none. */
export function statusEmoji(
  {emojiName, emojiCode, reactionType}: StatusMessage,
  {glyphs}: Pick<DisplayOptions, 'glyphs'>,
): string {
  if (emojiName === undefined) return '';
  const isUnicode = glyphs === 'unicode' && reactionType === 'unicode_emoji';
  return (isUnicode ? emojiCharacters(emojiCode ?? '') : undefined) ?? `:${emojiName}:`;
}
