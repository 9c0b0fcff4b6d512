import type {App} from '#ui/core/app.ts';
import {persistValue, readPersistedValue} from '#ui/core/persisted-value.ts';

const storageKey = 'palette.uses';
/** After this many uses by name, a tip shows the command's key. */
const usesBeforeTip = 3;
/** Stored instead of a count once the tip was shown. */
const tipShown = -1;

/** Counts a use of a command by name; returns the tip when it is due. */
export function recordCommandUse(app: App, id: string, key: string | undefined): string | undefined {
  const {[id]: before = 0, ...others} = readPersistedValue(app, storageKey, readUses);
  const isTime = before !== tipShown && before + 1 >= usesBeforeTip && key !== undefined;
  // Written last, so that the keys are in order of last use.
  persistValue(app, storageKey, {...others, [id]: isTime || before === tipShown ? tipShown : before + 1});
  return isTime ? `Tip: ${key} does this` : undefined;
}

/** Returns the commands that were run by name, the latest first. */
export function recentCommands(app: App): readonly string[] {
  return Object.keys(readPersistedValue(app, storageKey, readUses)).reverse();
}

function readUses(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
