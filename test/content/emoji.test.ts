import {expect, test} from 'vitest';
import {codeLanguageName} from '#content/code-language.ts';
import {builtInEmoji, EmojiNameTable, emojiCharacters, emojiCodeOfCharacters, emoticonName} from '#content/emoji.ts';
import {unusedFence} from '#content/fence.ts';
import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';

test('emoji: every name maps to exactly one code', () => {
  const {codeToNames: names} = builtInEmoji();
  expect(Object.keys(names)).toHaveLength(1883);
  expect(Object.values(names).flat()).toHaveLength(3339);
  for (const [code, all] of Object.entries(names)) {
    expect(all.length).toBeGreaterThan(0);
    for (const name of all) expect(builtInEmoji().code(name)).toBe(code);
    expect(emojiCodeOfCharacters(emojiCharacters(code) ?? '')).toBe(code);
  }
});

test('emoji: common names are known, property names of objects are not', () => {
  expect(builtInEmoji().code('thumbs_up')).toBe('1f44d');
  expect(builtInEmoji().name('1f44d')).toBe('+1');
  expect(builtInEmoji().code('constructor')).toBeUndefined();
  expect(builtInEmoji().name('constructor')).toBeUndefined();
  expect(emojiCharacters('zulip')).toBeUndefined();
});

test('emoji: the built-in names are those of a current Zulip server', () => {
  for (const name of ['pleading', 'haha', 'at', '+1', 'working_on_it']) expect(builtInEmoji().code(name)).toBeDefined();
  for (const name of ['box', 'bored', 'meh', 'mind_blown']) expect(builtInEmoji().code(name)).toBeUndefined();
});

test('emoji: a message shows the emoji of its server’s names', () => {
  const names = {'1f97a': ['begging']};
  const shown = (text: string, context: ParseContext) => plainText(parseMessage(text, context));
  expect(shown(':pleading:', {})).toBe('🥺');
  expect(shown(':begging: :pleading:', {unicodeEmoji: () => new EmojiNameTable(names)})).toBe('🥺 :pleading:');
});

test('emoji: an invalid code has no characters', () => {
  for (const code of ['1b', '9b', '0', '7f', 'd83d', '110000', '', Array(17).fill('1f44d').join('-')]) {
    expect(emojiCharacters(code), code).toBeUndefined();
  }
});

test('emoji: every emoticon maps to an emoji', () => {
  for (const emoticon of [':)', '(:', ':(', '<3', ':|', ':/', ';)', ':D', ':o', ':O', ':p', ':P']) {
    expect(builtInEmoji().code(emoticonName(emoticon) ?? '')).toBeDefined();
  }
});

test('codeLanguageName: aliases map to display names, unknown ones stay', () => {
  expect(codeLanguageName('js')).toBe('JavaScript');
  expect(codeLanguageName('C++')).toBe('C++');
  expect(codeLanguageName('nonsense')).toBe('nonsense');
});

test('unusedFence: the fence is longer than any inside the content', () => {
  expect(unusedFence('a')).toBe('```');
  expect(unusedFence('````js\nx\n````')).toBe('`````');
});
