const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Returns the age in at most four columns: `now`, `5m`, `3h`, `2d`, `7w`, `3y`. Times in milliseconds. */
export function ageText(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < minuteMs) return 'now';
  if (past < hourMs) return `${Math.floor(past / minuteMs)}m`;
  if (past < dayMs) return `${Math.floor(past / hourMs)}h`;
  if (past < 14 * dayMs) return `${Math.floor(past / dayMs)}d`;
  if (past < 365 * dayMs) return `${Math.floor(past / (7 * dayMs))}w`;
  return `${Math.floor(past / (365 * dayMs))}y`;
}
