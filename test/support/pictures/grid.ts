/** The size of a cell in pixels. The width is that of a character in most monospaced fonts at this size. */
export const cell = {width: 8.4, height: 18, baseline: 13.5, fontSize: 14} as const;

/** Formats a number with at most two decimals. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export const left = (column: number): number => column * cell.width;
export const top = (row: number): number => row * cell.height;
