import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {eventsText, typedCharacters} from './events-text.ts';

const esc = '\u001b';

/** A terminal input whose reads are made by hand. It keeps input while it is not read. */
class Line {
  readonly #listeners = new Map<string, Set<(value: unknown) => void>>();
  #isFlowing = false;
  #unread: unknown[] = [];

  on(event: string, listener: (value: unknown) => void): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  off(event: string, listener: (value: unknown) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  resume(): void {
    this.#isFlowing = true;
    const unread = this.#unread;
    this.#unread = [];
    for (const chunk of unread) this.emit('data', chunk);
  }

  pause(): void {
    this.#isFlowing = false;
  }

  send(text: string): void {
    const chunk = Buffer.from(text, 'utf8');
    if (this.#isFlowing) this.emit('data', chunk);
    else this.#unread.push(chunk);
  }

  emit(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }
}

function makeSource({escapeTimeoutMs = 50} = {}) {
  const line = new Line();
  const clock = new ManualClock();
  const source = new KeySource({stdin: line, clock, escapeTimeoutMs});
  const calls: (readonly InputEvent[])[] = [];
  source.onEvents((events) => calls.push(events));
  source.start();
  return {
    line,
    clock,
    source,
    calls,
    received: () => eventsText(calls.flat()),
    text: () => typedCharacters(calls.flat()),
  };
}

describe('delivery', () => {
  test('all events of one read come in one call, in order', () => {
    const {line, calls} = makeSource();
    line.send(`jk${esc}[A`);
    expect(calls.map(eventsText)).toEqual(['j k Up']);
  });

  test('a read that completes no event makes no call', () => {
    const {line, calls} = makeSource();
    line.send(`${esc}[1;`);
    expect(calls).toEqual([]);
    line.send('5C');
    expect(calls.map(eventsText)).toEqual(['Ctrl-Right']);
  });

  test('removed listeners are not called', () => {
    const {line, source} = makeSource();
    const received: string[] = [];
    const leave = source.onEvents((events) => received.push(eventsText(events)));
    line.send('a');
    leave();
    line.send('b');
    expect(received).toEqual(['a']);
  });

  test('while stopped nothing is read and nothing is lost', () => {
    const {line, clock, source, received} = makeSource();
    line.send(`a${esc}`);
    source.stop();
    line.send('[');
    line.send('Ab');
    clock.advance(10_000);
    expect(received()).toBe('a');
    source.start();
    clock.advance(10_000);
    expect(received()).toBe('a Up b');
  });

  test('a listener may stop the source', () => {
    const {line, clock, source, received} = makeSource();
    const leave = source.onEvents(() => source.stop());
    line.send('hello\r');
    line.send('x');
    clock.advance(1000);
    expect(received()).toBe('h e l l o');
    leave();
    source.start();
    clock.advance(1000);
    expect(received()).toBe('h e l l o Enter(burst) x');
  });

  test('the end of the terminal is reported once, after the held events', () => {
    const {line, source, received} = makeSource();
    let ends = 0;
    source.onEnd(() => ends++);
    line.send(`abc\r${esc}`);
    line.emit('error', new Error('read EIO'));
    line.emit('end', undefined);
    expect(received()).toBe('a b c Enter Esc');
    expect(ends).toBe(1);
  });
});

describe('Esc', () => {
  test.each([
    [50, 0],
    [150, 0],
    [150, 1],
    [50, 1],
  ])('is delivered after the timeout (%i ms, kitty flags %i), and not before', (escapeTimeoutMs, flags) => {
    const {line, clock, source, received} = makeSource({escapeTimeoutMs});
    source.setKittyFlags(flags);
    line.send(esc);
    // In the kitty protocol the Esc key sends a sequence, so an ESC alone waits for its rest.
    clock.advance(flags === 1 ? 499 : escapeTimeoutMs - 1);
    expect(received()).toBe('');
    clock.advance(1);
    expect(received()).toBe('Esc');
  });

  test('in the kitty protocol is delivered at once', () => {
    const {line, source, received} = makeSource();
    source.setKittyFlags(5);
    line.send(`${esc}[27u`);
    expect(received()).toBe('Esc');
  });

  test('followed by another key is two keys', () => {
    const {line, clock, received} = makeSource();
    for (const key of [esc, '[', 'j', esc, 'O', 'k', esc, ']', esc, 'P', esc]) {
      line.send(key);
      clock.advance(200);
    }
    expect(received()).toBe('Esc [ j Esc O k Esc ] Esc P Esc');
  });

  test.each([
    [`${esc}[A`, 'Esc Up'],
    [`${esc}[27;5;99~`, 'Esc Ctrl-C'],
    [`${esc}b`, 'Esc Alt-b'],
    ['л', 'Esc л'],
  ])('followed by a key that is a sequence is two keys: %j', (key, expectedText) => {
    const {line, clock, received} = makeSource();
    line.send(esc);
    clock.advance(300);
    line.send(key);
    expect(received()).toBe(expectedText);
  });

  test('Alt-_ and text typed after it are delivered although typing continues', () => {
    const {line, clock, received} = makeSource({escapeTimeoutMs: 150});
    line.send(`${esc}_`);
    for (const key of 'abc') {
      clock.advance(60);
      line.send(key);
    }
    expect(received()).toBe('Alt-_ a b c');
  });
});

const arrows = [`${esc}[A`, `${esc}[1;5C`, `${esc}OP`, `${esc}[3~`, `${esc}[13;2u`];
const answers = [
  `${esc}[?62;4c`,
  `${esc}]11;rgb:1e1e/1e1e/1e1e${esc}\\`,
  `${esc}P>|XTerm(388)${esc}\\`,
  `${esc}[?2026;2$y`,
  `${esc}]99;i=p:p=?;${esc}\\`,
];

describe('a slow connection', () => {
  const cases = [...arrows, ...answers].flatMap((text) =>
    [0, 40, 60, 100, 140, 400].flatMap((gap) => Array.from(text, (_, at) => ({text, gap, at}))),
  );

  test('a sequence in two pieces never becomes text, and its event is delivered', () => {
    for (const {text, gap, at} of cases.filter(({at}) => at > 0)) {
      const whole = makeSource();
      whole.line.send(text);
      const {line, clock, received, text: typedText} = makeSource();
      line.send(text.slice(0, at));
      clock.advance(gap);
      line.send(text.slice(at));
      clock.advance(2000);
      expect(typedText()).toBe('');
      expect(received().split(' ').at(-1)).toBe(whole.received());
    }
  });

  test('where keys may be split, pieces up to 140 ms apart are joined, and none acts as Esc', () => {
    for (const {text, gap, at} of cases.filter((each) => each.gap <= 140 && each.at > 0)) {
      const {line, clock, received} = makeSource({escapeTimeoutMs: 150});
      const whole = makeSource();
      whole.line.send(text);
      line.send(text.slice(0, at));
      clock.advance(gap);
      line.send(text.slice(at));
      clock.advance(2000);
      expect(received()).toBe(whole.received());
    }
  });

  test('an arrow that arrives byte by byte never becomes text', () => {
    for (const text of arrows.slice(0, 2)) {
      for (const gap of [10, 40, 60, 100]) {
        const {line, clock, text: typedText} = makeSource();
        for (const byte of text) {
          line.send(byte);
          clock.advance(gap);
        }
        clock.advance(2000);
        expect(typedText()).toBe('');
      }
    }
  });

  test.each(answers)('a reply that was given up is completed by its rest, wherever it was split: %j', (answer) => {
    const whole = makeSource();
    whole.line.send(answer);
    const isString = /^\u001b[\]P]/.test(answer);
    for (const gap of isString ? [600, 4000] : [600, 1200]) {
      for (let at = 3; at < answer.length; at++) {
        const {line, clock, received, text} = makeSource();
        line.send(answer.slice(0, at));
        clock.advance(gap);
        line.send(answer.slice(at));
        clock.advance(5000);
        expect([text(), received().split(' ').at(-1)]).toEqual(['', whole.received()]);
      }
    }
  });

  test('an arrow whose parameters were given up is completed by its rest', () => {
    const {line, clock, received, text} = makeSource();
    line.send(`${esc}[1;`);
    clock.advance(700);
    line.send('5C');
    expect([text(), received().split(' ').at(-1)]).toEqual(['', 'Ctrl-Right']);
  });

  const [background = ''] = answers.filter((answer) => answer.includes(']11;'));

  test('keys typed while a reply is incomplete are delivered at once, and its rest is still no text', () => {
    const {line, clock, text} = makeSource();
    line.send(background.slice(0, 14));
    clock.advance(600);
    for (const key of 'each') line.send(key);
    expect(text()).toBe('each');
    clock.advance(600);
    line.send(background.slice(14));
    line.send('!');
    clock.advance(5000);
    expect(text()).toBe('each!');
  });

  test('a reply without its end costs no typed text, however it arrives', () => {
    const {line, clock, text, received} = makeSource();
    line.send(background.slice(0, 14));
    clock.advance(600);
    line.send('feed');
    clock.advance(2000);
    expect(text()).toBe('feed');
    line.send(`back${esc}[A\r`);
    clock.advance(50);
    expect([text(), received().split(' ').slice(-2)]).toEqual(['feedback', ['Up', 'Enter']]);
  });

  test('a paste after an incomplete reply is a paste', () => {
    const {line, clock, received} = makeSource();
    line.send(background.slice(0, 14));
    clock.advance(600);
    line.send(`${esc}[200~one`);
    line.send(` two${esc}[201~`);
    expect(received().split(' ').slice(1).join(' ')).toBe('"one two"');
  });

  test('a paste whose ESC arrived early is a paste', () => {
    const {line, clock, received} = makeSource();
    line.send(esc);
    clock.advance(80);
    line.send('[200~one\rtwo');
    clock.advance(80);
    line.send(`\rthree${esc}[201~`);
    expect(received()).toBe('Esc "one\\rtwo\\rthree"');
  });

  test('a paste without its end mark ends, so that keys work again', () => {
    const {line, clock, received} = makeSource();
    line.send(`${esc}[200~one`);
    clock.advance(5000);
    line.send('j');
    expect(received()).toBe('"one" j');
  });

  test('a busy program reads pending input before it takes an ESC for a key', () => {
    const {line, clock, received} = makeSource();
    line.send(esc);
    // The read becomes due at the same moment as the timeout, as after a long turn of the event loop.
    clock.after(50, () => line.send('[A'));
    clock.advance(1000);
    expect(received()).toBe('Up');
  });
});

test('a terminal without UTF-8: each byte is a character', () => {
  const {line, source, text} = makeSource();
  source.setUtf8(false);
  line.emit('data', Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
  expect(text()).toBe('Grüße');
});

describe('a paste without brackets', () => {
  test('a line that ends in Enter is sent', () => {
    const {line, clock, received} = makeSource();
    line.send('hello\r');
    clock.advance(10);
    expect(received()).toBe('h e l l o Enter');
  });

  test('Enter between lines that arrive together is part of the text, and so is the last one', () => {
    const {line, clock, received} = makeSource();
    line.send('one\rtwo\r\r');
    clock.advance(1000);
    expect(received()).toBe('o n e Enter(burst) t w o Enter(burst) Enter(burst)');
  });

  test('the same when each line is a separate read', () => {
    const {line, clock, received} = makeSource();
    line.send('one\r');
    clock.advance(5);
    line.send('two\r');
    clock.advance(100);
    line.send('six\r');
    clock.advance(1000);
    expect(received()).toBe('o n e Enter(burst) t w o Enter(burst) s i x Enter(burst)');
  });

  test('the same when each character is a separate read', () => {
    const {line, clock, received} = makeSource();
    for (const key of 'abc\rde\r') {
      line.send(key);
      clock.advance(2);
    }
    clock.advance(1000);
    expect(received()).toBe('a b c Enter(burst) d e Enter(burst)');
  });

  test('a Tab within it neither completes nor moves', () => {
    const {line, clock, received} = makeSource();
    line.send('if x\r\ty\r');
    clock.advance(1000);
    expect(received()).toBe('i f Space x Enter(burst) Tab(burst) y Enter(burst)');
  });

  test('keys after it count as typed', () => {
    const {line, clock, received} = makeSource();
    line.send('one\rtwo');
    clock.advance(121);
    line.send('\r');
    clock.advance(10);
    expect(received()).toBe('o n e Enter(burst) t w o Enter');
  });

  test('a fast typist’s Enter sends', () => {
    const {line, clock, received} = makeSource();
    for (const key of 'abcd\re\r') {
      line.send(key);
      clock.advance(15);
    }
    expect(received()).toBe('a b c d Enter e Enter');
  });

  test('a single Enter is not delayed', () => {
    const {line, received} = makeSource();
    line.send('\r');
    expect(received()).toBe('Enter');
  });

  test('keys that cannot be pasted end it', () => {
    const {line, clock, received} = makeSource();
    line.send(`abc\r${esc}[Axyz`);
    clock.advance(1000);
    expect(received()).toBe('a b c Enter Up x y z');
  });

  test('no paste of several lines has an Enter that sends, however it is split', () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{3,9}$/), {minLength: 2, maxLength: 8});
    fc.assert(
      fc.property(lines, fc.array(fc.nat(8), {maxLength: 60}), (texts, gaps) => {
        const {line, clock, calls} = makeSource();
        const text = `${texts.join('\r')}\r`;
        let from = 0;
        for (const gap of gaps) {
          line.send(text.slice(from, from + gap + 1));
          clock.advance(gap);
          from += gap + 1;
        }
        line.send(text.slice(from));
        clock.advance(1000);
        const enters = calls.flat().filter((event) => event.kind === 'key' && event.key.name === 'Enter');
        expect(enters.length).toBe(texts.length);
        expect(enters.every((event) => event.kind === 'key' && event.isBurst)).toBe(true);
      }),
    );
  });
});

