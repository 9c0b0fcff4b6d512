import {PlainFailure} from '#cli/failures.ts';
import {UsageError} from '#cli/usage-error.ts';

/** The entry that an id on the command line means: the whole id, or as much of it as no other begins with. */
export function findByIdPrefix<T extends {readonly id: string}>(
  entries: readonly T[],
  written: string,
  what: string,
): T {
  const exact = entries.find(({id}) => id === written);
  if (exact !== undefined) return exact;
  const [only, ...others] = written === '' ? [] : entries.filter(({id}) => id.startsWith(written));
  if (only === undefined) throw new PlainFailure(`There is no ${what} “${written}”.`);
  if (others.length > 0) throw new UsageError(`Several begin with “${written}”: write more of it.`);
  return only;
}

/** The ids after an action's name. */
export function requireIds(
  action: string,
  ids: readonly string[],
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (ids.length === 0) throw new UsageError(`“${action}” needs an id, as listed.`);
  if (ids.length > most) throw new UsageError(`“${action}” takes one id.`);
  return ids;
}
