import type {Clock} from '#std/clock.ts';

/** Unique over all programs on an account: when it was made, and 52 bits of chance. In order of time. */
export function newId(clock: Pick<Clock, 'now'>, random: () => number): string {
  const chance = Math.floor(random() * 2 ** 52);
  return `${clock.now().toString(36)}-${chance.toString(36).padStart(11, '0')}`;
}
