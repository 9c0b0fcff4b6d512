/**
 * npm run bench:core [-- --quick]
 *
 * Measures the client's core: applying events by the amount of loaded data, loading a snapshot, starting with and
 * without saved data, how many requests the program sends, and those of a day's reading. Absolute times depend on the
 * machine: compare ratios, and the floor, an event that changes nothing.
 */
import {applyCosts} from '#test/bench/core/apply.ts';
import {readingCosts} from '#test/bench/core/reading.ts';
import {requestCosts} from '#test/bench/core/requests.ts';
import {snapshotCosts} from '#test/bench/core/snapshot.ts';
import {startCosts} from '#test/bench/core/start.ts';

const sizes = process.argv.includes('--quick') ? ['large'] : ['large', 'huge'];

applyCosts();
await snapshotCosts(sizes);
await startCosts(sizes);
await requestCosts();
await readingCosts();
