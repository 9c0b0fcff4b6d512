import {once} from 'node:events';
import {existsSync, mkdirSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {sessionFlags} from '#build/launch-flags.ts';
import type {FromSession, SessionStart, ToSession} from '#cli/ssh/session-messages.ts';
import {startSessionProcess} from '#cli/ssh/session-process.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {ChannelTerminal} from './channel-terminal.ts';

interface SessionOptions {
  readonly server: {readonly url: string; readonly port: number};
  readonly person: Person;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** Starts the process of a session and does for it what the SSH process does. */
export async function startedSession({
  server,
  person,
  args = [],
  env = {},
  folder = scratchDirectory(),
}: SessionOptions) {
  const program = {file: process.execPath, args: [builtProgram()]};
  const home = join(folder, 'home');
  const child = startSessionProcess({program, flags: sessionFlags, folder: home});
  onTestFinished(() => void child.kill('SIGKILL'));
  const send = (message: ToSession) => void child.send(message);
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: FromSession) => {
    if (message.kind === 'ready') ready.resolve();
    else {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.once('connect', () => child.send({kind: 'socket', id: message.id}, socket));
    }
  });
  await ready.promise;
  if (!existsSync(home)) mkdirSync(home);
  const account = {site: server.url, email: person.email, key: person.apiKey, name: 'harbor'};
  const start = (size: SessionStart['size']) => send({kind: 'start', start: {args, size, env, account}});
  const {stdin, stdout, stderr} = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('There are no streams');
  return {
    child,
    home,
    stdin,
    ended: once(child, 'exit').then(([code]) => Number(code)),
    resize: (columns: number, rows: number) => send({kind: 'size', size: {columns, rows}}),
    /** Opens the screen. */
    screen: (columns = 80, rows = 24) => {
      const terminal = new ChannelTerminal(stdout, stdin, {cols: columns, rows});
      start({columns, rows});
      stderr.pipe(process.stderr);
      return terminal;
    },
    /** Runs a verb with this input; resolves with what it printed. */
    run: async (input = '') => {
      start(undefined);
      stdin.end(input);
      const [output, errors] = await Promise.all([text(stdout), text(stderr)]);
      return {output, errors};
    },
  };
}
