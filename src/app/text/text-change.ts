/** What was changed, so that it can be taken back: the difference only, never a copy of the text. */
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
  /** What was taken back and can be done again; the next one is last. */
  readonly future: readonly TextChange[];
}

export const noChanges: TextChanges = {past: [], future: []};

const mostSteps = 200;
/** Where nobody writes spaces a run of typing has to end somewhere. */
const longestRun = 40;

export function withChange({past}: TextChanges, change: TextChange): TextChanges {
  return {past: [...past, change].slice(-mostSteps), future: []};
}

/** The same, as part of the step before it if both are of one word. Only for a change of one character that follows directly. */
export function withMergedChange(changes: TextChanges, change: TextChange): TextChanges {
  const last = changes.past.at(-1);
  const joined = last === undefined ? undefined : (joinedTyping(last, change) ?? joinedErasing(last, change));
  return joined === undefined
    ? withChange(changes, change)
    : {past: changes.past.with(-1, joined), future: []};
}

function joinedTyping(last: TextChange, change: TextChange): TextChange | undefined {
  const follows = last.at + last.inserted.length === change.at;
  if (!follows || last.removed + change.removed !== '' || last.inserted.length >= longestRun)
    return undefined;
  if (endsWord.test(last.inserted) && !startsSpace.test(change.inserted)) return undefined;
  return {...last, inserted: last.inserted + change.inserted, cursorAfter: change.cursorAfter};
}

function joinedErasing(last: TextChange, change: TextChange): TextChange | undefined {
  if (last.inserted + change.inserted !== '' || last.removed.length >= longestRun) return undefined;
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

/** The text with a change made, and with one taken back. */
export function withDone(text: string, {at, removed, inserted}: TextChange): string {
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

export function withUndone(text: string, {at, removed, inserted}: TextChange): string {
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}

/** What one text needs to become the other: where they differ, from the first place to the last. */
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
