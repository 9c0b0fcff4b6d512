import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';

/** Colors that are easy to distinguish and readable on dark and light backgrounds. */
const palette = [
  '#76ce90',
  '#f0c05a',
  '#8fb8e8',
  '#e58fb0',
  '#b7d063',
  '#f2a154',
  '#a99af2',
  '#8ed4dc',
  '#d97b6c',
  '#9cc44e',
  '#c08ae0',
  '#ea8450',
  '#9bd8b4',
  '#8c9df0',
  '#5aa86c',
  '#dd5c48',
  '#b9b9c4',
  '#5592e0',
  '#cba3ae',
  '#d8c24a',
  '#a87c68',
  '#62b6a8',
  '#c66f9b',
  '#7f8fa6',
] as const;

/** Returns for each user the first color that none of their channels has. */
export function unusedColors({db}: Pick<ActionContext, 'db'>, userIds: readonly number[]): Map<number, string> {
  const used = new Map<number, Set<string>>();
  const rows = db.all<{user_id: number; colors: string}>(
    `SELECT user_id, json_group_array(DISTINCT color) AS colors FROM subscription
     WHERE user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id`,
    JSON.stringify(userIds),
  );
  for (const row of rows) used.set(row.user_id, new Set(JSON.parse(row.colors)));
  return new Map(userIds.map((id) => [id, unusedColor(used.get(id) ?? new Set())]));
}

function unusedColor(used: ReadonlySet<string>): string {
  return palette.find((color) => !used.has(color)) ?? palette[used.size % palette.length] ?? palette[0];
}

/** Returns the color as `#rrggbb`; `value` may also be `#rgb`. */
export function checkedColor(value: unknown): string {
  if (typeof value !== 'string') throw badRequest('color is not a string');
  if (/^#[0-9a-f]{6}$/i.test(value)) return value;
  if (/^#[0-9a-f]{3}$/i.test(value)) return value.replaceAll(/[0-9a-f]/gi, '$&$&');
  throw badRequest('color is not a valid hex color code');
}
