import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {eventsText, typedCharacters} from './events-text.ts';

const esc = '\u001b';

/** A terminal's line whose reads are made by hand. Keeps what comes while nobody reads. */
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

function stage({escapeTimeoutMs = 50} = {}) {
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
    heard: () => eventsText(calls.flat()),
    text: () => typedCharacters(calls.flat()),
  };
}

describe('delivery', () => {
  test('all that one read holds comes in one call, in order', () => {
    const {line, calls} = stage();
    line.send(`jk${esc}[A`);
    expect(calls.map(eventsText)).toEqual(['j k Up']);
  });

  test('a read that completes nothing makes no call', () => {
    const {line, calls} = stage();
    line.send(`${esc}[1;`);
    expect(calls).toEqual([]);
    line.send('5C');
    expect(calls.map(eventsText)).toEqual(['Ctrl-Right']);
  });

  test('listeners that left hear nothing more', () => {
    const {line, source} = stage();
    const heard: string[] = [];
    const leave = source.onEvents((events) => heard.push(eventsText(events)));
    line.send('a');
    leave();
    line.send('b');
    expect(heard).toEqual(['a']);
  });

  test('while stopped nothing is read and nothing is lost', () => {
    const {line, clock, source, heard} = stage();
    line.send(`a${esc}`);
    source.stop();
    line.send('[');
    line.send('Ab');
    clock.advance(10_000);
    expect(heard()).toBe('a');
    source.start();
    clock.advance(10_000);
    expect(heard()).toBe('a Up b');
  });

  test('a listener may stop it', () => {
    const {line, clock, source, heard} = stage();
    const leave = source.onEvents(() => source.stop());
    line.send('hello\r');
    line.send('x');
    clock.advance(1000);
    expect(heard()).toBe('h e l l o');
    leave();
    source.start();
    clock.advance(1000);
    expect(heard()).toBe('h e l l o Enter(burst) x');
  });

  test('the end of the terminal is told once, after what was still held back', () => {
    const {line, source, heard} = stage();
    let ends = 0;
    source.onEnd(() => ends++);
    line.send(`abc\r${esc}`);
    line.emit('error', new Error('read EIO'));
    line.emit('end', undefined);
    expect(heard()).toBe('a b c Enter Esc');
    expect(ends).toBe(1);
  });
});

