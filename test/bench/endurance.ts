/**
 * node test/bench/endurance.ts [--minutes 30] [--program FILE]
 *
 * Uses the built program in a terminal for a time: messages arrive, keys are pressed, and every minute there is a pause in which
 * garbage is collected. Prints one line at the end: minutes, messages, keys, the largest resident memory, and how it ended.
 */

import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {hasPid} from '#std/has-pid.ts';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import {conversationCount, measuredWorld, say} from '#test/bench/weight/measured-world.ts';
import {residentMiB} from '#test/bench/weight/process-figures.ts';

const {values} = parseArgs({options: {minutes: {type: 'string', default: '30'}, program: {type: 'string'}}});
if (values.program !== undefined) process.env.PARLEY_PROGRAM = values.program;

const world = await measuredWorld('small');
const terminal = world.open({cols: 120, rows: 40});
const began = performance.now();
const figures = {messages: 0, keys: 0, maxMiB: 0};
const isOver = () => !hasPid(terminal.pid);
const isTimeUp = () => isOver() || performance.now() - began > Number(values.minutes) * 60_000;
/** Longer than `memoryLimiter` and V8's memory reducer wait. */
const isPause = () => (performance.now() - began) % 60_000 > 40_000;

async function messages(): Promise<void> {
  for (; !isTimeUp(); figures.messages++) {
    if (isPause()) await sleep(1000);
    await say(world.writer, figures.messages % conversationCount, `Message ${figures.messages} with *some* \`code\``);
    await sleep(20);
  }
}

/** Keys that move and open, and change nothing on the server. */
const moves = ['j', 'k', 'j', 'J', 'K', ']', '[', 'a', 'I', 't', 'Esc'];

async function keys(): Promise<void> {
  for (; !isTimeUp(); figures.keys++) {
    while (isPause() && !isTimeUp()) await sleep(500);
    terminal.keys(moves[(figures.keys * 7 + Math.floor(figures.keys / 11)) % moves.length] ?? 'j');
    if (figures.keys % 20 === 0 && !isOver()) figures.maxMiB = Math.max(figures.maxMiB, residentMiB(terminal.pid));
    await sleep(50);
  }
}

try {
  await terminal.waitFor(parleyProgram.isUsable, 'content');
  await Promise.all([messages(), keys()]);
  const reason = isOver() ? `ended: ${JSON.stringify(await terminal.waitForExit())}` : 'still running';
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const {messages: sent, keys: pressed, maxMiB} = figures;
  console.log(`${minutes} minutes, ${sent} messages, ${pressed} keys, RSS max ${maxMiB.toFixed(0)} MiB, ${reason}`);
} finally {
  await terminal.close();
  await world.stop();
}
