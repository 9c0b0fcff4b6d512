import type {SqlValue} from '#server/db/database.ts';

/** A piece of SQL and the values of its placeholders, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Pieces are spliced in; anything else becomes a placeholder, so that texts repeat and stay prepared. */
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

/** Trusted text as it is. */
export function rawSql(text: string): Sql {
  return {text, values: []};
}

export function allConditions(pieces: readonly Sql[]): Sql {
  return pieces.reduce((left, right) => sql`${left} AND ${right}`, rawSql('TRUE'));
}
