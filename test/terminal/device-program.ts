/** A program for tests of the terminal: it takes it over, prints what it knows, reacts to keys, and restores it. */
import {writeFileSync} from 'node:fs';
import {systemClock as clock} from '#std/clock.ts';
import {editText} from '#terminal/editor.ts';
import {escapeTimeoutMs, terminalEnvironment} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {TerminalLifecycle} from '#terminal/lifecycle.ts';
import {cursorShape, enterModes, keyboardMode, leaveModes, mouseMode} from '#terminal/modes.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import {runInTerminal} from '#terminal/run-program.ts';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {TitleWriter} from '#terminal/title.ts';
import {writeNow} from '#terminal/write-now.ts';

const [directory = '.'] = process.argv.slice(2);
const environment = terminalEnvironment(process.env, true);
const output = new TerminalOutput(process.stdout, () => lifecycle.lost());
const keys = new KeySource({stdin: process.stdin, clock, escapeTimeoutMs: escapeTimeoutMs(environment)});
const title = new TitleWriter(
  () => environment,
  (sequence) => output.write(sequence),
);
const probe = new TerminalProbe({
  environment,
  clock,
  onChange: ({isSettled}) => {
    draw();
    if (isSettled) title.restore();
  },
  onKeyboard: (protocol) => output.write(keyboardMode(protocol)),
});
let typed = '';
let entered = 0;
let ticks = 0;

const lifecycle = new TerminalLifecycle({
  host: process,
  clock,
  writeNow: (text) => writeNow(1, text),
  setRawMode: (isRaw) => process.stdin.setRawMode(isRaw),
  enter: () =>
    enterModes(environment, {alternateScreen: true, mouse: false}) +
    mouseMode(environment, true) +
    cursorShape(environment, 'bar') +
    probe.startQuery(),
  leave: () => leaveModes(environment),
  onLeave: () => {
    keys.stop();
    title.forget();
    output.mute();
  },
  onEnter: () => {
    output.unmute();
    entered++;
    keys.start();
    draw();
  },
  onEnd: async (reason) => {
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(`${directory}/saved`, reason.kind === 'signal' ? reason.signal : reason.kind);
  },
  afterEnd: (reason) => {
    if (reason.kind === 'crash') process.stderr.write(`It failed: ${String(reason.error)}\n`);
  },
});

/** Draws the whole screen in several writes. */
function draw(): void {
  const {isSettled, program, background, isUtf8, kittyKeyboard, trueColor} = probe.capabilities;
  const facts = {isSettled, program: program?.name, background, isUtf8, kittyKeyboard, trueColor};
  const rows = [
    `pid ${process.pid} entered ${entered} size ${output.size.columns}x${output.size.rows}`,
    `typed [${typed}]`,
    ...Object.entries(facts).map(([name, value]) => `${name}=${value}`),
  ];
  output.write('\u001b[H\u001b[2J');
  output.write(rows.join('\r\n'));
  title.show(`typed ${typed}`);
}

const deeds: Readonly<Record<string, () => unknown>> = {
  q: () => {
    lifecycle.leave();
    process.exit(0);
  },
  x: () => process.exit(7),
  c: () => {
    throw new Error('a defect');
  },
  r: () => Promise.reject(new Error('a broken promise')),
  z: () => lifecycle.suspend(),
  e: async () => {
    lifecycle.pause();
    const edited = await editText(
      {text: typed, header: ['To nobody']},
      {env: process.env, directory, run: runInTerminal},
    );
    typed = `${edited.kind} ${edited.text}`;
    lifecycle.resume();
  },
  /** Writes more than a terminal accepts at once, while counting time. */
  f: () => {
    output.write('flood\r\n'.repeat(200_000));
    output.flush();
    const counted = setInterval(() => writeFileSync(`${directory}/ticks`, String(++ticks)), 5);
    writeFileSync(`${directory}/blocked`, String(output.needsDrain));
    void output.whenDrained().then(() => {
      clearInterval(counted);
      typed = 'drained';
      draw();
    });
  },
};

keys.onEvents((events) => {
  for (const event of events) {
    probe.handleEvent(event);
    if (event.kind !== 'key') continue;
    const deed = deeds[event.key.name];
    if (deed === undefined) typed += event.key.name;
    else deed();
  }
  if (lifecycle.hasTerminal) draw();
});
keys.onEnd(() => lifecycle.lost());
output.watchSize(clock, draw);
lifecycle.enter();
