/**
 * npm run bench:server [-- --quick] [sending] [everybody] [large] [huge] [blocking] [registering]
 *
 * Measures how much load the embedded server handles. The machine may be busy with other work: compare the ratios, and
 * the baseline, which is the same round trip with a response that needs no work.
 */
import {benchBlocking} from '#test/bench/server/blocking.ts';
import {benchEverybodyChannel} from '#test/bench/server/everybody.ts';
import {benchReading} from '#test/bench/server/reading.ts';
import {benchRegistering} from '#test/bench/server/registering.ts';
import {benchSending} from '#test/bench/server/sending.ts';

const quick = process.argv.includes('--quick');
const parts = {
  sending: () => benchSending(quick),
  everybody: () => benchEverybodyChannel(quick),
  large: () => benchReading('large', quick),
  huge: () => benchReading('huge', quick),
  blocking: () => benchBlocking(quick ? 'large' : 'huge', process.env.REQUEST),
  registering: () => benchRegistering(quick, process.env.LOAD),
};
const chosen = process.argv.slice(2).filter((argument) => argument in parts);
for (const [name, run] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await run();
