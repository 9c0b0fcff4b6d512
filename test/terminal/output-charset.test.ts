import {expect, test} from 'vitest';
import {textColumns} from '#content/styled-text/text-width.ts';
import {encodeOutput} from '#terminal/output-charset.ts';

function encoded(text: string, charset: 'latin-1' | 'ascii'): string {
  return Buffer.from(encodeOutput(text, charset)).toString('latin1');
}

test('charset: UTF-8 is written as it is', () => {
  expect(encodeOutput('潮汐 \u001b[1mü', 'utf-8')).toBe('潮汐 \u001b[1mü');
});

test('charset: a Latin-1 terminal gets the bytes of its letters', () => {
  expect(Buffer.from(encodeOutput('\u001b[1mGrüße\u001b[0m', 'latin-1'))).toEqual(
    Buffer.from([0x1b, 0x5b, 0x31, 0x6d, 0x47, 0x72, 0xfc, 0xdf, 0x65, 0x1b, 0x5b, 0x30, 0x6d]),
  );
  // Where ISO 8859-1 and 8859-15 differ, neither is used.
  expect(encoded('5 € ¤ ½', 'latin-1')).toBe('5 E ? ?');
});

test('charset: ASCII gets similar characters, and question marks for the rest', () => {
  expect(encoded('“Grüße – ça va…” › Łódź · naïve', 'ascii')).toBe('"Gruse - ca va." > Lodz * naive');
  expect(encoded('潮汐 ок', 'ascii')).toBe('???? ??');
});

test.each(['latin-1', 'ascii'] as const)(
  'charset: %s takes as many columns as the text, and no other bytes',
  (charset) => {
    const texts = [
      '👩‍👩‍👧‍👦',
      '🇳🇱',
      '1️⃣',
      '❤️',
      '👍🏽',
      '潮汐表',
      '항구',
      'e\u0301te\u0301',
      'ज्वार',
      'น้ำขึ้น',
      'גאות',
      'a\u200bb',
      'Ça',
    ];
    for (const text of texts) {
      const bytes = encoded(text, charset);
      expect([text, bytes.length]).toEqual([text, textColumns(text)]);
      expect(bytes).toMatch(charset === 'ascii' ? /^[ -~]*$/ : /^[ -~\u00a0-\u00ff]*$/);
    }
  },
);
