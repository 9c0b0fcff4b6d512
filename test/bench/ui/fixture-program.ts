import {join} from 'node:path';
import {stockBundle} from '#test/support/stock-bundle.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {cacheDirectory} from './cache.ts';
import {rowWith} from './find-on-screen.ts';
import type {MeasuredAction, MeasuredProgram} from './measured-program.ts';

/** A program without chat that checks the measurement itself and shows the cost of stock Ink. */
export async function fixtureProgram(): Promise<MeasuredProgram> {
  const file = await stockBundle('test/bench/ui/fixture.ts', join(cacheDirectory(), 'fixture.mjs'));
  return {
    name: 'fixture',
    open: (size) => Terminal.open(process.execPath, [file], {size}),
    isPainted: ({text}) => text.includes('Fixture'),
    isUsable: ({text}) => text.includes('ready'),
    load: async () => {},
    quit: async (terminal) => {
      terminal.keys('Ctrl-C');
      await terminal.waitForExit();
    },
    actions: [typing, simple('list move', 'j', selectedRow), ...paging, simple('open topic', ']', header)],
  };
}

const header = (terminal: Terminal): string => terminal.row(0);
const selectedRow = (terminal: Terminal): string => rowWith(terminal, '▌');
const topMessage = (terminal: Terminal): string => terminal.row(1).slice(20);

function simple(name: string, key: string, watched: (terminal: Terminal) => string): MeasuredAction {
  return {name, enter: async () => {}, keys: () => [key], watched, leave: async () => {}};
}

const paging = [simple('one-line scroll', 'y', topMessage), simple('page', 'K', topMessage)].map(
  (action): MeasuredAction => ({...action, leave: async (terminal) => terminal.keys('G')}),
);

const typing: MeasuredAction = {
  name: 'key → character',
  async enter(terminal) {
    terminal.keys('r');
    await terminal.waitFor(/^>/m);
  },
  keys: (round) => ['abcdefghij'[round % 10] ?? 'a'],
  watched: (terminal) => terminal.row(terminal.size.rows - 1),
  async leave(terminal) {
    terminal.keys('Esc');
    await terminal.waitFor('ready');
  },
};
