/** For the environment of a program on Node: its clock is so much ahead of ours. Timers take as long as ever. */
export function clockAhead(ms: number): {readonly NODE_OPTIONS: string} {
  const code = `const now = Date.now; Date.now = () => now() + ${ms};`;
  return {NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`};
}
