import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {Tokenizer} from '#terminal/input/tokenizer.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {eventsText, typedCharacters} from './events-text.ts';

const esc = '\u001b';

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** Returns the events of one read without further input. */
function eventsOf(bytes: Uint8Array): InputEvent[] {
  const tokenizer = new Tokenizer();
  return [...tokenizer.write(bytes), ...tokenizer.flush()];
}

function read(text: string): string {
  return eventsText(eventsOf(bytesOf(text)));
}

describe('bytes become keys', () => {
  test.each([
    ['jjj', 'j j j'],
    ['ab\rcd\r', 'a b Enter c d Enter'],
    [' G@é日😀', 'Space G @ é 日 😀'],
    ['\n', 'Ctrl-J'],
    ['\r\t\u007f\b', 'Enter Tab Backspace Backspace'],
    [
      '\u0000\u0001\u0003\u0013\u001a\u001c\u001d\u001e\u001f',
      'Ctrl-Space Ctrl-A Ctrl-C Ctrl-S Ctrl-Z Ctrl-\\ Ctrl-] Ctrl-^ Ctrl-_',
    ],
    [`${esc}`, 'Esc'],
    [`${esc}${esc}`, 'Esc Esc'],
    [`${esc}${esc}${esc}`, 'Esc Esc Esc'],
    [`${esc}${esc}j`, 'Esc Alt-j'],
    [`${esc}a${esc}A${esc}1${esc}/${esc}?${esc} `, 'Alt-a Alt-A Alt-1 Alt-/ Alt-? Alt-Space'],
    [`${esc}\r${esc}\u007f${esc}\b${esc}\n${esc}\u0018`, 'Alt-Enter Alt-Backspace Alt-Backspace Ctrl-Alt-J Esc Ctrl-X'],
    [`${esc}ф`, 'Alt-ф'],
    [`${esc}[A${esc}[B${esc}[C${esc}[D`, 'Up Down Right Left'],
    [`${esc}OA${esc}OB${esc}OC${esc}OD${esc}OH${esc}OF`, 'Up Down Right Left Home End'],
    [`${esc}[H${esc}[F${esc}[1~${esc}[4~${esc}[7~${esc}[8~`, 'Home End Home End Home End'],
    [`${esc}[2~${esc}[3~${esc}[5~${esc}[6~`, 'Insert Delete PageUp PageDown'],
    [`${esc}[Z${esc}[1;2Z`, 'Shift-Tab Shift-Tab'],
    [`${esc}[1;5C${esc}[1;3D${esc}[1;2A${esc}[1;8B`, 'Ctrl-Right Alt-Left Shift-Up Ctrl-Alt-Shift-Down'],
    [`${esc}[5C${esc}O5C${esc}[3;5~`, 'Ctrl-Right Ctrl-Right Ctrl-Delete'],
    [`${esc}OP${esc}OQ${esc}OR${esc}OS${esc}[P${esc}[1;5P`, 'F1 F2 F3 F4 F1 Ctrl-F1'],
    [`${esc}[11~${esc}[15~${esc}[17~${esc}[21~${esc}[23~${esc}[24~${esc}[34~`, 'F1 F5 F6 F10 F11 F12 F20'],
    [`${esc}[[A${esc}[[E`, 'F1 F5'],
    [`${esc}OM${esc}Ok${esc}Oo${esc}Op${esc}Oy${esc}OX`, 'Enter + / 0 9 ='],
  ])('%j', (text, keys) => {
    expect(read(text)).toBe(keys);
  });

  test.each([
    [`${esc}[a${esc}[b${esc}Oc${esc}Od`, 'Shift-Up Shift-Down Ctrl-Right Ctrl-Left'],
    [`${esc}[5$${esc}[6^${esc}[3@`, 'Shift-PageUp Ctrl-PageDown Ctrl-Shift-Delete'],
    [`${esc}${esc}[A${esc}${esc}OA`, 'Alt-Up Alt-Up'],
  ])('from rxvt: %j', (text, keys) => {
    expect(read(text)).toBe(keys);
  });

  test.each([
    [`${esc}[13;2u${esc}[13;5u${esc}[13u`, 'Shift-Enter Ctrl-Enter Enter'],
    [`${esc}[27u${esc}[9;2u${esc}[127;3u${esc}[127;5u`, 'Esc Shift-Tab Alt-Backspace Ctrl-Backspace'],
    [`${esc}[97;5u${esc}[97;3u${esc}[97:65;4u${esc}[97;4u`, 'Ctrl-A Alt-a Alt-A Alt-A'],
    [`${esc}[108;6u${esc}[108:76;6u${esc}[97;69u`, 'Ctrl-Shift-L Ctrl-Shift-L Ctrl-A'],
    [`${esc}[105;5u${esc}[109;5u${esc}[91;5u${esc}[104;5u`, 'Tab Enter Esc Backspace'],
    [`${esc}[47;5u${esc}[45:95;6u${esc}[32;5u`, 'Ctrl-_ Ctrl-_ Ctrl-Space'],
    [`${esc}[55:47;4u`, 'Alt-/'],
    [`${esc}[1;1:2A${esc}[97;1:2u${esc}[3;5:1~`, 'Up a Ctrl-Delete'],
    [`${esc}[97;1:3u${esc}[1;1:3A${esc}[3;1:3~${esc}[13;1:3u`, ''],
    [`${esc}[57414u${esc}[57417u${esc}[57400u${esc}[57376u`, 'Enter Left 1 F13'],
    [`${esc}[99;9u${esc}[57441;2u${esc}[1;9A`, 'unknown unknown unknown'],
    [`${esc}[32;2u`, 'Space'],
  ])('in the kitty protocol: %j', (text, keys) => {
    expect(read(text)).toBe(keys);
  });

  test.each([
    [`${esc}[27;2;13~${esc}[27;5;13~${esc}[27;5;46~`, 'Shift-Enter Ctrl-Enter Ctrl-.'],
    [`${esc}[27;6;76~${esc}[27;4;65~${esc}[27;6;95~${esc}[27;2;32~`, 'Ctrl-Shift-L Alt-A Ctrl-_ Space'],
  ])('with modifyOtherKeys: %j', (text, keys) => {
    expect(read(text)).toBe(keys);
  });

  test('the reported base key tells the position on a US keyboard', () => {
    expect(eventsOf(bytesOf(`${esc}[1092:1060:97;5u${esc}[1092::97;3u`))).toEqual([
      {kind: 'key', key: {name: 'ф', ctrl: true, base: 'a'}},
      {kind: 'key', key: {name: 'ф', alt: true, base: 'a'}},
    ]);
  });

  test('only characters have text', () => {
    expect(typedCharacters(eventsOf(bytesOf(`a ${esc}b\u0001\t\r${esc}[A${esc}[98u${esc}[99;5uю`)))).toBe('a bю');
  });

  test('text that is reported with a key is its text', () => {
    expect(typedCharacters(eventsOf(bytesOf(`${esc}[97:65;2;65u${esc}[101;;233u`)))).toBe('Aé');
  });
});

