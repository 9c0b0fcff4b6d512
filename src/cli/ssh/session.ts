import type {Socket} from 'node:net';
import {type CliIo, PlainFailure, processIo} from '#cli/io.ts';
import {firstWords, isScreenVerb} from '#cli/verbs/verb-table.ts';
import {lockDown} from './session-lockdown.ts';
import type {FromSession, SessionStart, ToSession} from './session-messages.ts';

/** The variables that a session keeps from its own start. */
const ownVariables: ReadonlySet<string> = new Set(['HOME', 'UV_THREADPOOL_SIZE']);

/**
 * Runs in a process of its own for one connection over SSH, under Node's permission model. It waits until somebody has logged in, and
 * then runs what they asked for, on the standard streams, which are their channel. `run` runs the words of a command line.
 */
export async function runSshSession(run: (args: readonly string[], io: CliIo) => Promise<number>): Promise<number> {
  if (process.send === undefined || process.permission === undefined) {
    throw new PlainFailure('Sessions over SSH are started by “parley serve --ssh”.');
  }
  lockDown(process.env.HOME ?? '/');
  const {gc} = globalThis;
  const collectGarbage = gc && (async () => gc({type: 'major', flavor: 'last-resort', execution: 'sync'}));
  // Loaded before somebody waits for it.
  await Promise.all([
    import('#api/api.ts'),
    import('#cli/account-access/connect.ts'),
    import('#cli/screen/open-screen.tsx'),
    import('#cli/screen/run-screen-verb.ts'),
    import('#cli/verbs/run-verb.ts'),
  ]);
  await collectGarbage?.();
  const front = connectToFront();
  const {args, size, env, account} = await front.start;
  replaceEnvironment(env);
  if (size !== undefined) {
    becomeTerminal(size);
    front.onSize((changed) => {
      Object.assign(process.stdout, changed);
      process.stdout.emit('resize');
    });
    if (!opensScreen(args)) for (const stream of [process.stdout, process.stderr]) returnCarriage(stream);
  }
  // No key can be typed at a prompt: the lines of a terminal are edited by a machine that has one.
  const inputIsTty = size !== undefined && opensScreen(args);
  const io = {
    ...processIo(),
    inputIsTty,
    cwd: process.env.HOME ?? '/',
    restriction: {account, openSocket: front.openSocket, collectGarbage},
  };
  try {
    return await run(args, io);
  } finally {
    process.stdin.destroy();
    process.disconnect?.();
  }
}

function opensScreen([word]: readonly string[]): boolean {
  return word === undefined || isScreenVerb(word) || !(word.startsWith('-') || firstWords().includes(word));
}

/** Replaces the environment by the variables of the client. Where it runs says that the terminal is on another machine. */
function replaceEnvironment(env: SessionStart['env']): void {
  for (const name of Object.keys(process.env)) if (!ownVariables.has(name)) delete process.env[name];
  Object.assign(process.env, env, {SSH_TTY: 'channel'});
}

/** Gives the standard streams, which are pipes, what the screen uses of a terminal. */
function becomeTerminal(size: object): void {
  Object.assign(process.stdout, {isTTY: true, ...size});
  Object.assign(process.stderr, {isTTY: true});
  Object.assign(process.stdin, {isTTY: true, isRaw: true, setRawMode: () => process.stdin});
}

/** Ends lines as a terminal does that no system stands before. */
function returnCarriage(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    Reflect.apply(write, stream, [typeof chunk === 'string' ? chunk.replaceAll(/\r?\n/g, '\r\n') : chunk, ...rest]);
}

/** Connects to the SSH process, which starts this one. When it ends, the terminal is gone. */
function connectToFront() {
  const {promise: start, resolve: begin} = Promise.withResolvers<SessionStart>();
  const waiting = new Map<number, {resolve(socket: Socket): void; reject(error: Error): void}>();
  let onSize: (size: object) => void = () => {};
  let lastId = 0;
  const send = (message: FromSession) => process.send?.(message);
  process.on('message', (message: ToSession, socket: Socket | undefined) => {
    if (message.kind === 'start') begin(message.start);
    else if (message.kind === 'size') onSize(message.size);
    else {
      const request = waiting.get(message.id);
      waiting.delete(message.id);
      if (socket === undefined) request?.reject(new Error(message.problem ?? 'The server cannot be reached.'));
      else if (request === undefined) socket.destroy();
      else request.resolve(socket);
    }
  });
  process.on('disconnect', () => process.emit('SIGHUP', 'SIGHUP'));
  send({kind: 'ready'});
  return {
    start,
    onSize: (listener: (size: object) => void) => {
      onSize = listener;
    },
    openSocket: () =>
      new Promise<Socket>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, {resolve, reject});
        send({kind: 'socket', id});
      }),
  };
}
