import type {Frame} from '#ui/core/frame.ts';
import type {ListNote} from '#ui/lists/list-source.ts';

/** Returns which other organizations are not connected, in one line; undefined when all are. */
export function organizationsNote({organizations}: Frame): ListNote | undefined {
  const troubled = organizations?.all.filter(({isShown, problem}) => !isShown && problem !== undefined) ?? [];
  if (troubled.length === 0) return undefined;
  const text = troubled.map(({name, problem, index}) => `${name}: ${problem} (Alt-${index + 1})`).join(' · ');
  return {text, role: 'warning'};
}
