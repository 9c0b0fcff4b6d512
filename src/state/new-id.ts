import type {Clock} from '#std/clock.ts';

/** Returns an id that is unique over all processes on an account: the time and 52 random bits. Ids sort by time. */
export function newId(clock: Pick<Clock, 'now'>, random: () => number): string {
  const randomBits = Math.floor(random() * 2 ** 52);
  return `${clock.now().toString(36)}-${randomBits.toString(36).padStart(11, '0')}`;
}
