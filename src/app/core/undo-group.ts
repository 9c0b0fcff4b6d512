/** What one key did in several accounts, and what undid it: it is undone and redone together. */
const groups = new WeakMap<object, object>();
let openGroup: object | undefined;

/** Runs a function; what it does in any account is undone by one key. */
export function inUndoGroup(run: () => void): void {
  inGroup({}, run);
}

/** Returns how to run a function later, such as after a response, as if it ran now: what it does joins the group of this key. */
export function laterInUndoGroup(): <T>(run: () => T) => T {
  const group = openGroup;
  return (run) => inGroup(group, run);
}

function inGroup<T>(group: object | undefined, run: () => T): T {
  openGroup = group;
  try {
    return run();
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
