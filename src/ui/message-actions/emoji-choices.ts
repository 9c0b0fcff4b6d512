import {emojiText, type ShownEmoji} from '#content/emoji-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {AccountState} from '#state/state.ts';
import {findEmoji} from '#ui/completion-menu/emoji-options.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {shownEmoji} from '#ui/message-pane/lines/trailing-parts.ts';
import {normalizedReactionType} from '#wire/objects/reaction.ts';
import type {ReactionEmoji} from './toggle-reaction.ts';

/** Offered before the user has used any emoji. */
const popularCodes = ['1f44d', '1f389', '1f642', '2764', '1f6e0', '1f419', '1f440', '1f680'] as const;

/**
 * Converts an emoji to the form that reactions and statuses use; undefined for one that the organization does not have.
 */
export function reactionEmoji({emoji, server}: AccountState, shown: ShownEmoji): ReactionEmoji | undefined {
  const emojiName = shown.name;
  if (shown.kind === 'unicode') return {emojiName, emojiCode: shown.code, reactionType: 'unicode_emoji'};
  if (shown.kind === 'extra') {
    return {emojiName, emojiCode: shown.name, reactionType: server.extraEmojiType};
  }
  const own = [...emoji.values()].find(({name, deactivated}) => name === shown.name && !deactivated);
  return own === undefined ? undefined : {emojiName, emojiCode: own.id, reactionType: 'realm_emoji'};
}

/** Returns a key that is equal for all names of the same emoji. */
export function emojiKey({emojiCode, reactionType}: ReactionEmoji): string {
  return `${normalizedReactionType(reactionType)} ${emojiCode}`;
}

/** Returns the emoji itself where the terminal can show it; else `:name:`. */
function emojiLabel({display}: Pick<Frame, 'display'>, emoji: ReactionEmoji): string {
  const options = {...display.emoji, ascii: display.glyphs === 'ascii'};
  return emojiText(shownEmoji({...emoji, userId: 0}), options);
}

/** An emoji in the picker, with its details. */
export interface EmojiChoice {
  readonly emoji: ReactionEmoji;
  readonly section?: string | undefined;
  readonly matched?: PickerRow['matched'];
  readonly detail?: string | undefined;
  readonly right?: string | undefined;
  /** Shown below the rows while the choice has the cursor. */
  readonly help?: string | undefined;
}

const signColumns = 3;

/** Returns a picker row with the emoji in a column of fixed width; an emoji shown as its name appears only once. */
export function emojiRow(frame: Pick<Frame, 'display'>, choice: EmojiChoice): PickerRow {
  const {emoji, matched, detail, right, help} = choice;
  const sign = emojiLabel(frame, emoji);
  const isSpelled = sign.startsWith(':');
  const space = ' '.repeat(Math.max(1, signColumns - (isSpelled ? 0 : textColumns(sign))));
  const isPlain = frame.display.glyphs === 'ascii';
  const start = isPlain ? '' : isSpelled ? space : `${sign}${space}`;
  return {
    key: emojiKey(emoji),
    label: `${start}${emoji.emojiName}`,
    matched: matched?.map(([from, to]) => [from + start.length, to + start.length] as const),
    detail,
    right,
    help,
    rightRole: 'reaction',
  };
}

/** Returns the emoji that match the query, best first. */
export function matchingEmojiChoices(account: AccountState, query: string): readonly EmojiChoice[] {
  return findEmoji(account, query).flatMap(({item, ranges}) => {
    const emoji = reactionEmoji(account, item);
    return emoji === undefined ? [] : [{emoji, matched: ranges}];
  });
}

/** Returns the suggestions for an empty query: the user's frequent emoji, then popular ones. */
export function suggestedEmojiChoices(account: AccountState, used: readonly ReactionEmoji[]): readonly EmojiChoice[] {
  const popular = popularCodes.map((code) => ({emojiName: '', emojiCode: code, reactionType: 'unicode_emoji'}));
  const available = [...used, ...popular].flatMap((emoji) => acceptedEmoji(account, emoji) ?? []);
  return [...available.map((emoji) => ({emoji})), ...matchingEmojiChoices(account, '')];
}

/** Returns the emoji with a name that the server accepts; undefined if it does not have the emoji. */
function acceptedEmoji(account: AccountState, emoji: ReactionEmoji): ReactionEmoji | undefined {
  const {emojiCode, emojiName, reactionType} = emoji;
  if (reactionType === 'realm_emoji') return account.emoji.has(emojiCode) ? emoji : undefined;
  if (reactionType !== 'unicode_emoji') return emoji;
  const names = emojiTable(account).names(emojiCode);
  const [canonical] = names;
  if (canonical === undefined) return undefined;
  return names.includes(emojiName) ? emoji : {...emoji, emojiName: canonical};
}

/** Keeps the first choice of each emoji. */
export function uniqueEmojiChoices(choices: readonly EmojiChoice[]): readonly EmojiChoice[] {
  const seen = new Map<string, EmojiChoice>();
  for (const choice of choices) {
    const key = emojiKey(choice.emoji);
    if (!seen.has(key)) seen.set(key, choice);
  }
  return [...seen.values()];
}
