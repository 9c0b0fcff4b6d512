import type {CliIo} from '#cli/io.ts';

interface RawInput {
  setRawMode(isRaw: boolean): unknown;
}

function isRawInput(stdin: object): stdin is RawInput {
  return 'setRawMode' in stdin && typeof stdin.setRawMode === 'function';
}

/** One character without waiting for Enter; undefined at the end of the input. What else was typed is left alone. */
export function readKeyPress({stdin}: Pick<CliIo, 'stdin'>): Promise<string | undefined> {
  const {promise, resolve} = Promise.withResolvers<string | undefined>();
  const raw = isRawInput(stdin) ? stdin : undefined;
  const done = (key: string | undefined) => {
    stdin.off('data', read);
    stdin.off('end', ended);
    stdin.pause();
    raw?.setRawMode(false);
    resolve(key);
  };
  const ended = () => done(undefined);
  const read = (chunk: unknown) => {
    const text = Buffer.isBuffer(chunk) ? chunk.toString('utf8') : String(chunk);
    const [first = ''] = text;
    const rest = text.slice(first.length);
    done(first);
    if (rest !== '') stdin.unshift(Buffer.from(rest));
  };
  raw?.setRawMode(true);
  stdin.on('data', read);
  stdin.on('end', ended);
  stdin.resume();
  return promise;
}
