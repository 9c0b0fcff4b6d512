import type {BenchApiClient} from '#test/bench/bench-server.ts';
import {summary} from '#test/bench/table.ts';

/** Measures the same round trip with a response that needs no work. */
export async function measureBaseline(client: BenchApiClient, rounds = 300): Promise<{p50: number; p99: number}> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await client.text('GET', '/server_settings');
    samples.push(performance.now() - start);
  }
  return summary(samples);
}
