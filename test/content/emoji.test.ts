import {expect, test} from 'vitest';
import {codeLanguageName} from '#content/code-language.ts';
import {
  emojiCharacters,
  emojiCode,
  emojiCodeOfCharacters,
  emojiData,
  emojiName,
  emoticonName,
} from '#content/emoji.ts';
import {unusedFence} from '#content/fence.ts';

test('every name leads to its code, and belongs to one emoji', () => {
  const {code_to_names: names} = emojiData();
  expect(Object.keys(names).length).toBeGreaterThan(1500);
  for (const [code, all] of Object.entries(names)) {
    expect(all.length).toBeGreaterThan(0);
    for (const name of all) expect(emojiCode(name)).toBe(code);
    expect(emojiCodeOfCharacters(emojiCharacters(code) ?? '')).toBe(code);
  }
});

test('names people know', () => {
  expect(emojiCode('thumbs_up')).toBe('1f44d');
  expect(emojiName('1f44d')).toBe('+1');
  expect(emojiCode('constructor')).toBeUndefined();
  expect(emojiName('constructor')).toBeUndefined();
  expect(emojiCharacters('zulip')).toBeUndefined();
});

test('a code that is no picture has no characters', () => {
  for (const code of ['1b', '9b', '0', '7f', 'd83d', '110000', '', Array(17).fill('1f44d').join('-')]) {
    expect(emojiCharacters(code), code).toBeUndefined();
  }
});

test('every emoticon stands for an emoji', () => {
  for (const emoticon of [':)', '(:', ':(', '<3', ':|', ':/', ';)', ':D', ':o', ':O', ':p', ':P']) {
    expect(emojiCode(emoticonName(emoticon) ?? '')).toBeDefined();
  }
});

test('languages have the names their lexers have', () => {
  expect(codeLanguageName('js')).toBe('JavaScript');
  expect(codeLanguageName('C++')).toBe('C++');
  expect(codeLanguageName('nonsense')).toBe('nonsense');
});

test('a quote needs a fence longer than any inside it', () => {
  expect(unusedFence('a')).toBe('```');
  expect(unusedFence('````js\nx\n````')).toBe('`````');
});
