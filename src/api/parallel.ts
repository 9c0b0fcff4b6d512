/** Runs a task for each item, at most `limit` at once; results in the items' order. The first error ends it. */
export async function mapInParallel<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  async function work(): Promise<void> {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await task(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({length: Math.min(limit, items.length)}, work));
  return results;
}

export function batches<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let from = 0; from < items.length; from += size) result.push(items.slice(from, from + size));
  return result;
}