describe('a terminal with bracketed paste', () => {
  test('keys that arrive together are typed, and only brackets make a paste', () => {
    const {line, source, received} = makeSource();
    source.setBracketedPaste(true);
    line.send(`yes\rok\tthen\r${esc}[200~one\rtwo${esc}[201~`);
    expect(received()).toBe('y e s Enter o k Tab t h e n Enter "one\\rtwo"');
  });

  test('an Enter that was held before this was known comes before later keys', () => {
    const {line, clock, source, received} = makeSource();
    line.send('yes\r');
    source.setBracketedPaste(true);
    line.send('no\r');
    clock.advance(1000);
    expect(received()).toBe('y e s Enter n o Enter');
  });
});

describe('the wheel as arrow keys', () => {
  test('three arrows at once are a turn of the wheel', () => {
    const {line, received} = makeSource();
    line.send(`${esc}[A`.repeat(3));
    expect(received()).toBe('Up(wheel) Up(wheel) Up(wheel)');
  });

  test('arrows at the same moment belong to the turn', () => {
    const {line, clock, received} = makeSource();
    line.send(`${esc}[B`.repeat(2));
    clock.advance(5);
    line.send(`${esc}[B`.repeat(2));
    expect(received()).toBe('Down Down Down(wheel) Down(wheel)');
  });

  test('fewer, different, sideways or slower arrows are keys', () => {
    const {line, clock, received} = makeSource();
    line.send(`${esc}[A${esc}[A${esc}[B${esc}[B${esc}[C${esc}[C${esc}[C`);
    for (let index = 0; index < 4; index++) {
      clock.advance(30);
      line.send(`${esc}[A`);
    }
    expect(received()).toBe('Up Up Down Down Right Right Right Up Up Up Up');
  });
});
