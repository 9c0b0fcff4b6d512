/**
 * Yields the results of an asynchronous function for each item, in the order of the items, while it already runs for the
 * next `ahead` items.
 */
export async function* mapAhead<T, R>(
  items: AsyncIterable<T>,
  ahead: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = run(item);
      // A failure is reported when its turn comes.
      result.catch(() => {});
      running.push(result);
      if (running.length > ahead) yield (await running.shift()) as R;
    }
    while (running.length > 0) yield (await running.shift()) as R;
  } finally {
    // After a failure the rest must end before the caller cleans up.
    await Promise.allSettled(running);
  }
}
