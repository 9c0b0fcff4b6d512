import {emoticonName} from '#content/emoji.ts';
import type {ShownEmoji} from '#content/emoji-text.ts';
import type {AccountState} from '#state/state.ts';
import {FuzzyIndex, type FuzzyResult} from '#std/fuzzy-index.ts';
import {memoBySlices} from '#std/memo.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {type CompletionOption, maxOptions} from './completion.ts';
import {withoutWeakMatches} from './find-people.ts';

/** Frequently used emoji, boosted so that two letters are enough. */
const popular = new Set(
  '+1 thumbs_up tada heart smile slight_smile joy working_on_it octopus check eyes fire rocket 100 pray clap thinking wave'.split(
    ' ',
  ),
);

type EmojiIndex = FuzzyIndex<string, ShownEmoji>;

/** Unicode emoji by each of their names. */
const unicodeByName = memoBySlices(['unicodeEmoji'], (state: AccountState): EmojiIndex => {
  const index: EmojiIndex = new FuzzyIndex();
  for (const [code, names] of Object.entries(emojiTable(state).codeToNames)) {
    for (const name of names) index.put(name, {kind: 'unicode', name, code}, name);
  }
  return index;
});

/** The organization's custom emoji, and the Zulip emoji that every organization has. */
const ownByName = memoBySlices(['emoji'], ({emoji}: AccountState): EmojiIndex => {
  const index: EmojiIndex = new FuzzyIndex();
  index.put('zulip', {kind: 'extra', name: 'zulip'}, 'zulip');
  for (const {name, deactivated} of emoji.values()) {
    if (!deactivated) index.put(name, {kind: 'custom', name}, name);
  }
  return index;
});

const boost = ({kind, name}: ShownEmoji) => (kind !== 'unicode' ? 70 : popular.has(name) ? 80 : 0);

/** Returns each emoji once, under its best matching name; custom emoji hide Unicode emoji of the same name. */
export function findEmoji(state: AccountState, query: string): readonly FuzzyResult<ShownEmoji>[] {
  const own = ownByName(state);
  const limit = 2 * maxOptions;
  const matches = [
    ...own.find(query, {limit, boost}),
    ...unicodeByName(state)
      .find(query, {limit, boost})
      .filter(({item}) => own.get(item.name) === undefined),
  ].sort((a, b) => b.score - a.score || a.item.name.length - b.item.name.length);
  const unique = new Map<string, FuzzyResult<ShownEmoji>>();
  for (const one of matches) {
    const key = one.item.kind === 'unicode' ? one.item.code : `:${one.item.name}`;
    if (!unique.has(key)) unique.set(key, one);
  }
  return withoutWeakMatches([...unique.values()]).slice(0, maxOptions);
}

export function emojiOptions(state: AccountState, query: string): readonly CompletionOption[] {
  return findEmoji(state, query).map(({item, ranges}) => emojiOption(item, ranges));
}

function emojiOption(emoji: ShownEmoji, ranges: CompletionOption['ranges']): CompletionOption {
  return {label: emoji.name, insert: `:${emoji.name}: `, ranges, emoji};
}

/** Returns the emoji for an emoticon such as `:)`. */
export function emoticonOption(state: AccountState, written: string): CompletionOption | undefined {
  const name = emoticonName(written);
  const code = name === undefined ? undefined : emojiTable(state).code(name);
  if (name === undefined || code === undefined) return undefined;
  return {...emojiOption({kind: 'unicode', name, code}, []), detail: written};
}
