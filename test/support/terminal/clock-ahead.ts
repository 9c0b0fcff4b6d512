/** Returns environment variables that put the clock of a Node program ahead of ours. Timers are not affected. */
export function clockAhead(ms: number): {readonly NODE_OPTIONS: string} {
  return preloaded(`const now = Date.now; Date.now = () => now() + ${ms};`);
}

/** Returns environment variables with which the clock of a Node program stands still. Timers are not affected. */
export function clockAt(ms: number): {readonly NODE_OPTIONS: string} {
  return preloaded(`Date.now = () => ${ms};`);
}

function preloaded(code: string): {readonly NODE_OPTIONS: string} {
  return {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`};
}
