import {expect, test} from 'vitest';
import {keyName, keyOf} from '#terminal/input/key.ts';
import {commandKey} from '#terminal/input/layout-map.ts';

function commands(text: string): string {
  return Array.from(text, (sign) => keyName(commandKey(keyOf(sign)))).join('');
}

test.each([
  ['Russian', 'йцукенгшщзхъфывапролджэячсмитьбюё', "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"],
  ['Russian capitals', 'ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ№', 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~#'],
  ['Ukrainian', 'йцукенгшщзхїфівапролджєґ', "qwertyuiop[]asdfghjkl;'\\"],
  ['Ukrainian capitals', 'ЇІЄҐ', '}S"|'],
  ['Belarusian', 'ўы', 'os'],
  ['Greek', 'ςερτυθιοπασδφγηξκλζχψωβνμ', 'wertyuiopasdfghjklzxcvbnm'],
  ['Greek capitals', 'ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ', 'ERTYUIOPASDFGHJKLZXCVBNM'],
  ['Latin and others', 'azAZ;[é日', 'azAZ;[é日'],
])('layout map: %s: the command key is the one in the same position', (_, text, keys) => {
  expect(commands(text)).toBe(keys);
});

test('layout map: modifiers are preserved', () => {
  expect(keyName(commandKey(keyOf('ф', {alt: true})))).toBe('Alt-a');
  expect(keyName(commandKey(keyOf('Ф', {alt: true})))).toBe('Alt-A');
});

test('layout map: the position that the terminal reports wins over the table', () => {
  expect(keyName(commandKey(keyOf('і', {ctrl: true}, {base: 'b'})))).toBe('Ctrl-B');
  expect(keyName(commandKey(keyOf('Ж', {alt: true}, {base: ';'})))).toBe('Alt-:');
});

test('layout map: Latin characters stay as they are', () => {
  expect(keyName(commandKey(keyOf('z', {ctrl: true}, {base: 'y'})))).toBe('Ctrl-Z');
});
