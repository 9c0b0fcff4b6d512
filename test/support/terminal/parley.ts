import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {acquireServerLease} from '#cli/embedded/client-socket.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from './open-terminal.ts';
import {parleyCommand} from './parley-command.ts';
import type {Terminal, TerminalOptions} from './terminal.ts';

export interface OpenParleyOptions extends Omit<TerminalOptions, 'cwd'> {
  readonly args?: readonly string[];
  /** The home folder. A temporary one by default; the same one again is the same user's next start. */
  readonly home?: string;
  /** The server of its account. Without it the program starts without an account. */
  readonly server?: {readonly url: string};
  /** The user to log in as. */
  readonly person?: Person;
}

/** Runs the built program in a terminal as a user of a server; it and its child processes end with the test. */
export function openParley(options: OpenParleyOptions = {}): Terminal {
  const {args = [], home = scratchDirectory(), server, person, env = {}, ...terminal} = options;
  const signIn =
    server === undefined || person === undefined
      ? undefined
      : {site: server.url, email: person.email, apiKey: person.apiKey};
  const command = parleyCommand({home, args, env, ...(signIn === undefined ? {} : {signIn})});
  if (signIn === undefined) onTestFinished(() => endEmbedded(home));
  return openTerminal(command.file, command.args, {...terminal, env: command.env, cwd: command.cwd});
}

/** Ends the demo server of a home, a separate process that outlives its clients by some seconds. */
async function endEmbedded(home: string): Promise<void> {
  const directory = join(pathsOf({}, home).data, 'demo-small');
  const found = await acquireServerLease(directory, systemClock);
  if (found === undefined) return;
  const {pid}: {pid: number} = JSON.parse(found.greeting);
  // With SIGKILL: after a normal exit it would still write into the home for a while.
  process.kill(pid, 'SIGKILL');
  await found.ended;
}
