/** What one key did in several accounts, and what undid it: it is undone and redone together. */
const groups = new WeakMap<object, object>();
let openGroup: object | undefined;

/** Runs a function; what it does in any account is undone by one key. */
export function inUndoGroup(run: () => void): void {
  openGroup = {};
  try {
    run();
  } finally {
    openGroup = undefined;
  }
}

/** Adds an action to the group of the key that does it. */
export function joinUndoGroup(action: object): void {
  if (openGroup !== undefined) groups.set(action, openGroup);
}

/** Adds what takes the place of an action, or undid it, to the group of the action. */
export function copyUndoGroup(from: object, to: object): void {
  const group = groups.get(from);
  if (group !== undefined) groups.set(to, group);
}

/** Whether both were done by one key. */
export function isSameUndoGroup(one: object, other: object | undefined): boolean {
  const group = groups.get(one);
  return group !== undefined && other !== undefined && groups.get(other) === group;
}
