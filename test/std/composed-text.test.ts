import {expect, test} from 'vitest';
import {composed, joined, withoutIsolates} from '#std/composed-text.ts';
import {foldText} from '#std/fold-text.ts';
import {printable, printableStyled, withoutControls} from '#std/printable.ts';

const [start, end] = ['\u2068', '\u2069'];
const hebrew = `${start}שלום 3${end}`;

test('composed text: only right-to-left values are isolated, and each once', () => {
  expect(composed`Marked ${'ops'} read (${3})`).toBe('Marked ops read (3)');
  const label = composed`Marked #${'שלום 3'} read (${3})`;
  expect(label).toBe(`Marked #${hebrew} read (3)`);
  expect(composed`Undone: ${label}`).toBe(`Undone: ${label}`);
  expect(joined(['Bo', 'שלום 3', 'مرحبا'])).toBe(`Bo, ${hebrew}, ${start}مرحبا${end}`);
});

test('composed text: isolates stay in texts that are shown, and none in those that are sent or searched', () => {
  const label = composed`Marked ${'שלום 3'}: ${'مرحبا!'}`;
  expect(printable(`${label}\u0007`)).toBe(label);
  expect(printableStyled(`\u001b[1m${label}\u001b[0m`)).toBe(`\u001b[1m${label}\u001b[0m`);
  expect(withoutControls(label)).toBe(withoutIsolates(label));
  expect(foldText(label).text).toBe('marked שלום 3: مرحبا!');
});

test('composed text: a name with isolates of its own is shown without any', () => {
  for (const name of [`א${end}b`, `${start}א`, `${start}Bo${end}`, `\u2067א${end}`, `${start}${start}א${end}${end}`]) {
    expect(printable(composed`To ${name}!`)).not.toMatch(/[\u2066-\u2069]/);
  }
});
