/** Returns a line of a report: a number, and what it counts. */
export function countLine(count: number, what: string): string {
  return `${String(count).padStart(9)}  ${what}`;
}