describe('focus, mouse, replies', () => {
  test.each([
    [`${esc}[I${esc}[O`, 'focus blur'],
    [
      `${esc}[<0;1;1M${esc}[<0;10;5m${esc}[<2;3;4M${esc}[<32;3;4M${esc}[<35;3;4M`,
      'left-press@0,0 left-release@9,4 right-press@2,3 left-drag@2,3 none-move@2,3',
    ],
    [
      `${esc}[<64;10;5M${esc}[<65;10;5M${esc}[<66;1;1M${esc}[<67;1;1M`,
      'up-wheel@9,4 down-wheel@9,4 left-wheel@0,0 right-wheel@0,0',
    ],
    [`${esc}[M !!${esc}[M#!!`, 'left-press@0,0 none-release@0,0'],
    [`${esc}[32;10;5M${esc}[96;10;5M`, 'left-press@9,4 up-wheel@9,4'],
    [`${esc}[<16;2;2M`, 'left-press@1,1'],
  ])('%j', (text, events) => {
    expect(read(text)).toBe(events);
  });

  test('a click includes the modifiers', () => {
    expect(eventsOf(bytesOf(`${esc}[<28;2;3M`))).toEqual([
      {kind: 'mouse', action: 'press', button: 'left', x: 1, y: 2, ctrl: true, alt: true, shift: true},
    ]);
  });

  test.each([
    [`${esc}[?5u`, {type: 'kitty_flags', flags: 5}],
    [`${esc}[>4;2m`, {type: 'modify_other_keys', level: 2}],
    [`${esc}]11;rgb:1e1e/ffff/0000${esc}\\`, {type: 'color', slot: 11, color: {red: 30, green: 255, blue: 0}}],
    [`${esc}]11;rgb:1e/ff/00\u0007`, {type: 'color', slot: 11, color: {red: 30, green: 255, blue: 0}}],
    [`${esc}]11;rgba:0000/0000/0000/ffff\u0007`, {type: 'color', slot: 11, color: {red: 0, green: 0, blue: 0}}],
    [`${esc}]10;#ffffff${esc}\\`, {type: 'color', slot: 10, color: {red: 255, green: 255, blue: 255}}],
    [`${esc}[?997;1n`, {type: 'color_scheme', scheme: 'dark'}],
    [`${esc}[?997;2n`, {type: 'color_scheme', scheme: 'light'}],
    [`${esc}[?2026;2$y`, {type: 'mode', mode: 2026, state: 2}],
    [`${esc}P1+r436f=323536${esc}\\`, {type: 'color_count', count: 256}],
    [`${esc}P>|XTerm(388)${esc}\\`, {type: 'version', text: 'XTerm(388)'}],
    [`${esc}]99;i=p:p=?;p=title,body${esc}\\`, {type: 'notifications', text: 'i=p:p=?;p=title,body'}],
    [`${esc}[0n`, {type: 'status'}],
    [`${esc}[12;2R`, {type: 'cursor', row: 12, column: 2}],
    [`${esc}[1;2R`, {type: 'cursor', row: 1, column: 2}],
    [`${esc}[4;600;800t`, {type: 'size', of: 'area', width: 800, height: 600}],
    [`${esc}[6;20;10t`, {type: 'size', of: 'cell', width: 10, height: 20}],
    [`${esc}]1337;ReportCellSize=17.5;8.0;2.0${esc}\\`, {type: 'size', of: 'iterm_cell', width: 16, height: 35}],
    [`${esc}]1337;ReportCellSize=17;8\u0007`, {type: 'size', of: 'iterm_cell', width: 8, height: 17}],
    [`${esc}[?2;0;900;380S`, {type: 'size', of: 'area', width: 900, height: 380}],
    [`${esc}[8;24;80t`, {type: 'size', of: 'grid', width: 80, height: 24}],
    [`${esc}[?62;4;52c`, {type: 'attributes', codes: [62, 4, 52]}],
    [`${esc}[>0;276;0c`, {type: 'secondary_attributes', codes: [0, 276, 0]}],
    [`${esc}_Gi=1;OK${esc}\\`, {type: 'graphics', text: 'i=1;OK'}],
  ])('%j is a reply and not a key, however it is split', (text, reply) => {
    expect(eventsOf(bytesOf(text))).toEqual([{kind: 'reply', reply}]);
    for (let at = 1; at < text.length; at++) {
      const tokenizer = new Tokenizer();
      const events = [text.slice(0, at), text.slice(at)].flatMap((part) => tokenizer.write(bytesOf(part)));
      expect(events).toEqual([{kind: 'reply', reply}]);
    }
  });

  test.each([
    `${esc}]52;c;aGVsbG8=${esc}\\`,
    `${esc}]4;1;rgb:0/0/0\u0007`,
    `${esc}P1$r0m${esc}\\`,
    `${esc}P1+r544e=787465726d${esc}\\`,
    `${esc}^private${esc}\\`,
    `${esc}Xstring${esc}\\`,
    `${esc}_other${esc}\\`,
    `${esc}[0;1n`,
    `${esc}[?1;2;3S`,
    `${esc}[201~`,
  ])('an unknown sequence is not text: %j', (text) => {
    expect(read(`${text}j`)).toBe('unknown j');
  });

  test.each([
    ['numbers', `${esc}[?${'1;'.repeat(50_000)}c`],
    ['a colour', `${esc}]11;${'x'.repeat(100_000)}\u0007`],
    ['a version', `${esc}P>|${'x'.repeat(100_000)}${esc}\\`],
  ])('a reply without an end is not a reply: %s', (_, text) => {
    expect(read(`${text}j`)).toBe('unknown j');
  });

  test('Esc followed by a reply gives both', () => {
    expect(read(`${esc}${esc}[?62c`)).toBe('Esc reply:attributes');
    expect(read(`${esc}${esc}]11;rgb:0/0/0\u0007`)).toBe('Esc reply:color');
    expect(read(`${esc}${esc}[200~x${esc}[201~`)).toBe('Esc "x"');
  });
});

