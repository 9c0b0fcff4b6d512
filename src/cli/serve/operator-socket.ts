import {randomBytes, timingSafeEqual} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {Socket} from 'node:net';
import {join} from 'node:path';
import {linesOf} from '#cli/embedded/client-socket.ts';
import {replacePrivateFile} from '#config/private-files.ts';
import type {ServerContext} from '#server/context.ts';
import {asApiError, check} from '#server/errors.ts';
import {isReading, type OperatorSession, runOperatorCommand} from '#server/operator/operator-commands.ts';
import {withFailureHandler} from '#std/failure-handler.ts';
import {parseJson} from '#std/parse-json.ts';
import type {ServerLog} from './server-log.ts';

/** The version of the commands, which the greeting of the client socket says. Servers without it know none. */
export const operatorProtocol = 1;

const keyLength = 64;

/**
 * Returns the key that each command of an operator has with it, from a file of the data directory; undefined if there is none. Sessions
 * over SSH run as the user of the server and can connect to its socket, but cannot read the file.
 */
export function operatorKey(directory: string): string | undefined {
  try {
    const key = readFileSync(keyFile(directory), 'utf8');
    return key.length === keyLength ? key : undefined;
  } catch {
    return undefined;
  }
}

function keyFile(directory: string): string {
  return join(directory, 'operator_key');
}

/** What the server answers to `{command, params, key}`: any number of `progress`, then one of the others. One per line. */
export interface OperatorReply {
  readonly progress?: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Returns what answers the commands of operators at the client socket, one after the other. */
export function answerOperator(server: ServerContext, directory: string, log: ServerLog): (socket: Socket) => void {
  const expected = Buffer.from(operatorKey(directory) ?? newOperatorKey(directory, log));
  const isExpected = (key: unknown) => {
    const given = Buffer.from(String(key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return (socket) => {
    const tasks: (() => void)[] = [];
    const attempt = (task: () => void) => {
      try {
        task();
      } catch (error) {
        log.line('What a command of the operator used could not be removed', error);
      }
    };
    socket.once('close', () => {
      for (const task of tasks.splice(0).reverse()) attempt(task);
    });
    const send = (reply: OperatorReply) => {
      if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
    };
    const session: OperatorSession = {
      server,
      directory,
      progress: (fraction) => send({progress: fraction}),
      atEnd: (task) => (socket.destroyed ? attempt(task) : tasks.push(task)),
    };
    const answer = async (line: string) => {
      try {
        const {command, params, key} = parseJson(line) as {readonly [name in 'command' | 'params' | 'key']?: unknown};
        check(
          isExpected(key),
          'This command needs the operator_key of the data directory, which this Parley does not have.',
        );
        const result = (await runOperatorCommand(session, String(command), params)) ?? null;
        if (!isReading(String(command))) log.event({event: 'administration', request: `operator ${command}`});
        send({result});
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error: unknown) => {
      if (asApiError(error) === undefined) log.line('A command of the operator failed', error);
      send({error: asApiError(error)?.message ?? 'The server failed. Its log says why.'});
    };
    let previous = Promise.resolve();
    linesOf(socket).on('line', (line) => {
      previous = previous.then(() => withFailureHandler(fail, () => answer(line))).catch(fail);
    });
  };
}

function newOperatorKey(directory: string, log: ServerLog): string {
  const key = randomBytes(keyLength / 2).toString('hex');
  try {
    replacePrivateFile(keyFile(directory), key);
  } catch (error) {
    log.line('Commands of operators are refused until the next start', error);
  }
  return key;
}
