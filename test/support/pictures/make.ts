/**
 * npm run pictures [-- NAME…]
 *
 * Regenerates the README's screenshots with the built program in a terminal, on the demo organization.
 */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BenchAccount, startBenchServer} from '#test/bench/bench-server.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {picture} from './picture.ts';
import {type Shot, shots} from './shots.ts';

const directory = join('assets', 'screenshots');

async function screenshot(shot: Shot, site: string, {email, api_key: apiKey}: BenchAccount): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  const {size, background, title} = shot;
  const {file, args, env, cwd} = parleyCommand({
    home,
    args: shot.args,
    signIn: {site, email, apiKey},
    // Prevents the question about Enter.
    env: {PARLEY_ENTER_SENDS: 'yes'},
  });
  const terminal = Terminal.open(file, args, {size, background, env, cwd});
  try {
    await shot.pose(terminal);
    const cursor = [5, 6].includes(terminal.modes.cursorShape) ? 'bar' : 'block';
    return picture(terminal.screen(), {background, title, cursor});
  } finally {
    await terminal.close();
    rmSync(home, {recursive: true, force: true});
  }
}

const names = process.argv.slice(2);
const served = await startBenchServer('--memory', '--bots', 'off');
const [you] = served.accounts;
if (you === undefined) throw new Error('The demo has no account.');
mkdirSync(directory, {recursive: true});
try {
  for (const shot of shots) {
    if (names.length > 0 && !names.some((name) => shot.file.startsWith(name))) continue;
    const svg = await screenshot(shot, served.url, you);
    writeFileSync(join(directory, shot.file), svg);
    console.log(`${join(directory, shot.file)}  ${(svg.length / 1024).toFixed(0)} KiB`);
  }
} finally {
  await served.stop();
}
