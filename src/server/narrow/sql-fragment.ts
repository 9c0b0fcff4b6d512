import type {SqlValue} from '#server/db/database.ts';

/** A fragment of SQL and the values of its placeholders, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * Builds a fragment: fragments are inserted, other values become placeholders, so that prepared statements are reused.
 */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | SqlValue)[]): Sql {
  let text = strings[0] ?? '';
  const values: SqlValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += strings[index + 1] ?? '';
  }
  return {text, values};
}

function isSql(part: Sql | SqlValue): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
}

/** Returns trusted text as a fragment. */
export function rawSql(text: string): Sql {
  return {text, values: []};
}

/** Returns an expression that contains a user's id, as often as it does, as a fragment. */
export function sqlForUser(expression: (user: string) => string, userId: number): Sql {
  const text = expression('?');
  return {text, values: Array.from({length: text.split('?').length - 1}, () => userId)};
}

/** Joins conditions with AND. */
export function allConditions(conditions: readonly Sql[]): Sql {
  return conditions.reduce((left, right) => sql`${left} AND ${right}`, rawSql('TRUE'));
}
