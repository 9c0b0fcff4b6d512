/**
 * npm run bench:peer [-- --program FILE]… [-- --world large] [-- --rounds 5]
 *
 * Prints what a start, a scroll key and a typed character cost, and how much memory the program takes, beside zulip-terminal
 * with the same account if that is installed. The programs run in turn, so that a busy machine disturbs all of them. `--program`
 * measures further builds of Parley, such as the single file or the bin of an installed package.
 */

import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {type ComparedProgram, parley, zulipTerminal} from '#test/bench/peer/compared-programs.ts';
import {type Figures, figuresOf} from '#test/bench/peer/measure.ts';
import {measuredWorld} from '#test/bench/weight/measured-world.ts';
import {percentile, printTable} from './table.ts';

const {values} = parseArgs({
  options: {
    program: {type: 'string', multiple: true, default: []},
    world: {type: 'string', default: 'small'},
    rounds: {type: 'string', default: '5'},
  },
});
const peer = zulipTerminal();
const programs = [...(peer === undefined ? [] : [peer]), parley(), ...values.program.map((file) => parley(file))];
const runs = new Map<ComparedProgram, Figures[]>(programs.map((program) => [program, []]));
const world = await measuredWorld(values.world);
try {
  // The first round is not counted: it saves compiled code, for instance.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [at, program] of programs.entries()) {
      const place = {home: join(world.home, `${round}-${at}`), ...world.signIn};
      const figures = {...(await figuresOf(program, place, true)), ...(await figuresOf(program, place, false))};
      if (round > 0) runs.get(program)?.push(figures);
    }
  }
} finally {
  await world.stop();
}
const titles = Object.keys(runs.get(programs[0] as ComparedProgram)?.[0] ?? {});
const middle = (program: ComparedProgram, title: string) => {
  const samples = (runs.get(program) ?? []).map((figures) => figures[title] ?? Number.NaN);
  return percentile(
    samples.sort((one, other) => one - other),
    0.5,
  );
};
const cell = (program: ComparedProgram, title: string) => {
  const value = middle(program, title);
  const text = title.startsWith('resident') ? `${value.toFixed(0)} MiB` : `${value.toFixed(value < 100 ? 1 : 0)} ms`;
  const ratio = peer === undefined || program === peer ? '' : ` (${(value / middle(peer, title)).toFixed(2)})`;
  return `${text}${ratio}`;
};
if (peer === undefined) console.log('zulip-terminal is not installed: these are the figures of Parley alone.');
printTable(
  `Parley and its peer, ${values.world} organization (middle of ${values.rounds})`,
  ['', ...programs.map(({name}) => name)],
  titles.map((title) => [title, ...programs.map((program) => cell(program, title))]),
);
