/**
 * npm run pictures [-- NAME…]
 *
 * Regenerates the README's pictures with the built program in a terminal, on the demo organization. Each has a new server, and
 * the clock stands still, so that pictures change only with the program and the demo.
 */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startBenchServer} from '#test/bench/bench-server.ts';
import {clockAt} from '#test/support/terminal/clock-ahead.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import {animation} from './animation.ts';
import {shellOverSsh} from './over-ssh.ts';
import {picture} from './picture.ts';
import {type Shot, shots} from './shots.ts';
import {triageFrames, triageSize, triageTitle} from './triage.ts';

const directory = join('assets', 'screenshots');
const clock = clockAt(Date.parse('2026-03-18T10:40:30Z'));

interface Opening {
  readonly size: Size;
  readonly background: 'dark' | 'light';
  readonly args: readonly string[];
}

/** Opens the program on a new demo and returns what is drawn of it. */
async function drawn(
  {size, background, args}: Opening,
  draw: (terminal: Terminal) => Promise<string>,
): Promise<string> {
  // For the server, which inherits them.
  Object.assign(process.env, clock, {TZ: 'UTC'});
  const served = await startBenchServer('--memory', '--world', 'demo', '--bots', 'off');
  const home = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  try {
    const [you] = served.accounts;
    if (you === undefined) throw new Error('The demo has no account.');
    const command = parleyCommand({
      home,
      args,
      signIn: {site: served.url, email: you.email, apiKey: you.api_key},
      // Prevents the question about Enter.
      env: {PARLEY_ENTER_SENDS: 'yes', ...clock},
    });
    const terminal = Terminal.open(command.file, command.args, {size, background, env: command.env, cwd: command.cwd});
    try {
      return await draw(terminal);
    } finally {
      await terminal.close();
    }
  } finally {
    rmSync(home, {recursive: true, force: true});
    await served.stop();
  }
}

function screenshot(shot: Shot): Promise<string> {
  const {background, title} = shot;
  return drawn(shot, async (terminal) => {
    await shot.pose(terminal);
    const cursor = [5, 6].includes(terminal.modes.cursorShape) ? 'bar' : 'block';
    return picture(terminal.screen(), {background, title, cursor});
  });
}

function triage(): Promise<string> {
  return drawn({size: triageSize, background: 'dark', args: []}, async (terminal) =>
    animation(await triageFrames(terminal), triageTitle),
  );
}

const pictures = new Map<string, () => Promise<string>>([['triage.svg', triage]]);
pictures.set('over-ssh.svg', async () => {
  Object.assign(process.env, clock, {TZ: 'UTC'});
  const folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  try {
    return await shellOverSsh(folder);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});
for (const shot of shots) pictures.set(shot.file, () => screenshot(shot));

const names = process.argv.slice(2);
mkdirSync(directory, {recursive: true});
for (const [file, make] of pictures) {
  if (names.length > 0 && !names.some((name) => file.startsWith(name))) continue;
  const svg = await make();
  writeFileSync(join(directory, file), svg);
  console.log(`${join(directory, file)}  ${(svg.length / 1024).toFixed(0)} KiB`);
}
