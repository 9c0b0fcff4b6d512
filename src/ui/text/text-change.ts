/** A change of the text that can be undone. Stores the difference, not a copy of the text. */
export interface TextChange {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly cursorBefore: number;
  readonly cursorAfter: number;
}

export interface TextChanges {
  /** Oldest first. */
  readonly past: readonly TextChange[];
  /** Undone changes that can be redone; the next one is last. */
  readonly future: readonly TextChange[];
}

export const noChanges: TextChanges = {past: [], future: []};

const maxSteps = 200;
/** The maximum length of one undo step, for scripts without spaces. */
const maxRunLength = 40;

export function withChange({past}: TextChanges, change: TextChange): TextChanges {
  return {past: [...past, change].slice(-maxSteps), future: []};
}

/** Adds a change of one character, merged into the previous step when both belong to one word. */
export function withMergedChange(changes: TextChanges, change: TextChange): TextChanges {
  const last = changes.past.at(-1);
  const merged = last === undefined ? undefined : (mergedTyping(last, change) ?? mergedErasing(last, change));
  return merged === undefined ? withChange(changes, change) : {past: changes.past.with(-1, merged), future: []};
}

function mergedTyping(last: TextChange, change: TextChange): TextChange | undefined {
  const follows = last.at + last.inserted.length === change.at;
  if (!follows || last.removed + change.removed !== '' || last.inserted.length >= maxRunLength) return undefined;
  if (endsWord.test(last.inserted) && !startsSpace.test(change.inserted)) return undefined;
  return {...last, inserted: last.inserted + change.inserted, cursorAfter: change.cursorAfter};
}

function mergedErasing(last: TextChange, change: TextChange): TextChange | undefined {
  if (last.inserted + change.inserted !== '' || last.removed.length >= maxRunLength) return undefined;
  const {cursorAfter} = change;
  if (change.at + change.removed.length === last.at) {
    if (startsSpace.test(last.removed) && !endsWord.test(change.removed)) return undefined;
    return {...last, at: change.at, removed: change.removed + last.removed, cursorAfter};
  }
  if (change.at !== last.at || (endsWord.test(last.removed) && !startsSpace.test(change.removed))) {
    return undefined;
  }
  return {...last, removed: last.removed + change.removed, cursorAfter};
}

const endsWord = /[\s、。，！？；：]$/u;
const startsSpace = /^\s/u;

/** Returns the text with the change applied. */
export function withDone(text: string, {at, removed, inserted}: TextChange): string {
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

export function withUndone(text: string, {at, removed, inserted}: TextChange): string {
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}

/** Returns the smallest single replacement that turns one text into the other. */
export function difference(before: string, after: string): Pick<TextChange, 'at' | 'removed' | 'inserted'> {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at++;
  let same = 0;
  while (same < shorter - at && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return {
    at,
    removed: before.slice(at, before.length - same),
    inserted: after.slice(at, after.length - same),
  };
}
