import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {Readable} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {showWelcomeMenu} from '#cli/screen/welcome-menu.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {testIo} from '#test/support/cli-io.ts';
import {type CountedApp, countTimers, openApp} from '#test/support/request-counter.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {EmulatedStdout} from '#test/ui/ink/emulated-stdout.ts';
import {writeStream} from '#test/ui/ink/output-fuzz.ts';
import {silentStdin} from '#test/ui/ink/scene-fuzz.ts';
import {mountScreen} from '#test/ui/mount-screen.tsx';
import {harbourWorld} from './harbour-world.ts';
import {type GoldenScreen, goldenScreens, type Step} from './screen-table.ts';

const folder = 'test/golden';
const isUpdating = process.env.PARLEY_GOLDEN === 'update';
const cases = goldenScreens.flatMap((screen) =>
  screen.sizes.map((size) => ({screen, size, file: `${screen.name}-${size}.txt`})),
);
const firstStart = 'first-start.txt';

/** Expects the text to be that of the file; with `npm run golden` it is written there. */
function expectGolden(file: string, text: string): void {
  const path = `${folder}/${file}`;
  if (isUpdating) writeFileSync(path, text);
  const how = `${path} differs from the screen of the program. If the change is intended: npm run golden`;
  expect(text, how).toBe(readFileSync(path, 'utf8'));
}

/** Returns the rows of a terminal on which the program paints its screen. */
async function shownRows({app}: CountedApp): Promise<readonly string[]> {
  const {columns, rows} = app.screen.size;
  const stdout = new EmulatedStdout(columns, rows);
  const ink = mountScreen(writeStream(stdout), silentStdin(), app);
  try {
    await ink.written();
    return await stdout.texts();
  } finally {
    ink.end();
    stdout.terminal.dispose();
  }
}

async function takeStep(program: CountedApp, step: Step): Promise<void> {
  if (typeof step === 'string') program.press(...step.split(' '));
  else program.type(step.type);
  await program.settle();
}

/** Runs the program until it shows the screen and returns its rows. */
async function goldenRows({steps, shows, fault, isOffline}: GoldenScreen, size: string): Promise<readonly string[]> {
  const {server, clock, mira} = await harbourWorld();
  const {store} = openAccountStore({path: ':memory:', clock, random: () => 0.5, log: () => {}});
  const open = () =>
    openApp({url: server.url, person: mira, clock, timers: countTimers(clock), store, size, options: {}});
  let program = open();
  onTestFinished(async () => {
    await program.stop();
    store.close();
  });
  await program.settle();
  if (isOffline) {
    // Long enough for the newest messages to be fetched and saved.
    await program.pass(40_000);
    await program.stop();
    await server.close();
    program = open();
    await program.settle();
  }
  if (fault !== undefined) {
    await fetch(`${server.url}/test-hooks/fault`, {method: 'POST', body: JSON.stringify(fault)});
  }
  for (const step of steps) await takeStep(program, step);
  // What is fetched after a pause without keys, such as the sizes of images, has been fetched then.
  await program.pass(11_000);
  const rows = await shownRows(program);
  expect(rows.join('\n')).toContain(shows);
  return rows;
}

function textOf({about, steps}: GoldenScreen, size: string, rows: readonly string[]): string {
  const keys = steps.map((step) => (typeof step === 'string' ? step : `“${step.type}”`));
  const how = keys.length === 0 ? 'after the start' : `keys ${keys.join(', ')}`;
  return [`${about}.`, `${size}, ${how}`, '', ...rows, ''].join('\n');
}

test.each(cases)('golden screens: $file is what the program shows', async ({screen, size, file}) => {
  expectGolden(file, textOf(screen, size, await goldenRows(screen, size)));
});

test('golden screens: a user without an account gets a menu', async () => {
  const io = testIo({home: scratchDirectory(), stdin: Readable.from([Buffer.from('q')])});
  await showWelcomeMenu(io);
  expectGolden(firstStart, `The first start, without an account.\n\n${io.out()}`);
});

test('golden screens: the folder has one file for each screen and size', () => {
  const known = [...cases.map(({file}) => file), firstStart];
  const extra = readdirSync(folder).filter((file) => file.endsWith('.txt') && !known.includes(file));
  if (isUpdating) for (const file of extra) rmSync(`${folder}/${file}`);
  else expect(extra, 'No screen has these files. To remove them: npm run golden').toEqual([]);
});
