import type {App} from '#app/core/app.ts';
import {readNote, writeNote} from '#app/notes.ts';

const note = 'palette.uses';
/** Whoever looked something up so often wants to do it often. */
const enough = 3;
/** Said once. */
const said = -1;

/** One more use of a command by name; the tip to show when it is time for it. */
export function countUse(app: App, id: string, key: string | undefined): string | undefined {
  const uses = readNote(app, note, readUses);
  const before = uses[id] ?? 0;
  if (before === said) return undefined;
  const isTime = before + 1 >= enough && key !== undefined;
  writeNote(app, note, {...uses, [id]: isTime ? said : before + 1});
  return isTime ? `Tip: ${key} does this` : undefined;
}

function readUses(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
