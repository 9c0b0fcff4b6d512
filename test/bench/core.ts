/**
 * npm run bench:core [-- --quick]
 *
 * What the client's core costs: applying events by how much is loaded, loading a snapshot, starting with and without the
 * disk. Figures are of a noisy machine: look at the ratios, and at the floor, which is an event that changes nothing.
 */
import {applyCosts} from './core/apply.ts';
import {snapshotCosts} from './core/snapshot.ts';
import {startCosts} from './core/start.ts';

const sizes = process.argv.includes('--quick') ? ['large'] : ['large', 'huge'];

applyCosts();
await snapshotCosts(sizes);
await startCosts(sizes);