describe('Esc', () => {
  test.each([
    [50, 0],
    [150, 0],
    [150, 1],
    [50, 1],
  ])('is told after the timeout (%i ms, kitty flags %i), and no sooner', (escapeTimeoutMs, flags) => {
    const {line, clock, source, heard} = stage({escapeTimeoutMs});
    source.setKittyFlags(flags);
    line.send(esc);
    clock.advance(flags === 1 ? 149 : escapeTimeoutMs - 1);
    expect(heard()).toBe('');
    clock.advance(1);
    expect(heard()).toBe('Esc');
  });

  test('of the kitty protocol is told at once', () => {
    const {line, source, heard} = stage();
    source.setKittyFlags(5);
    line.send(`${esc}[27u`);
    expect(heard()).toBe('Esc');
  });

  test('and then another key are two keys', () => {
    const {line, clock, heard} = stage();
    for (const key of [esc, '[', 'j', esc, 'O', 'k', esc, ']', esc, 'P', esc]) {
      line.send(key);
      clock.advance(200);
    }
    expect(heard()).toBe('Esc [ j Esc O k Esc ] Esc P Esc');
  });

  test.each([
    [`${esc}[A`, 'Esc Up'],
    [`${esc}[27;5;99~`, 'Esc Ctrl-C'],
    [`${esc}b`, 'Esc Alt-b'],
  ])('and then a key that is a sequence are two keys: %j', (key, told) => {
    const {line, clock, heard} = stage();
    line.send(esc);
    clock.advance(300);
    line.send(key);
    expect(heard()).toBe(told);
  });

  test('Alt-_ and the text typed after it are not held back because typing goes on', () => {
    const {line, clock, heard} = stage({escapeTimeoutMs: 150});
    line.send(`${esc}_`);
    for (const key of 'abc') {
      clock.advance(60);
      line.send(key);
    }
    expect(heard()).toBe('Alt-_ a b c');
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

describe('a slow line', () => {
  const cases = [...arrows, ...answers].flatMap((text) =>
    [0, 40, 60, 100, 400].flatMap((gap) => Array.from(text, (_, at) => ({text, gap, at}))),
  );

  test('a sequence in two pieces is never typed as text, and what it says is heard', () => {
    for (const {text, gap, at} of cases.filter(({at}) => at > 0)) {
      const whole = stage();
      whole.line.send(text);
      const {line, clock, heard, text: typedText} = stage();
      line.send(text.slice(0, at));
      clock.advance(gap);
      line.send(text.slice(at));
      clock.advance(2000);
      expect(typedText()).toBe('');
      expect(heard().split(' ').at(-1)).toBe(whole.heard());
    }
  });

  test('over SSH, pieces up to 100 ms apart are as good as one', () => {
    for (const {text, gap, at} of cases.filter((each) => each.gap <= 100 && each.at > 0)) {
      const {line, clock, heard} = stage({escapeTimeoutMs: 150});
      const whole = stage();
      whole.line.send(text);
      line.send(text.slice(0, at));
      clock.advance(gap);
      line.send(text.slice(at));
      clock.advance(2000);
      expect(heard()).toBe(whole.heard());
    }
  });

  test('an arrow byte by byte is never typed as text', () => {
    for (const text of arrows.slice(0, 2)) {
      for (const gap of [10, 40, 60, 100]) {
        const {line, clock, text: typedText} = stage();
        for (const byte of text) {
          line.send(byte);
          clock.advance(gap);
        }
        clock.advance(2000);
        expect(typedText()).toBe('');
      }
    }
  });

  test('a paste whose ESC came early is a paste', () => {
    const {line, clock, heard} = stage();
    line.send(esc);
    clock.advance(80);
    line.send('[200~one\rtwo');
    clock.advance(80);
    line.send(`\rthree${esc}[201~`);
    expect(heard()).toBe('Esc "one\\rtwo\\rthree"');
  });

  test('a paste that stalls for good ends, so that keys work again', () => {
    const {line, clock, heard} = stage();
    line.send(`${esc}[200~one`);
    clock.advance(5000);
    line.send('j');
    expect(heard()).toBe('"one" j');
  });

  test('a busy program reads what has arrived before it takes an ESC for a key', () => {
    const {line, clock, heard} = stage();
    line.send(esc);
    // The read becomes due at the very moment the timeout does, as after a long turn of the event loop.
    clock.after(50, () => line.send('[A'));
    clock.advance(1000);
    expect(heard()).toBe('Up');
  });
});

describe('a paste without brackets', () => {
  test('a line that ends in Enter is sent', () => {
    const {line, clock, heard} = stage();
    line.send('hello\r');
    clock.advance(10);
    expect(heard()).toBe('h e l l o Enter');
  });

  test('Enter between lines that come together is part of them, and so is the last one', () => {
    const {line, clock, heard} = stage();
    line.send('one\rtwo\r\r');
    clock.advance(1000);
    expect(heard()).toBe('o n e Enter(burst) t w o Enter(burst) Enter(burst)');
  });

  test('also when each line is a read of its own', () => {
    const {line, clock, heard} = stage();
    line.send('one\r');
    clock.advance(5);
    line.send('two\r');
    clock.advance(100);
    line.send('six\r');
    clock.advance(1000);
    expect(heard()).toBe('o n e Enter(burst) t w o Enter(burst) s i x Enter(burst)');
  });

  test('also when each character is', () => {
    const {line, clock, heard} = stage();
    for (const key of 'abc\rde\r') {
      line.send(key);
      clock.advance(2);
    }
    clock.advance(1000);
    expect(heard()).toBe('a b c Enter(burst) d e Enter(burst)');
  });

  test('a Tab within it neither completes nor moves', () => {
    const {line, clock, heard} = stage();
    line.send('if x\r\ty\r');
    clock.advance(1000);
    expect(heard()).toBe('i f Space x Enter(burst) Tab(burst) y Enter(burst)');
  });

  test('what is typed afterwards is typed', () => {
    const {line, clock, heard} = stage();
    line.send('one\rtwo');
    clock.advance(121);
    line.send('\r');
    clock.advance(10);
    expect(heard()).toBe('o n e Enter(burst) t w o Enter');
  });

  test('a fast typist sends', () => {
    const {line, clock, heard} = stage();
    for (const key of 'abcd\re\r') {
      line.send(key);
      clock.advance(15);
    }
    expect(heard()).toBe('a b c d Enter e Enter');
  });

  test('an Enter typed by itself waits for nothing', () => {
    const {line, heard} = stage();
    line.send('\r');
    expect(heard()).toBe('Enter');
  });

  test('keys that no paste holds part it', () => {
    const {line, clock, heard} = stage();
    line.send(`abc\r${esc}[Axyz`);
    clock.advance(1000);
    expect(heard()).toBe('a b c Enter Up x y z');
  });

  test('no paste of several lines has an Enter that sends, however it is divided', () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{3,9}$/), {minLength: 2, maxLength: 8});
    fc.assert(
      fc.property(lines, fc.array(fc.nat(8), {maxLength: 60}), (texts, gaps) => {
        const {line, clock, calls} = stage();
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

describe('the wheel as arrows', () => {
  test('three at once are a turn of the wheel', () => {
    const {line, heard} = stage();
    line.send(`${esc}[A`.repeat(3));
    expect(heard()).toBe('Up(wheel) Up(wheel) Up(wheel)');
  });

  test('what follows in the same moment belongs to it', () => {
    const {line, clock, heard} = stage();
    line.send(`${esc}[B`.repeat(2));
    clock.advance(5);
    line.send(`${esc}[B`.repeat(2));
    expect(heard()).toBe('Down Down Down(wheel) Down(wheel)');
  });

  test('fewer, different, sideways or slower ones are keys', () => {
    const {line, clock, heard} = stage();
    line.send(`${esc}[A${esc}[A${esc}[B${esc}[B${esc}[C${esc}[C${esc}[C`);
    for (let index = 0; index < 4; index++) {
      clock.advance(30);
      line.send(`${esc}[A`);
    }
    expect(heard()).toBe('Up Up Down Down Right Right Right Up Up Up Up');
  });
});
