import type {App} from '#ui/core/app.ts';
import {persistValue, readPersistedValue} from '#ui/core/persisted-value.ts';
import {emojiKey} from './emoji-choices.ts';
import type {ReactionEmoji} from './toggle-reaction.ts';

const storageKey = 'emoji-used';
const maxStored = 40;
const maxOffered = 8;

interface EmojiUse extends ReactionEmoji {
  readonly count: number;
}

/** Returns the emoji that the user picks most often on this account. */
export function frequentEmoji(app: App): readonly ReactionEmoji[] {
  return readUsed(app)
    .slice(0, maxOffered)
    .map(({count: _, ...emoji}) => emoji);
}

export function recordEmojiUse(app: App, emoji: ReactionEmoji): void {
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