describe('pastes', () => {
  test('are one event with all their text', () => {
    const text = `one\r\ntwo\t${esc}[A${esc}${esc}[20 é日\n`;
    expect(eventsOf(bytesOf(`a${esc}[200~${text}${esc}[201~b`))).toEqual([
      {kind: 'key', key: {name: 'a', text: 'a'}},
      {kind: 'paste', text},
      {kind: 'key', key: {name: 'b', text: 'b'}},
    ]);
  });

  test('are cut at the limit, with a flag, and without half a character', () => {
    const tokenizer = new Tokenizer({maxPasteBytes: 5000});
    const events = tokenizer.write(bytesOf(`${esc}[200~${'é'.repeat(2499)}xé${'y'.repeat(9000)}${esc}[201~j`));
    expect(events).toMatchObject([
      {kind: 'paste', text: `${'é'.repeat(2499)}x`, truncated: true},
      {kind: 'key', key: {name: 'j'}},
    ]);
  });

  test('without their end mark come out as far as they arrived', () => {
    const tokenizer = new Tokenizer();
    expect(tokenizer.write(bytesOf(`${esc}[200~text${esc}[20`))).toEqual([]);
    expect(tokenizer.pending()).toBe('paste');
    expect(eventsText(tokenizer.flush())).toBe('"text"');
    expect(eventsText(tokenizer.write(bytesOf('j')))).toBe('j');
  });

  test('are the same however reads split them', () => {
    const bytes = bytesOf(`${esc}[200~é${esc}[201${esc}[20${esc}${esc}[201~j`);
    for (let at = 1; at < bytes.length; at++) {
      const tokenizer = new Tokenizer();
      const events = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((part) => tokenizer.write(part));
      expect(eventsText(events)).toBe(`${JSON.stringify(`é${esc}[201${esc}[20${esc}`)} j`);
    }
  });
});

describe('broken input', () => {
  test.each([
    [[0xc3], 'unknown'],
    [[0xc3, 0x6a], 'unknown j'],
    [[0xff, 0x6a], 'unknown j'],
    [[0x9b, 0x41], 'unknown A'],
    [[0xe2, 0x82, 0x1b, 0x5b, 0x41], 'unknown Up'],
    [[0xf0, 0xe2, 0x82, 0xac], 'unknown €'],
    [[0xed, 0xa0, 0x80, 0x6a], 'unknown j'],
    [[0xc0, 0x80, 0x6a], 'unknown unknown j'],
    [[0xc2, 0x9b, 0x6a], 'unknown j'],
    [[0xef, 0xbf, 0xbd], '\ufffd'],
  ])('broken UTF-8 does not consume a key: %j', (bytes, keys) => {
    expect(eventsText(eventsOf(Uint8Array.from(bytes)))).toBe(keys);
  });

  test.each([
    [`${esc}[1;${esc}[A`, 'unknown Up'],
    [`${esc}[1;\u0003`, 'unknown Ctrl-C'],
    [`${esc}]11;rgb${esc}[A`, 'unknown Up'],
    [`${esc}]11;rgb\r`, 'unknown Enter'],
    [`${esc}]11${esc}[A`, 'unknown Up'],
    [`${esc}[[j${esc}Oz`, 'unknown unknown'],
  ])('a broken sequence ends at the next one: %j', (text, events) => {
    expect(read(text)).toBe(events);
  });

  test.each([
    [`${esc}[`, 'Alt-['],
    [`${esc}O`, 'Alt-O'],
    [`${esc}]`, 'Alt-]'],
    [`${esc}P`, 'Alt-P'],
    [`${esc}_${esc}_`, 'Alt-_ Alt-_'],
    [`${esc}_hello`, 'Alt-_ h e l l o'],
    [`${esc}Xabc`, 'Alt-X a b c'],
    [`${esc}]\u0007`, 'Alt-] Ctrl-G'],
    [`${esc}${esc}[`, 'Esc Alt-['],
  ])('input that only starts like a reply is keys: %j', (text, keys) => {
    expect(read(text)).toBe(keys);
  });

  test('text after such a key is not held for long', () => {
    const tokenizer = new Tokenizer();
    expect(typedCharacters(tokenizer.write(bytesOf(`${esc}X${'x'.repeat(300)}`)))).toBe('x'.repeat(300));
  });

  test('only input that a user may have typed is resolved soon', () => {
    const pendingAfter = (text: string) => {
      const tokenizer = new Tokenizer();
      tokenizer.write(bytesOf(text));
      return tokenizer.pending();
    };
    expect(['j', `${esc}[A`].map(pendingAfter)).toEqual([undefined, undefined]);
    expect([esc, `${esc}${esc}`, `${esc}_`, `${esc}]`, `${esc}Xab`].map(pendingAfter)).toEqual(Array(5).fill('escape'));
    expect([`${esc}[`, `${esc}[1;`, `${esc}O`, `${esc}]11;`, `${esc}P>|x${esc}`].map(pendingAfter)).toEqual(
      Array(5).fill('sequence'),
    );
  });
});

const sequences = fc.oneof(
  fc.string({unit: 'grapheme', minLength: 1, maxLength: 3}),
  fc.constantFrom(
    ...['j', '\r', '\n', '\t', '\u007f', '\u0003', `${esc}a`, `${esc}\r`, `${esc}_`, `${esc}${esc}[A`, esc],
    ...[`${esc}[A`, `${esc}[1;5C`, `${esc}OP`, `${esc}[[A`, `${esc}[5$`, `${esc}[3~`, `${esc}[13;2u`, `${esc}[I`],
    ...[`${esc}[1092:1060:97;5u`, `${esc}[27;2;13~`, `${esc}[<64;10;5M`, `${esc}[M !!`, `${esc}[?62;4c`],
    ...[`${esc}]11;rgb:0/0/0${esc}\\`, `${esc}]11;rgb:0/0/0\u0007`, `${esc}P>|kitty(1)${esc}\\`, `${esc}Xé${esc}\\`],
    ...[`${esc}[200~a\r\né${esc}[201~`, `${esc}[?2026;2$y`, `${esc}_Gi=1;OK${esc}\\`, `${esc}ф`],
  ),
);

function divided(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

test('tokenizer: reads may split bytes anywhere', () => {
  fc.assert(
    fc.property(fc.array(sequences), fc.array(fc.nat()), (parts, cuts) => {
      const bytes = bytesOf(parts.join(''));
      const tokenizer = new Tokenizer();
      const events = divided(bytes, cuts).flatMap((part) => tokenizer.write(part));
      expect([...events, ...tokenizer.flush()]).toEqual(eventsOf(bytes));
    }),
  );
});

test('tokenizer: any bytes give events, however they are split, and leave nothing behind', () => {
  const noise = fc.oneof(
    fc.uint8Array(),
    fc.array(fc.constantFrom(...Buffer.from(`${esc}${esc}[]OPX^_;:<?>$~\\0123456789AMmu\u0007é`)), {
      maxLength: 80,
    }),
  );
  fc.assert(
    fc.property(noise, fc.array(fc.nat()), (values, cuts) => {
      const bytes = Uint8Array.from(values);
      const tokenizer = new Tokenizer();
      const events = divided(bytes, cuts).flatMap((part) => tokenizer.write(part));
      expect([...events, ...tokenizer.flush()]).toEqual(eventsOf(bytes));
      expect(tokenizer.pending()).toBeUndefined();
      expect(tokenizer.held).toBe('');
    }),
    {numRuns: fewOrAll(250, 1000)},
  );
});

test('tokenizer: the held bytes are limited, whatever arrives', () => {
  const starts = [`${esc}[`, `${esc}[?`, `${esc}O`, `${esc}]11;`, `${esc}P>|`, `${esc}_G`, `${esc}X`, `${esc}${esc}[`];
  for (const start of starts) {
    const tokenizer = new Tokenizer();
    tokenizer.write(bytesOf(start));
    for (let round = 0; round < 20; round++) tokenizer.write(bytesOf('1'.repeat(1000)));
    expect(tokenizer.held.length).toBeLessThan(5000);
  }
});

test('tokenizer: a sequence that is given up halfway types nothing', () => {
  const whole = [`${esc}[1;5C`, `${esc}[15~`, `${esc}O5P`, `${esc}]11;rgb:1/2/3${esc}\\`, `${esc}P>|x(1)${esc}\\`];
  for (const text of whole) {
    for (let at = 1; at < text.length; at++) expect(typedCharacters(eventsOf(bytesOf(text.slice(0, at))))).toBe('');
  }
});
