import {setTimeout as sleep} from 'node:timers/promises';
import {summary} from '#test/bench/table.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import type {MeasuredAction} from './measured-program.ts';

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** Bytes that the program wrote per key, for whatever reason. */
  readonly bytes: number;
}

/** A longer delay counts as a failure. */
const patienceMs = 15_000;
/** Warm-up rounds, which are not counted. */
const warmUp = 20;

/** Measures from writing the keys until the frame with their effect is on the emulator's screen. */
export async function latencyOf(terminal: Terminal, action: MeasuredAction, rounds: number): Promise<Latency> {
  await action.enter(terminal);
  const all = Math.min(rounds + warmUp, action.rounds ?? Number.POSITIVE_INFINITY);
  const uncounted = action.rounds === undefined ? warmUp : Math.min(warmUp, Math.floor(all / 5));
  const samples: number[] = [];
  let bytesBefore = terminal.bytes.received;
  for (let round = 0; round < all; round++) {
    if (round === uncounted) bytesBefore = terminal.bytes.received;
    const took = await answered(terminal, action, round);
    if (round >= uncounted) samples.push(took);
    // Random pauses like those of a typist, so that no timer of the program keeps step.
    await sleep(12 + ((round * 7) % 23));
  }
  const bytes = (terminal.bytes.received - bytesBefore) / samples.length;
  await action.leave(terminal);
  return {...summary(samples), bytes};
}

function answered(terminal: Terminal, action: MeasuredAction, round: number): Promise<number> {
  const before = action.watched(terminal);
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      stop();
      reject(new Error(`${action.name}: no answer to key ${round + 1}.\n${terminal.screen().printed()}`));
    }, patienceMs);
    const stop = terminal.onFrame(() => {
      const now = performance.now();
      const after = action.watched(terminal);
      if (after === '' || after === before) return;
      stop();
      clearTimeout(limit);
      resolve(now - start);
    });
    const start = performance.now();
    terminal.keys(...action.keys(round));
  });
}
