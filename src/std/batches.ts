export function batches<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let from = 0; from < items.length; from += size) result.push(items.slice(from, from + size));
  return result;
}
