import {describe, expect, test} from 'vitest';
import {endsWithBackslash, isInsideFence} from '#ui/text/markup.ts';
import {type SendKey, type SendKeyContext, type SendOutcome, sendHints, sendOutcome} from '#ui/text/send-keys.ts';

const on: SendKeyContext = {entersSends: true, isInFence: false, endsWithBackslash: false, isBurst: false};
const off: SendKeyContext = {...on, entersSends: false};

describe('keys around Enter', () => {
  test.each<[SendKey, SendOutcome, SendOutcome]>([
    ['Enter', 'send', 'newline'],
    ['Ctrl-J', 'newline', 'newline'],
    ['Shift-Enter', 'newline', 'newline'],
    ['Alt-Enter', 'newline', 'send'],
    ['Ctrl-Enter', 'newline', 'send'],
    ['Ctrl-D', 'send', 'send'],
  ])('%s: %s when Enter sends, else %s', (key, whenOn, whenOff) => {
    expect(sendOutcome(key, on)).toBe(whenOn);
    expect(sendOutcome(key, off)).toBe(whenOff);
  });

  test('a backslash before Enter breaks the line where Enter would send', () => {
    expect(sendOutcome('Enter', {...on, endsWithBackslash: true})).toBe('newlineWithoutBackslash');
    expect(sendOutcome('Enter', {...off, endsWithBackslash: true})).toBe('newline');
  });

  test('inside a fence Enter breaks the line and a backslash is code', () => {
    expect(sendOutcome('Enter', {...on, isInFence: true, endsWithBackslash: true})).toBe('newline');
  });

  test('line breaks in a burst of keys never send', () => {
    expect(sendOutcome('Enter', {...on, isBurst: true})).toBe('newline');
    expect(sendOutcome('Alt-Enter', {...off, isBurst: true})).toBe('newline');
  });
});

describe('send hints', () => {
  const none = {shiftEnter: false, ctrlEnter: false};
  const all = {shiftEnter: true, ctrlEnter: true};
  test.each([
    [on, none, 'Enter send · ^J newline'],
    [on, all, 'Enter send · Shift-Enter newline'],
    [on, {...none, ctrlEnter: true}, 'Enter send · Ctrl-Enter newline'],
    [off, none, 'Enter newline · ^D send'],
    [off, {...none, shiftEnter: true}, 'Enter newline · ^D send'],
    [off, all, 'Enter newline · Ctrl-Enter send'],
    [{...on, isInFence: true}, all, 'Enter newline · ^D send'],
    [{...on, endsWithBackslash: true}, none, 'Enter newline · ^D send'],
    [{...on, isBurst: true}, none, 'Enter send · ^J newline'],
  ])('%j with %j', (context, reported, expected) => {
    const hints = sendHints(context, reported).map(({key, label}) => `${key} ${label}`);
    expect(hints.join(' · ')).toBe(expected);
  });
});

describe('isInsideFence', () => {
  test.each([
    ['|', false],
    ['text|', false],
    ['```|', true],
    ['```py|', true],
    ['|```py', false],
    ['```py\nx = 1|', true],
    ['```py\nx = 1\n|```', true],
    ['```py\nx = 1\n```|', false],
    ['```py\nx = 1\n```\nafter|', false],
    ['```\n~~~|', true],
    ['````\n```|', true],
    ['~~~\nx\n~~~|', false],
    ['```quote\nsaid|', true],
    ['```quote\n~~~py\nx\n~~~|\n', true],
    ['before|\n```\nx', false],
    ['inline ``` is none|', false],
  ])('%j: %s', (text, expected) => {
    expect(isInsideFence(text.replace('|', ''), text.indexOf('|'))).toBe(expected);
  });
});

test('endsWithBackslash: a backslash before the cursor that is not escaped itself', () => {
  expect(endsWithBackslash('a\\', 2)).toBe(true);
  expect(endsWithBackslash('a\\\\', 3)).toBe(false);
  expect(endsWithBackslash('a\\b', 3)).toBe(false);
  expect(endsWithBackslash('\\', 0)).toBe(false);
});
