import {expect, test} from 'vitest';
import {type KeyboardState, keyBytes, plainKeyboard} from './keys.ts';

const kitty: KeyboardState = {...plainKeyboard, kittyFlags: 5};
const xterm: KeyboardState = {...plainKeyboard, modifyOtherKeys: 2};

test.each([
  // key, on any terminal, xterm's modified keys, kitty's protocol
  ['j', 'j', 'j', 'j'],
  ['G', 'G', 'G', 'G'],
  ['?', '?', '?', '?'],
  ['Enter', '\r', '\r', '\r'],
  ['Shift-Enter', '\r', '\u001b[27;2;13~', '\u001b[13;2u'],
  ['Ctrl-Enter', '\r', '\u001b[27;5;13~', '\u001b[13;5u'],
  ['Alt-Enter', '\u001b\r', '\u001b[27;3;13~', '\u001b[13;3u'],
  ['Esc', '\u001b', '\u001b', '\u001b[27u'],
  ['Tab', '\t', '\t', '\t'],
  ['Shift-Tab', '\u001b[Z', '\u001b[Z', '\u001b[9;2u'],
  ['Backspace', '\u007f', '\u007f', '\u007f'],
  ['Alt-Backspace', '\u001b\u007f', '\u001b[27;3;127~', '\u001b[127;3u'],
  ['Space', ' ', ' ', ' '],
  ['Ctrl-Space', '\0', '\u001b[27;5;32~', '\u001b[32;5u'],
  ['Ctrl-X', '\u0018', '\u001b[27;5;120~', '\u001b[120;5u'],
  ['Ctrl-J', '\n', '\u001b[27;5;106~', '\u001b[106;5u'],
  ['Ctrl-_', '\u001f', '\u001b[27;6;95~', '\u001b[45:95;6u'],
  ['Alt-a', '\u001ba', '\u001b[27;3;97~', '\u001b[97;3u'],
  ['Alt-?', '\u001b?', '\u001b[27;4;63~', '\u001b[47:63;4u'],
  ['Alt-1', '\u001b1', '\u001b[27;3;49~', '\u001b[49;3u'],
  ['Up', '\u001b[A', '\u001b[A', '\u001b[A'],
  ['Alt-Left', '\u001b[1;3D', '\u001b[1;3D', '\u001b[1;3D'],
  ['Ctrl-Right', '\u001b[1;5C', '\u001b[1;5C', '\u001b[1;5C'],
  ['PageDown', '\u001b[6~', '\u001b[6~', '\u001b[6~'],
  ['Delete', '\u001b[3~', '\u001b[3~', '\u001b[3~'],
  ['F1', '\u001bOP', '\u001bOP', '\u001b[P'],
  ['F3', '\u001bOR', '\u001bOR', '\u001b[13~'],
  ['й', 'й', 'й', 'й'],
])('%s is sent as its terminal sends it', (key, anywhere, byXterm, byKitty) => {
  expect([keyBytes(key), keyBytes(key, xterm), keyBytes(key, kitty)]).toEqual([anywhere, byXterm, byKitty]);
});

test('test keys: arrows follow the cursor key mode', () => {
  expect(keyBytes('Up', {...plainKeyboard, applicationCursor: true})).toBe('\u001bOA');
});

test('test keys: an unknown key is refused', () => {
  expect(() => keyBytes('Retrun')).toThrow('There is no key “Retrun”.');
});
