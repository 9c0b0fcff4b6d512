import {setTimeout as sleep} from 'node:timers/promises';
import type {RemoteScreen} from './clients.ts';

const keysPerSecond = 3;
/** Characters that are no final bytes of control sequences. */
const letters = 'eaoinsdvbyw';
const controlSequences = /\u001b(?:\[[\d;:?<>=]*[ -/]*[@-~]|\].*?(?:\u0007|\u001b\\)|[^[\]])/g;

/** All begin at the same time, which costs each of them code that was not used before. */
const beginningSeconds = 6;

interface Typed {
  /** The milliseconds from each key to the first bytes after it, sorted: of the keys of the beginning, and of those after it. */
  readonly beginning: readonly number[];
  readonly later: readonly number[];
  readonly unanswered: number;
  readonly keys: number;
}

/**
 * Types on all screens for some seconds, each at its own moments. A key is answered by bytes that contain its character. The next
 * one is pressed when it is due, whether or not the last one is answered.
 */
export async function typeEverywhere(screens: readonly RemoteScreen[], seconds: number): Promise<Typed> {
  const typed = await Promise.all(screens.map((screen, at) => typeOn(screen, at / screens.length, seconds)));
  const sorted = (samples: readonly number[]) => samples.toSorted((one, other) => one - other);
  return {
    beginning: sorted(typed.flatMap(({beginning}) => beginning)),
    later: sorted(typed.flatMap(({later}) => later)),
    unanswered: typed.reduce((sum, {unanswered}) => sum + unanswered, 0),
    keys: typed.reduce((sum, {keys}) => sum + keys, 0),
  };
}

async function typeOn(screen: RemoteScreen, phase: number, seconds: number): Promise<Typed> {
  const period = 1000 / keysPerSecond;
  const began = performance.now() + phase * period;
  const [beginning, later]: [number[], number[]] = [[], []];
  let waiting: {readonly letter: string; readonly pressedAt: number; firstBytes?: number}[] = [];
  screen.listen((chunk) => {
    const now = performance.now();
    const shown = chunk.toString('latin1').replaceAll(controlSequences, '');
    for (const key of waiting) key.firstBytes ??= now - key.pressedAt;
    // Of several keys the last one may be seen in one change of the screen together with those before it.
    const answered = waiting.findLastIndex(({letter}) => shown.includes(letter));
    for (const {firstBytes, pressedAt} of waiting.splice(0, answered + 1)) {
      const samples = pressedAt < began + beginningSeconds * 1000 ? beginning : later;
      samples.push(firstBytes ?? Number.NaN);
    }
  });
  const keys = seconds * keysPerSecond;
  for (let count = 0; count < keys; count++) {
    await sleep(Math.max(0, began + count * period - performance.now()));
    const letter = letters[count % letters.length] ?? 'e';
    waiting.push({letter, pressedAt: performance.now()});
    screen.write(letter);
  }
  await sleep(2000);
  const unanswered = waiting.length;
  waiting = [];
  return {beginning, later, unanswered, keys};
}
