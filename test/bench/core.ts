/**
 * npm run bench:core [-- --quick]
 *
 * Measures the client's core: applying events by the amount of loaded data, loading a snapshot, starting with and
 * without saved data, and how many requests the program sends. Absolute times depend on the machine: compare ratios, and
 * the floor, an event that changes nothing.
 */
import {applyCosts} from './core/apply.ts';
import {requestCosts} from './core/requests.ts';
import {snapshotCosts} from './core/snapshot.ts';
import {startCosts} from './core/start.ts';

const sizes = process.argv.includes('--quick') ? ['large'] : ['large', 'huge'];

applyCosts();
await snapshotCosts(sizes);
await startCosts(sizes);
await requestCosts();
