import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  progressEnd,
  progressSequence,
  screenPassthrough,
  sequenceText,
  tmuxPassthrough,
} from '#terminal/control-sequences.ts';
import {withReportedProgram} from '#terminal/environment.ts';
import {openableAddress} from '#terminal/open-url.ts';
import {notificationSequence, TitleWriter, titleSequence} from '#terminal/title.ts';
import {anyText} from '#test/support/any-text.ts';
import {allEnvironments, environmentOf, linux, screen, tmux, xterm} from './environments.ts';

const text = anyText(400);
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const note = {id: 7, title: 'Carol in #web', body: 'the build is green'};

describe('text inside a sequence', () => {
  test('is printable, on one line and limited in length', () => {
    fc.assert(
      fc.property(text, fc.integer({min: 2, max: 50}), (text, most) => {
        const safe = sequenceText(text, most);
        expect(safe).not.toMatch(controls);
        expect(Array.from(safe).length).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('cannot end the sequence', () => {
    fc.assert(
      fc.property(text, text, (title, body) => {
        const named = titleSequence(title, xterm);
        expect(named.slice(2, -1)).not.toMatch(controls);
        const shown = notificationSequence({id: 1, title, body}, 'urxvt', xterm);
        expect(shown.slice(2, -2)).not.toMatch(controls);
      }),
    );
  });
});

describe('titles', () => {
  test('are sent in the terminal’s format, and not where they would be printed', () => {
    expect(titleSequence('(3) #backend › deploy', xterm)).toBe('\u001b]2;(3) #backend › deploy\u0007');
    expect(titleSequence('(3) inbox', screen)).toBe('\u001bk(3) inbox\u001b\\');
    expect(titleSequence('(3) inbox', environmentOf({TERM: 'screen', SSH_TTY: '/dev/pts/1'}))).toBe(
      '\u001b]2;(3) inbox\u0007',
    );
    expect(titleSequence('(3) inbox', linux)).toBe('');
  });

  test('are at most 80 characters', () => {
    expect(Array.from(titleSequence('🦜'.repeat(200), xterm).slice(4, -1))).toHaveLength(80);
  });

  test('are written when they change, and again after another program had the terminal', () => {
    const written: string[] = [];
    const title = new TitleWriter(
      () => xterm,
      (sequence) => written.push(sequence),
    );
    title.show('loading');
    expect(written).toEqual([]);
    title.restore();
    for (const text of ['inbox', 'inbox', '(1) inbox', '(1)  inbox\n']) title.show(text);
    expect(written).toHaveLength(3);
    title.forget();
    title.show('(1) inbox');
    expect(written).toHaveLength(3);
    title.restore();
    expect(written).toHaveLength(4);
  });

  test('are written in the other form when the terminal turns out to be tmux', () => {
    const written: string[] = [];
    let environment = screen;
    const title = new TitleWriter(
      () => environment,
      (sequence) => written.push(sequence),
    );
    title.show('inbox');
    title.restore();
    environment = withReportedProgram(screen, {name: 'tmux', version: '3.5'});
    title.restore();
    expect(written).toEqual(['\u001bkinbox\u001b\\', '\u001b]2;inbox\u0007']);
  });
});

describe('notifications', () => {
  test.each([
    ['kitty', `\u001b]99;i=7:d=0:f=UGFybGV5;Carol in #web\u001b\\\u001b]99;i=7:p=body;the build is green\u001b\\`],
    ['urxvt', '\u001b]777;notify;Carol in #web;the build is green\u001b\\'],
    ['iterm', '\u001b]9;Carol in #web: the build is green\u0007'],
    ['bell', '\u0007'],
  ] as const)('kind %s', (kind, sequence) => {
    expect(notificationSequence(note, kind, xterm)).toBe(sequence);
  });

  test('ring the bell inside tmux and are passed through', () => {
    expect(notificationSequence(note, 'iterm', tmux)).toBe(
      '\u0007\u001bPtmux;\u001b\u001b]9;Carol in #web: the build is green\u0007\u001b\\',
    );
    expect(notificationSequence(note, 'bell', tmux)).toBe('\u0007');
  });

  test.each([linux, screen])('only ring the bell where more would be printed or dropped ($term)', (environment) => {
    expect(notificationSequence(note, 'kitty', environment)).toBe('\u0007');
  });

  test('separate title and text, and are never taken for progress', () => {
    expect(notificationSequence({id: 1, title: 'a;b', body: 'c;d'}, 'urxvt', xterm)).toBe(
      '\u001b]777;notify;a,b;c;d\u001b\\',
    );
    expect(notificationSequence({id: 1, title: '4;1;50', body: ''}, 'iterm', xterm)).toBe('\u001b]9;4,1;50\u0007');
  });

  test.each(allEnvironments)('have at most 200 characters per text (%s)', (_name, environment) => {
    const long = {id: 1, title: 'x'.repeat(500), body: 'y'.repeat(500)};
    expect(notificationSequence(long, 'urxvt', environment).length).toBeLessThan(450);
  });
});

describe('passthrough', () => {
  test('tmux: every ESC is doubled', () => {
    expect(tmuxPassthrough('\u001b]9;x\u001b\\')).toBe('\u001bPtmux;\u001b\u001b]9;x\u001b\u001b\\\u001b\\');
  });

  test('screen: pieces that join to the whole', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/]{0,2000}$/), (text) => {
        const pieces = screenPassthrough(`\u001b]52;c;${text}\u0007`).split('\u001b\\').slice(0, -1);
        expect(pieces.every((piece) => piece.startsWith('\u001bP') && piece.length <= 242)).toBe(true);
        expect(pieces.map((piece) => piece.slice(2)).join('')).toBe(`\u001b]52;c;${text}\u0007`);
      }),
    );
  });
});

test('progress: the fraction becomes whole percents', () => {
  expect([0, 0.333, 1, 7, -1].map(progressSequence)).toEqual(
    [0, 33, 100, 100, 0].map((percent) => `\u001b]9;4;1;${percent}\u0007`),
  );
  expect(progressEnd).toBe('\u001b]9;4;0\u0007');
});

test.each([
  ['https://example.com/a b?q=é', 'https://example.com/a%20b?q=%C3%A9'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['mailto:meg@example.com', 'mailto:meg@example.com'],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['ftp://example.com', undefined],
  ['--help', undefined],
  ['', undefined],
])('openable address: %o is %o', (text, address) => {
  expect(openableAddress(text)).toBe(address);
});

test('openable address: it contains nothing that a terminal or program would interpret', () => {
  fc.assert(
    fc.property(text, (text) => {
      expect(openableAddress(`https://example.com/${text}`) ?? 'https:').toMatch(/^https:[\u0021-\u007e]*$/);
      expect(openableAddress(`mailto:${text}`) ?? 'mailto:').toMatch(/^mailto:[\u0021-\u007e]*$/);
    }),
  );
});
