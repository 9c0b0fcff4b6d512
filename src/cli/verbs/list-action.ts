import {PlainFailure, UsageError} from '#cli/io.ts';
import {ownValue} from '#std/own-value.ts';

export interface ListAction<A> {
  /** The number of ids that it takes. */
  readonly ids: 'none' | 'one' | 'some';
  readonly run: A;
}

/** Returns the action that the words name, and its ids. Throws when there is none, or when the ids are missing. */
export function actionOf<A>(verb: string, actions: Readonly<Record<string, ListAction<A>>>, words: readonly string[]) {
  const [name = 'list', ...ids] = words;
  const action = ownValue(actions, name);
  if (action === undefined) {
    const names = Object.keys(actions);
    const all = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    throw new UsageError(`Use “parley ${verb}” with ${all}, not “${name}”.`);
  }
  const takesNone = action.ids === 'none';
  if (takesNone && ids.length > 0) throw new UsageError(`“${verb} list” takes no arguments.`);
  if (!takesNone && ids.length === 0) throw new UsageError(`“${verb} ${name}” needs an id from the list.`);
  if (action.ids === 'one' && ids.length > 1) throw new UsageError(`“${verb} ${name}” takes only one id.`);
  return {run: action.run, ids};
}

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
