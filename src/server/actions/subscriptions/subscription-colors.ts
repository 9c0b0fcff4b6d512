import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';

/** The colors of new subscriptions, in the order in which Zulip's servers assign them. */
const palette = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
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

/** Throws unless the value is a color. `name` and `where` are what the error calls the value and the item it is in. */
export function checkColor(value: unknown, name: string, where?: string): void {
  if (typeof value === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(value)) return;
  const problem = `${name} is not a valid hex color code`;
  throw badRequest(where === undefined ? problem : `Invalid ${where}: Value error, ${problem}`);
}
