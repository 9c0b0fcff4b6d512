import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {emojiText, type ShownEmoji} from '#content/emoji-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {Reaction} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Acceptance, KeyEffects, PickerRow} from '#ui/core/overlay.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {shownEmoji} from '#ui/message-pane/lines/message-lines.ts';
import {findEmoji} from '#ui/search/mention-and-emoji-options.ts';
import {normalizedReactionType} from '#wire/objects/message.ts';

interface EmojiPickerOptions {
  readonly id: string;
  readonly title: string;
  readonly hint: KeyEffects;
  /** The number of lines for the `help` of the choice with the cursor. */
  readonly helpLines?: number | undefined;
  /** Listed before all others, under `firstTitle`. */
  readonly first?: ((frame: Frame) => readonly EmojiChoice[]) | undefined;
  readonly firstTitle?: string | undefined;
  /** Additional details of a choice. */
  readonly about?: ((frame: Frame, emoji: ReactionEmoji) => Partial<EmojiChoice>) | undefined;
  readonly accept: (app: App, emoji: ReactionEmoji, how: Acceptance) => void;
  readonly onClose?: ((app: App) => void) | undefined;
}

/** The width of the picker. */
export const pickerColumns = 56;

/** Opens a picker of all emoji by name, the user's frequent ones first. */
export function openEmojiPicker(app: App, options: EmojiPickerOptions): void {
  const used = readUsed(app)
    .slice(0, maxOffered)
    .map(({count: _, ...emoji}) => emoji);
  const choicesByKey = new Map<string, EmojiChoice>();
  openPicker(app, {
    id: options.id,
    title: options.title,
    hint: options.hint,
    placeholder: 'emoji name',
    empty: 'No matching emoji',
    columns: pickerColumns,
    helpLines: options.helpLines,
    rows: (frame, query) => {
      const first = query.trim() === '' ? (options.first?.(frame) ?? []) : [];
      const others =
        query.trim() === '' ? suggestedEmojiChoices(frame.account, used) : matchingEmojiChoices(frame.account, query);
      const choices = uniqueEmojiChoices([...first, ...others]);
      for (const choice of choices) choicesByKey.set(emojiKey(choice.emoji), choice);
      return sections(frame, options, choices, first.length);
    },
    accept: (from, {key}, how) => {
      const chosen = choicesByKey.get(key);
      if (chosen === undefined) return;
      recordEmojiUse(from, chosen.emoji);
      options.accept(from, chosen.emoji, how);
    },
    onClose: options.onClose,
  });
}

function sections(
  frame: Frame,
  {about, firstTitle}: EmojiPickerOptions,
  choices: readonly EmojiChoice[],
  firstCount: number,
): readonly PickerRow[] {
  const rows = choices.map((choice) => emojiRow(frame, {...choice, ...about?.(frame, choice.emoji)}));
  if (firstCount === 0 || firstTitle === undefined) return rows;
  return [
    {key: 'title first', label: firstTitle, isTitle: true},
    ...rows.slice(0, firstCount),
    {key: 'title others', label: 'Others', isTitle: true},
    ...rows.slice(firstCount),
  ];
}

const storageKey = 'emoji-used';
const maxStored = 40;
const maxOffered = 8;

interface EmojiUse extends ReactionEmoji {
  readonly count: number;
}

function recordEmojiUse(app: App, emoji: ReactionEmoji): void {
  const {emojiName, emojiCode, reactionType} = emoji;
  const before = readUsed(app);
  const count = (before.find((used) => emojiKey(used) === emojiKey(emoji))?.count ?? 0) + 1;
  const others = before.filter((used) => emojiKey(used) !== emojiKey(emoji));
  // Among equal counts the latest is first, so it is dropped last.
  const after = [{emojiName, emojiCode, reactionType, count}, ...others].sort((a, b) => b.count - a.count);
  persistValue(app, storageKey, after.slice(0, maxStored));
}

function readUsed(app: App): readonly EmojiUse[] {
  return readPersistedValue(app, storageKey, (value) => (Array.isArray(value) ? value.filter(isUsed) : []));
}

function isUsed(value: unknown): value is EmojiUse {
  if (typeof value !== 'object' || value === null) return false;
  const field = (name: keyof EmojiUse): unknown => Reflect.get(value, name);
  return (
    typeof field('emojiName') === 'string' &&
    typeof field('emojiCode') === 'string' &&
    typeof field('reactionType') === 'string' &&
    typeof field('count') === 'number'
  );
}

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
  return own && {emojiName, emojiCode: own.id, reactionType: 'realm_emoji'};
}

/** Returns a key that is equal for all names of the same emoji. */
export function emojiKey({emojiCode, reactionType}: ReactionEmoji): string {
  return `${normalizedReactionType(reactionType)} ${emojiCode}`;
}

/** Returns the emoji itself where the terminal can show it; else `:name:`. */
export function emojiLabel({display}: Pick<Frame, 'display'>, emoji: ReactionEmoji): string {
  const options = {...display.emoji, ascii: display.glyphs === 'ascii'};
  return emojiText(shownEmoji({...emoji, userId: 0}), options);
}

/** An emoji in the picker, with its details. */
export type EmojiChoice = {readonly emoji: ReactionEmoji} & Pick<PickerRow, 'matched' | 'detail' | 'right' | 'help'>;

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
function matchingEmojiChoices(account: AccountState, query: string): readonly EmojiChoice[] {
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
function uniqueEmojiChoices(choices: readonly EmojiChoice[]): readonly EmojiChoice[] {
  return [...Map.groupBy(choices, ({emoji}) => emojiKey(emoji)).values()].flatMap(([first]) => first ?? []);
}

export type ReactionEmoji = Omit<Reaction, 'userId'>;
