import {UsageError} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {readStdin} from '#cli/read-stdin.ts';

/** Returns the text that `-m` gives, or standard input: for “-” always, else unless it is a terminal. */
export async function contentFrom(
  {message, word}: {readonly message: string | undefined; readonly word: string | undefined},
  io: CliIo,
): Promise<string> {
  if (word !== undefined && word !== '-') {
    throw new UsageError(`Unexpected argument “${word}”. Give the text with -m, or “-” for standard input.`);
  }
  if (message !== undefined) {
    if (word === '-') throw new UsageError('Give the text with -m or on standard input, not both.');
    return message;
  }
  if (word !== '-' && io.inputIsTty) {
    throw new UsageError('No message text. Give it with -m, or pipe it in.');
  }
  return readStdin(io);
}
