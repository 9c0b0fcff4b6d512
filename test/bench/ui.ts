/**
 * npm run bench:ui [-- --quick] [-- --fixture] [-- --start] [-- --keys]
 *
 * Measures the screen as a user has it: the built program in a real pty and emulator, with a server. Absolute figures depend
 * on the machine: compare ratios, and the floors: `cat` in the same pty for keys, a hello-world with Ink for the start.
 */

import {fixtureProgram} from '#test/bench/ui/fixture-program.ts';
import {keyCosts} from '#test/bench/ui/keys.ts';
import {sizes} from '#test/bench/ui/measured-program.ts';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import {startCosts} from '#test/bench/ui/start.ts';

const has = (flag: string): boolean => process.argv.includes(flag);
const isQuick = has('--quick');
const isEverything = !has('--start') && !has('--keys');

const program = has('--fixture') ? await fixtureProgram() : parleyProgram;
if (isEverything || has('--keys')) await keyCosts(program, isQuick ? sizes.slice(0, 1) : sizes, isQuick ? 60 : 250);
if (isEverything || has('--start')) {
  await startCosts(program, isQuick ? ['small'] : ['small', 'large'], isQuick ? 3 : 7);
}
