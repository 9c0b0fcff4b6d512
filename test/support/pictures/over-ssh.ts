import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {BenchApiClient, startBenchServer} from '#test/bench/bench-server.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {picture} from './picture.ts';

const title = 'A shell on a machine without Parley: what is unread, and a message from a pipe, over SSH';

/**
 * Draws a shell that uses the verbs with the client of OpenSSH. The screen over SSH looks as elsewhere, and shows the time: sessions do
 * not take the clock of pictures from the environment.
 */
export async function shellOverSsh(folder: string): Promise<string> {
  const data = join(folder, 'data');
  const served = await startBenchServer('--data', data, '--world', 'demo', '--bots', 'off', '--ssh', '0');
  try {
    const [you] = served.accounts;
    if (you === undefined) throw new Error('The demo has no account.');
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'laptop', '-f', file]);
    const key = readFileSync(`${file}.pub`, 'utf8');
    await new BenchApiClient(served, you).text('POST', '/parley/ssh_keys', {key});
    const status = execFileSync(process.execPath, ['src/parley.js', 'serve', 'status', '--data', data, '--json']);
    const {port} = JSON.parse(String(status)).ssh;
    const known = join(folder, 'known');
    const config = ['Host chat', 'HostName 127.0.0.1', `Port ${port}`, `IdentityFile ${file}`, 'IdentitiesOnly yes'];
    config.push('StrictHostKeyChecking no', 'LogLevel ERROR', `UserKnownHostsFile ${known}`);
    writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`);
    const start = `PS1='$ '\nssh() { command ssh -F '${join(folder, 'config')}' "$@"; }\n`;
    writeFileSync(join(folder, 'start'), start);
    const terminal = Terminal.open('bash', ['--noprofile', '--rcfile', join(folder, 'start'), '-i'], {
      size: {cols: 100, rows: 16},
      env: {PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8'},
    });
    try {
      await drive(terminal);
      return picture(terminal.screen(), {title});
    } finally {
      await terminal.close();
    }
  } finally {
    await served.stop();
  }
}

async function drive(terminal: Terminal): Promise<void> {
  const run = async (command: string, prompts: number) => {
    terminal.type(command);
    terminal.keys('Enter');
    await terminal.waitFor(({text}) => text.split(/^\$ ?/m).length > prompts, 'the next prompt');
  };
  await terminal.waitFor('$');
  await run('ssh chat unread | head -8', 2);
  await run(`echo 'All 212 tests passed.' | ssh chat "send --to '#almanac>nightly'"`, 3);
  terminal.type('ssh chat');
  await terminal.waitFor(/^\$ ssh chat$/m);
}
