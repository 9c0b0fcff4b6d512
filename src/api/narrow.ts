import {levels} from '#wire/levels.ts';
import {
  narrow as narrowSchema,
  normalTerm,
  operands,
  operatorName,
  operators,
  type Term,
  termForLevel,
} from '#wire/narrow.ts';
import {decode} from '#wire/schema.ts';
import {badCall, tooOld} from './failure.ts';
import {noTopic} from './older-values.ts';

/** Operators that older servers have under another name. */
const renamed = new Set(['channel', 'channels', 'dm', 'dm-including']);

/** Terms in the words of a server of this level. One that it cannot know is refused here: it would only say so less well. */
export function encodeNarrow(endpoint: string, narrow: unknown, level: number): Term[] {
  const decoded = decode(narrowSchema, narrow);
  if (!decoded.ok) throw badCall(endpoint, `This is no narrow: ${decoded.reason}.`);
  return decoded.value.map((written) => {
    const term = normalTerm(written);
    const since = sinceOf(term);
    if (since > level) throw tooOld(endpoint, `${term.operator}:${String(term.operand)}`, since, level);
    const older = termForLevel(term, level);
    const emptyTopic = older.operator === 'topic' && older.operand === '' && level < levels.emptyTopic;
    return emptyTopic ? {...older, operand: noTopic} : older;
  });
}

/** The level from which a term can be said at all, in whatever words. */
function sinceOf({operator, operand}: Term): number {
  const name = operatorName(operator);
  if (name === undefined) return 0;
  const own = renamed.has(name) ? 0 : operators[name].since;
  const table: Readonly<Record<string, number>> =
    name in operands ? operands[name as keyof typeof operands] : {};
  const isOlderWord = name === 'is' && operand === 'dm';
  return Math.max(own, isOlderWord ? 0 : (table[String(operand)] ?? 0));
}
