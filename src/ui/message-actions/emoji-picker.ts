import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Acceptance, PickerRow} from '#ui/core/overlay.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {
  type EmojiChoice,
  emojiKey,
  emojiRow,
  matchingEmojiChoices,
  suggestedEmojiChoices,
  uniqueEmojiChoices,
} from './emoji-choices.ts';
import {frequentEmoji, recordEmojiUse} from './frequent-emoji.ts';
import type {ReactionEmoji} from './toggle-reaction.ts';

export interface EmojiPickerOptions {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
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
  const used = frequentEmoji(app);
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
  const title = (key: string, label: string): PickerRow => ({key, label, isTitle: true});
  return [
    title('title first', firstTitle),
    ...rows.slice(0, firstCount),
    title('title others', 'Others'),
    ...rows.slice(firstCount),
  ];
}
