import {expect, onTestFinished, test} from 'vitest';
import {ApiClient} from '#test/support/api-client.ts';
import {type CountedApp, startCountingServer} from '#test/support/request-counter.ts';
import {fewOf, fewOrAll} from '#test/support/tier.ts';
import {EmulatedStdout} from '#test/ui/ink/emulated-stdout.ts';
import {writeStream} from '#test/ui/ink/output-fuzz.ts';
import {silentStdin} from '#test/ui/ink/scene-fuzz.ts';
import {type MountedScreen, mountScreen} from './mount-screen.tsx';

const steps = Number(process.env.REDRAW_STEPS ?? fewOrAll(20, 200));
const seed = Number(process.env.REDRAW_SEED ?? 1);

/** Returns a function that returns random numbers below its argument, the same ones for the same seed. */
function randomNumbers(start: number): (below: number) => number {
  let state = start * 7919 + 17;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const keys = [
  ...['j', 'k', 'J', 'K', 'G', 'Home', 'Ctrl-D', 'Ctrl-U', 'Ctrl-E', 'Ctrl-Y', 'Up', 'Down', 'PageUp', 'PageDown'],
  ...['a', 't', 'I', '*', 'y', '[', ']', 'n', 'p', 's', 'g c', 'g u', 'g d', 'g t', 'g r', 'g ?', 'Alt-Left', 'Alt-/'],
  ...['Ctrl-W v', 'Ctrl-W s', 'Ctrl-W w', 'Ctrl-W h', 'Ctrl-W j', 'Ctrl-W z', 'Ctrl-W c', 'Ctrl-X w'],
  ...['\\', '|', 'Tab', 'Shift-Tab', 'Alt-l', 'Left', 'Right', 'Enter', 'Esc', 'Esc', 'Esc'],
  ...[
    '?',
    ';',
    '/',
    'q',
    'w',
    'Ctrl-G',
    'F1',
    'i',
    'u',
    ':',
    'S',
    '+',
    '-',
    '.',
    'U',
    'e',
    'z',
    'Z',
    'E',
    'b',
    'X',
    '1',
    'g',
  ],
  ...[
    'r',
    'c',
    'x',
    'Alt-p',
    'Ctrl-X p',
    'Ctrl-W',
    'Backspace',
    'Ctrl-T',
    'Ctrl-J',
    'Ctrl-A',
    'Ctrl-X d',
    '@ O',
    '# h',
  ],
] as const;

const texts = [
  'The tide turns at four.',
  'Longer **words** about [the quay](https://example.com/quay) and `ropes`, which need more than one line on a small screen.',
  '会議は三時から 🎉 and 👍🏽',
  '* one\n* two\n* three',
  '```js\nconst anchor = 3;\n```',
  '> quoted\n\nand answered :tada:',
  '| a | b |\n|---|---|\n| 1 | 2 |',
];

const sizes = [
  [80, 24],
  [130, 40],
  [200, 50],
  [60, 18],
  [30, 8],
] as const;

/** The screen in an emulated terminal, as the program shows it. */
class ShownScreen {
  readonly #app: CountedApp['app'];
  readonly #stdout: EmulatedStdout;
  readonly #ink: MountedScreen;

  constructor(app: CountedApp['app']) {
    const {columns, rows} = app.screen.size;
    this.#app = app;
    this.#stdout = new EmulatedStdout(columns, rows);
    // On the alternate screen, like the program: the emulator's other screen moves wrong rows after a resize.
    this.#stdout.write('\u001b[?1049h');
    this.#ink = mountScreen(writeStream(this.#stdout), silentStdin(), app);
  }

  /** Changes the size as the program does: the terminal may have reflowed the old frame, so it is erased. */
  resize(columns: number, rows: number): void {
    this.#stdout.resize(columns, rows);
    this.#stdout.write('\u001b[H\u001b[2J');
    this.#ink.forget();
    this.#app.set({size: {columns, rows}});
    this.#app.frames.paintNow();
    this.#stdout.emit('resize');
  }

  /** Returns the cells that the terminal shows, and those of the same frame in a new terminal. */
  async compared(): Promise<{shown: string[]; redrawn: string[]}> {
    await this.#ink.written();
    const {columns, rows} = this.#app.screen.size;
    const fresh = new EmulatedStdout(columns, rows);
    const ink = mountScreen(writeStream(fresh), silentStdin(), this.#app);
    await ink.written();
    const redrawn = await fresh.paintedRows(fresh.isCursorShown);
    const shown = await this.#stdout.paintedRows(this.#stdout.isCursorShown);
    ink.end();
    fresh.terminal.dispose();
    return {shown, redrawn};
  }

  end(): void {
    this.#ink.end();
    this.#stdout.terminal.dispose();
  }
}

test.each(fewOf(['unicode', 'words'] as const))(
  'redraw: after any keys, messages and sizes the screen shows the same as a new terminal, with %s',
  async (glyphs) => {
    const counting = await startCountingServer();
    const {people, meg, otto, server} = counting;
    people.channel('harbour', [meg, otto]);
    const client = new ApiClient(server.url, otto);
    const send = (topic: string, content: string) =>
      client.post('/messages', {type: 'stream', to: 'harbour', topic, content});
    for (let nth = 0; nth < 40; nth++) await send('masts', texts[nth % texts.length] ?? '');
    const program = counting.open('80x24');
    await program.settle();
    const {app} = program;
    app.setDisplay({glyphs});
    const screen = new ShownScreen(app);
    onTestFinished(async () => {
      screen.end();
      await program.stop();
      await counting.close();
    });
    const random = randomNumbers(seed);
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
    const history: string[] = [];
    for (let step = 0; step < steps; step++) {
      const kind = random(20);
      if (kind === 0) {
        const size = pick(sizes);
        history.push(`size ${size}`);
        screen.resize(size[0], size[1]);
      } else if (kind < 4) {
        const topic = pick(['masts', 'masts', 'ropes']);
        history.push(`message in ${topic}`);
        await send(topic, pick(texts));
      } else if (kind === 4) {
        history.push('text');
        program.type(pick(texts));
      } else {
        const key = pick(keys);
        history.push(key);
        program.press(...key.split(' '));
      }
      await program.pass(200);
      const {shown, redrawn} = await screen.compared();
      expect(shown, history.join(', ')).toEqual(redrawn);
    }
  },
  60_000 + steps * 2000,
);
