import {PlainFailure} from '#cli/failures.ts';
import {UsageError} from '#cli/usage-error.ts';

/** Returns the entry with this id, or the only entry whose id starts with it. Throws when there is none or several. */
export function findByIdPrefix<T extends {readonly id: string}>(
  entries: readonly T[],
  prefix: string,
  entryName: string,
): T {
  const exact = entries.find(({id}) => id === prefix);
  if (exact !== undefined) return exact;
  const [match, ...others] = prefix === '' ? [] : entries.filter(({id}) => id.startsWith(prefix));
  if (match === undefined) throw new PlainFailure(`There is no ${entryName} “${prefix}”.`);
  if (others.length > 0) throw new UsageError(`Several ids start with “${prefix}”. Type more of it.`);
  return match;
}

/** Checks the ids after an action's name. */
export function requireIds(action: string, ids: readonly string[], max = Number.POSITIVE_INFINITY): readonly string[] {
  if (ids.length === 0) throw new UsageError(`“${action}” needs an id from the list.`);
  if (ids.length > max) throw new UsageError(`“${action}” takes only one id.`);
  return ids;
}
