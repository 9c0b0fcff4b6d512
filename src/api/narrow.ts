import {levels} from '#wire/levels.ts';
import {
  type NarrowTerm,
  narrow as narrowSchema,
  normalizeTerm,
  termForLevel,
  termSince,
} from '#wire/narrow.ts';
import {decode} from '#wire/schema.ts';
import {invalidCallFailure, serverTooOldFailure} from './failure.ts';
import {noTopicName} from './older-values.ts';

/** Terms in the words of a server of this level. One that it cannot know is refused here: it would only say so less well. */
export function encodeNarrow(endpoint: string, narrow: unknown, level: number): NarrowTerm[] {
  const decoded = decode(narrowSchema, narrow);
  if (!decoded.ok) throw invalidCallFailure(endpoint, `This is no narrow: ${decoded.reason}.`);
  return decoded.value.map((written) => {
    const term = normalizeTerm(written);
    const since = termSince(term);
    if (since > level)
      throw serverTooOldFailure(endpoint, `${term.operator}:${String(term.operand)}`, since, level);
    const older = termForLevel(term, level);
    const emptyTopic = older.operator === 'topic' && older.operand === '' && level < levels.emptyTopic;
    return emptyTopic ? {...older, operand: noTopicName} : older;
  });
}
