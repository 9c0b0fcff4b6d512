import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {LongWorld} from './worlds.ts';

/**
 * Sends messages of another user at this rate from a separate process. Returns a function that stops it and
 * gives the count.
 */
export async function flood({served, other}: LongWorld, perSecond: number): Promise<() => Promise<number>> {
  const child = spawn(
    process.execPath,
    ['test/bench/ui/flood-child.ts', served.url, other.email, other.api_key, String(perSecond)],
    {stdio: ['pipe', 'pipe', 'inherit']},
  );
  child.stdout.setEncoding('utf8');
  await once(child.stdout, 'data');
  return async () => {
    const said = once(child.stdout, 'data');
    child.stdin.end();
    const [sent] = await said;
    await once(child, 'exit');
    return Number(sent);
  };
}
