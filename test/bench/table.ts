/** Prints rows as an aligned table: the first column is left-aligned, the others right-aligned. */
export function printTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  console.log(`\n${title}\n${line(header)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  for (const row of rows) console.log(line(row));
}

/** Returns the value below which `share` of the sorted samples lie. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function summary(samples: readonly number[]): {p50: number; p99: number; worst: number} {
  const sorted = [...samples].sort((a, b) => a - b);
  return {p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), worst: sorted.at(-1) ?? Number.NaN};
}

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
