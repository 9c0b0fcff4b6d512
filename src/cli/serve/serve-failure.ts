import {DatabaseInUse} from '#server/db/database.ts';

/** The server cannot start, for a reason that is the situation's: one sentence. */
export class ServeFailure extends Error {
  override readonly name = 'ServeFailure';
}

/** What kept a server from starting, as a sentence where it can be one. */
export function asServeFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'UsageError') return error;
  if (error instanceof DatabaseInUse) {
    return new ServeFailure(
      `${error.message} Stop that one, or choose another place with --data; one that a verb started ends by itself.`,
    );
  }
  const words = {code: '', syscall: '', address: '', port: '', hostname: '', ...error};
  const sentence = words.syscall === 'listen' ? listenSentence(words) : undefined;
  if (sentence !== undefined) return new ServeFailure(sentence);
  if (words.code === 'ENOTFOUND') return new ServeFailure(`There is no address for ${words.hostname}.`);
  const isSystems = words.syscall !== '' || words.code === 'ERR_SQLITE_ERROR';
  return isSystems ? new ServeFailure(`The server cannot start: ${error.message}.`) : error;
}

function listenSentence({code, address, port}: {code: string; address: string; port: string}) {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is taken. Choose another with --port, or 0 for a free one.`;
    case 'EACCES':
      return `Not allowed to listen on ${address}:${port}. Ports below 1024 need more rights.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}.`;
    default:
      return undefined;
  }
}
