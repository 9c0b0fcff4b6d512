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
  /** Everything it keeps is there. A scratch directory unless given: the same one again is the same person's next start. */
  readonly home?: string;
  /** The server of its account. Without one it opens what it opens for somebody who has no account. */
  readonly server?: {readonly url: string};
  /** Who it signs in as. */
  readonly person?: Person;
}

/** The built program in a terminal, as a person on a server; gone with everything it started when the test ends. */
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

/** The demo organization of a home lives in a process of its own, for some seconds longer than its users. */
async function endEmbedded(home: string): Promise<void> {
  const directory = join(pathsOf({}, home).data, 'demo-small');
  const found = await acquireServerLease(directory, systemClock);
  if (found === undefined) return;
  const {pid}: {pid: number} = JSON.parse(found.greeting);
  // Not gently: it would go on writing into the home for a while after it has said goodbye.
  process.kill(pid, 'SIGKILL');
  await found.ended;
}
