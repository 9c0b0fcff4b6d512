import {readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {writePrivateFile} from '#config/private-files.ts';

const fileOf = (directory: string) => join(directory, 'port');

/** Returns the port that the directory's server used before, so that its address stays the same; 0 when it is taken. */
export async function reusablePort(directory: string, host: string): Promise<number> {
  const port = savedPort(directory);
  return port !== 0 && (await isFree(port, host)) ? port : 0;
}

export function persistPort(directory: string, url: string): void {
  const port = Number(new URL(url).port);
  if (port !== savedPort(directory)) writePrivateFile(fileOf(directory), `${port}\n`);
}

/** Saves the address, for verbs that write credentials while no server runs. */
export function persistUrl(directory: string, url: string): void {
  if (savedUrl(directory) !== url) writePrivateFile(join(directory, 'url'), `${url}\n`);
}

/** Returns the address at which the directory's server was last reached. */
export function savedUrl(directory: string): string {
  try {
    return readFileSync(join(directory, 'url'), 'utf8').trim();
  } catch {
    return 'http://127.0.0.1';
  }
}

function savedPort(directory: string): number {
  try {
    const port = Number(readFileSync(fileOf(directory), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
