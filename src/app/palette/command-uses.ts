import type {App} from '#app/core/app.ts';
import {persistValue, readPersistedValue} from '#app/core/persisted-value.ts';

const note = 'palette.uses';
/** Whoever looked something up so often wants to do it often. */
const enough = 3;
/** Said once. */
const said = -1;

/** One more use of a command by name; the tip to show when it is time for it. */
export function recordCommandUse(app: App, id: string, key: string | undefined): string | undefined {
  const {[id]: before = 0, ...others} = readPersistedValue(app, note, readUses);
  const isTime = before !== said && before + 1 >= enough && key !== undefined;
  // Written last, so that the order of the names is that of their last uses.
  persistValue(app, note, {...others, [id]: isTime || before === said ? said : before + 1});
  return isTime ? `Tip: ${key} does this` : undefined;
}

/** Returns the commands that were run by name, the latest first. */
export function recentCommands(app: App): readonly string[] {
  return Object.keys(readPersistedValue(app, note, readUses)).reverse();
}

function readUses(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
