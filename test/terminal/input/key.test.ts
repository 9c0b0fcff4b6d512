import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {keyName, keyOf, parseKeyName} from '#terminal/input/key.ts';

describe('key names', () => {
  test.each([
    ...['j', 'J', '@', 'ф', 'é', '1', '-', '+', '<', '>', '\\', '|', ';', 'Space', 'Enter', 'Esc', 'F1', 'F20'],
    ...['Ctrl-X', 'Ctrl-_', 'Ctrl-Space', 'Ctrl-\\', 'Ctrl-Enter', 'Ctrl-Left', 'Ctrl-Shift-L', 'Ctrl-Alt-X'],
    ...['Alt-a', 'Alt-A', 'Alt-?', 'Alt-/', 'Alt-.', "Alt-'", 'Alt-_', 'Alt-1', 'Alt-Enter', 'Alt-Backspace'],
    ...['Alt-Up', 'Shift-Tab', 'Shift-Enter', 'Shift-Up', 'PageUp', 'Delete', 'Ctrl--', 'Alt-+'],
  ])('%s is parsed and printed as itself', (name) => {
    const key = parseKeyName(name);
    expect(key && keyName(key)).toBe(name);
  });

  test.each([
    ['ctrl+x', 'Ctrl-X'],
    ['C-x', 'Ctrl-X'],
    ['^X', 'Ctrl-X'],
    ['<C-x>', 'Ctrl-X'],
    ['M-a', 'Alt-a'],
    ['meta-a', 'Alt-a'],
    ['alt-A', 'Alt-A'],
    ['alt-shift-a', 'Alt-A'],
    ['Shift-a', 'A'],
    ['<space>', 'Space'],
    [' ', undefined],
    ['SPC', 'Space'],
    ['return', 'Enter'],
    ['escape', 'Esc'],
    ['S-Tab', 'Shift-Tab'],
    ['BackTab', 'Shift-Tab'],
    ['pgdn', 'PageDown'],
    ['f12', 'F12'],
    ['<lt>', '<'],
    ['ctrl-minus', 'Ctrl--'],
    ['alt-ctrl-x', 'Ctrl-Alt-X'],
    ['Alt-^X', 'Ctrl-Alt-X'],
  ])('%j is parsed', (text, name) => {
    const key = parseKeyName(text);
    expect(key && keyName(key)).toBe(name);
  });

  test.each([
    ['Ctrl-I', 'Tab'],
    ['Ctrl-M', 'Enter'],
    ['Ctrl-[', 'Esc'],
    ['Ctrl-H', 'Backspace'],
    ['Ctrl-@', 'Ctrl-Space'],
    ['Ctrl-/', 'Ctrl-_'],
  ])('%s is the same key as %s', (text, name) => {
    expect(parseKeyName(text)).toEqual(parseKeyName(name));
  });

  test.each(['', 'xy', 'Ctrl-', 'Hyper-x', 'F36', 'F0', '1…6', 'Ctrl-xy', '\u0007', '<>'])('%j names none', (text) => {
    expect(parseKeyName(text)).toBeUndefined();
  });

  test('a parsed key equals the key from the terminal, including its text', () => {
    expect(parseKeyName('j')).toEqual({name: 'j', text: 'j'});
    expect(parseKeyName('Space')).toEqual({name: 'Space', text: ' '});
    expect(parseKeyName('Ctrl-X')).toEqual({name: 'x', ctrl: true});
    expect(parseKeyName('Alt-a')).toEqual({name: 'a', alt: true});
  });

  test('every key has a name that parses to it', () => {
    const names = fc.oneof(
      fc.constantFrom('Enter', 'Esc', 'Tab', 'Backspace', 'Delete', 'Up', 'Home', 'PageDown', 'F1', 'F35', 'Space'),
      fc
        .oneof(fc.integer({min: 0x21, max: 0x7e}), fc.integer({min: 0xa1, max: 0x1ffff}))
        .map((code) => String.fromCodePoint(code))
        .filter((sign) => /^[^\p{Cc}\p{Cs}\s]$/u.test(sign) && sign.normalize('NFC') === sign),
    );
    const modifiers = fc.record({ctrl: fc.boolean(), alt: fc.boolean(), shift: fc.boolean()});
    fc.assert(
      fc.property(names, modifiers, (name, held) => {
        const key = keyOf(name, held);
        expect(parseKeyName(keyName(key))).toEqual(key);
      }),
    );
  });
});
