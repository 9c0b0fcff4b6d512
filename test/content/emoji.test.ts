import {expect, test} from 'vitest';
import {codeLanguageName} from '#content/code-language.ts';
import {emojiCharacters, emojiCode, emojiCodeOfCharacters, emojiData, emojiName, emoticonName} from '#content/emoji.ts';
import {unusedFence} from '#content/fence.ts';

test('emoji: every name maps to exactly one code', () => {
  const {code_to_names: names} = emojiData();
  expect(Object.keys(names).length).toBeGreaterThan(1500);
  for (const [code, all] of Object.entries(names)) {
    expect(all.length).toBeGreaterThan(0);
    for (const name of all) expect(emojiCode(name)).toBe(code);
    expect(emojiCodeOfCharacters(emojiCharacters(code) ?? '')).toBe(code);
  }
});

test('emoji: common names are known, property names of objects are not', () => {
  expect(emojiCode('thumbs_up')).toBe('1f44d');
  expect(emojiName('1f44d')).toBe('+1');
  expect(emojiCode('constructor')).toBeUndefined();
  expect(emojiName('constructor')).toBeUndefined();
  expect(emojiCharacters('zulip')).toBeUndefined();
});

test('emoji: an invalid code has no characters', () => {
  for (const code of ['1b', '9b', '0', '7f', 'd83d', '110000', '', Array(17).fill('1f44d').join('-')]) {
    expect(emojiCharacters(code), code).toBeUndefined();
  }
});

test('emoji: every emoticon maps to an emoji', () => {
  for (const emoticon of [':)', '(:', ':(', '<3', ':|', ':/', ';)', ':D', ':o', ':O', ':p', ':P']) {
    expect(emojiCode(emoticonName(emoticon) ?? '')).toBeDefined();
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
