import {appendFileSync} from 'node:fs';
import type {Socket} from 'node:net';
import {createInterface} from 'node:readline';
import type {ServerContext} from '#server/context.ts';
import {ApiError, asApiError} from '#server/http/errors.ts';
import type {ServerEvent} from '#server/http/server-events.ts';
import {isReading, type OperatorSession, runOperatorCommand} from '#server/operator/operator-commands.ts';
import type {Clock} from '#std/clock.ts';
import {parseJson} from '#std/parse-json.ts';
import {printable} from '#std/printable.ts';

/** The version of the commands, which the greeting of the client socket says. Servers without it know none. */
export const operatorProtocol = 1;

/** What the server answers to `{command, params}`: any number of `progress`, then one of the others. One per line. */
export interface OperatorReply {
  readonly progress?: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Returns what answers the commands of operators at the client socket, one after the other. */
export function answerOperator(server: ServerContext, directory: string, log: ServerLog): (socket: Socket) => void {
  return (socket) => {
    const tasks: (() => void)[] = [];
    socket.once('close', () => {
      for (const task of tasks.splice(0).reverse()) task();
    });
    const send = (reply: OperatorReply) => {
      if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
    };
    const session: OperatorSession = {
      server,
      directory,
      progress: (fraction) => send({progress: fraction}),
      atEnd: (task) => (socket.destroyed ? task() : tasks.push(task)),
    };
    let previous = Promise.resolve();
    createInterface({input: socket}).on('line', (line) => {
      previous = previous.then(async () => {
        try {
          const {command, params} = parseJson(line) as {readonly command?: unknown; readonly params?: unknown};
          const result = (await runOperatorCommand(session, String(command), params)) ?? null;
          if (!isReading(String(command))) log.event({event: 'administration', request: `operator ${command}`});
          send({result});
        } catch (error) {
          if (!(error instanceof ApiError)) log.line('A command of the operator failed', error);
          send({error: asApiError(error)?.message ?? 'The server failed. Its log says why.'});
        }
      });
    });
  };
}

/** The log of a server: one line for each event and each failure. */
export interface ServerLog {
  /** Logs a line. It never contains credentials: only the route and the error. */
  line(text: string, error?: unknown): void;
  event(event: ServerEvent): void;
}

/** Returns a log that is read by people, or as JSON by programs. */
export function serverLog(format: 'text' | 'json', clock: Clock, write: (line: string) => void): ServerLog {
  const log = (event: string, text: string, fields: Readonly<Record<string, unknown>>) => {
    const time = new Date(clock.now()).toISOString();
    const named = Object.entries(fields).filter(([, value]) => value !== undefined);
    const words = [time, event, text, ...named.map(([name, value]) => `${name}=${value}`)];
    const line = format === 'json' ? JSON.stringify({time, event, text, ...fields}) : words.join(' ');
    write(`${printable(line.replaceAll(/\s*\n\s*/g, ' | '))}\n`);
  };
  return {
    line(text, error) {
      if (error === undefined) log('notice', text, {});
      else log('error', text, {error: error instanceof Error ? (error.stack ?? error.message) : String(error)});
    },
    event: ({event, request, ...fields}) => log(event, request, fields),
  };
}

/**
 * Returns what writes lines to a file, or to standard error. The file is opened for each line, so that the system can
 * rename it at any time; on a full disk the lines go to standard error.
 */
export function logWriter(path: string | undefined, toStderr: (line: string) => void): (line: string) => void {
  if (path === undefined) return toStderr;
  return (line) => {
    try {
      appendFileSync(path, line, {mode: 0o600});
    } catch {
      toStderr(line);
    }
  };
}
