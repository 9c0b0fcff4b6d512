import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {Acceptance, PickerRow} from '#app/core/overlay.ts';
import {openPicker} from '#app/overlays/picker.ts';
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
  /** Offered before all others, under a title of their own. */
  readonly first?: ((frame: Frame) => readonly EmojiChoice[]) | undefined;
  readonly firstTitle?: string | undefined;
  /** What is said about any of them. */
  readonly about?: ((frame: Frame, emoji: ReactionEmoji) => Partial<EmojiChoice>) | undefined;
  readonly accept: (app: App, emoji: ReactionEmoji, how: Acceptance) => void;
  readonly onClose?: ((app: App) => void) | undefined;
}

/** All emoji there are, by name; the ones used most stand first. */
export function openEmojiPicker(app: App, picking: EmojiPickerOptions): void {
  const used = frequentEmoji(app);
  const chosenBy = new Map<string, EmojiChoice>();
  openPicker(app, {
    id: picking.id,
    title: picking.title,
    hint: picking.hint,
    placeholder: 'name of an emoji',
    empty: 'No emoji is called so.',
    columns: 56,
    rows: (frame, query) => {
      const first = query.trim() === '' ? (picking.first?.(frame) ?? []) : [];
      const others =
        query.trim() === ''
          ? suggestedEmojiChoices(frame.account, used)
          : matchingEmojiChoices(frame.account, query);
      const choices = uniqueEmojiChoices([...first, ...others]);
      for (const choice of choices) chosenBy.set(emojiKey(choice.emoji), choice);
      return sections(frame, picking, choices, first.length);
    },
    accept: (from, {key}, how) => {
      const chosen = chosenBy.get(key);
      if (chosen === undefined) return;
      recordEmojiUse(from, chosen.emoji);
      picking.accept(from, chosen.emoji, how);
    },
    onClose: picking.onClose,
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
