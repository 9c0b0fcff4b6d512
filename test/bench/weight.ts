/**
 * npm run bench:weight [-- --quick] [-- --only start|bytes|memory|floors] [-- --program FILE]
 *
 * Prints start, memory over a long session, bytes to the terminal, and wakeups and requests while idle of the built program, with
 * floors beside them: bare Node and `cat`; and what each layer of the program takes that is there before a key is pressed. `--program`
 * measures another build, such as the single file; `--quick` leaves out the large organization and idles twice for 15 seconds instead
 * of 60. The first run also creates the organizations.
 */

import {parseArgs} from 'node:util';
import {byteRows} from '#test/bench/weight/bytes.ts';
import {floorRows} from '#test/bench/weight/floors.ts';
import {longSession, memoryRows} from '#test/bench/weight/memory.ts';
import {startRows} from '#test/bench/weight/start.ts';
import {printTable} from './table.ts';

const {values} = parseArgs({
  options: {quick: {type: 'boolean', default: false}, only: {type: 'string'}, program: {type: 'string'}},
});
if (values.program !== undefined) process.env.PARLEY_PROGRAM = values.program;
const worlds = values.quick ? ['small'] : ['small', 'large'];
const measures = (part: string) => values.only === undefined || values.only === part;

if (measures('start')) {
  printTable('Start', ['', 'content', 'settled', 'exit', '÷ node', 'RSS'], await startRows(worlds));
}
if (measures('bytes')) printTable('Bytes to the terminal', ['', '80x24', '200x50'], await byteRows());
if (measures('memory')) {
  const sessions = await Promise.all(worlds.map((world) => longSession(world, values.quick ? 15 : 60)));
  printTable('Memory (RSS) after each stage', ['', ...worlds], memoryRows(sessions));
}
if (measures('floors')) printTable('Floors', ['', 'resident', 'of its own', 'CPU time'], await floorRows(worlds));
