/**
 * npm run bench:core [-- --quick]
 *
 * Measures the client's core: applying events by the amount of loaded data, loading a snapshot, and starting with and
 * without saved data. Absolute figures depend on the machine: compare ratios, and the floor, an event that changes nothing.
 */
import {applyCosts} from './core/apply.ts';
import {snapshotCosts} from './core/snapshot.ts';
import {startCosts} from './core/start.ts';

const sizes = process.argv.includes('--quick') ? ['large'] : ['large', 'huge'];

applyCosts();
await snapshotCosts(sizes);
await startCosts(sizes);
