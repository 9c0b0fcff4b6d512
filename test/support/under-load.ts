// Repeats a command while busy processes compete with it for the processors, which finds tests that depend on time:
//   node test/support/under-load.ts [--times 10] [--busy 8] -- COMMAND…
// Prints the output of each run that failed, and one line for each run.
import {spawn} from 'node:child_process';
import {parseArgs} from 'node:util';
import {killProcess} from './kill-process.ts';

/** Also ends when this process was killed. */
const busyScript = 'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++);';

/** Runs a command to its end; its output, and how it failed unless it passed. */
function run(command: string, args: readonly string[]): Promise<{output: string; failure: string | undefined}> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'pipe']});
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({output, failure: code === 0 ? undefined : (signal ?? `exit code ${code}`)});
    });
  });
}

const {values, positionals} = parseArgs({
  options: {times: {type: 'string', default: '10'}, busy: {type: 'string', default: '8'}},
  allowPositionals: true,
});
const [command, ...args] = positionals;
if (command === undefined) throw new Error('The command to repeat is missing, after "--".');
const busy = Array.from({length: Number(values.busy)}, () =>
  spawn(process.execPath, ['-e', busyScript], {stdio: 'ignore'}),
);
const times = Number(values.times);
let failureCount = 0;
try {
  for (let round = 1; round <= times; round++) {
    const {output, failure} = await run(command, args);
    if (failure !== undefined) {
      failureCount++;
      process.stdout.write(output);
    }
    console.log(`Run ${round} of ${times}: ${failure ?? 'passed'}`);
  }
} finally {
  await Promise.all(busy.map(killProcess));
}
console.log(`${failureCount} of ${times} runs failed.`);
process.exitCode = failureCount === 0 ? 0 : 1;
