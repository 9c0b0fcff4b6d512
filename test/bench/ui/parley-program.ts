import {setTimeout as sleep} from 'node:timers/promises';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import {firstMatch, rowWith} from './find-on-screen.ts';
import type {MeasuredAction, MeasuredProgram, ProgramEnvironment} from './measured-program.ts';
import {channel, longCount, longTopic, shortTopics, topicName} from './worlds.ts';

/** The mark of the selected row in the focused pane. */
const selectionBar = '▌';

/** Settings that avoid questions at the first start. */
const own = {PARLEY_ENTER_SENDS: 'yes'};

function open(size: Size, {home, site, email, apiKey}: ProgramEnvironment, topic?: string): Terminal {
  const args = topic === undefined ? [] : [place(topic)];
  const {file, args: words, env, cwd} = parleyCommand({home, args, signIn: {site, email, apiKey}, env: own});
  return Terminal.open(file, words, {size, env, cwd});
}

const place = (topic: string): string => `#${channel}>${topic}`;
const longName = (at: number): string => `load-${String(at).padStart(5, '0')}`;
/** Includes messages that arrive meanwhile. */
const longMessage = /load-\d{5}|incoming \d+/;
const shortMessage = /topic-\d{3}-\d+|incoming \d+/;
const topLongMessage = (terminal: Terminal): string => firstMatch(terminal, longMessage);

async function load(terminal: Terminal): Promise<void> {
  await terminal.waitFor(longName(longCount - 1));
  while (!topLongMessage(terminal).endsWith(longName(0))) {
    // At the end of the loaded messages a key has no effect; it is pressed again.
    terminal.keys('K');
    await sleep(5);
  }
  await toEnd(terminal);
}

async function toEnd(terminal: Terminal): Promise<void> {
  terminal.keys('G');
  await terminal.waitFor(longMessage);
}

/** Opens a topic with the go-to menu. */
async function goTo(terminal: Terminal, topic: string, shown: RegExp): Promise<void> {
  terminal.keys('Ctrl-G');
  terminal.type(topic);
  await terminal.waitFor(({text}) => text.split(topic).length > 2, `a proposal of ${topic}`);
  terminal.keys('Enter');
  await terminal.waitFor(({lines, text}) => lines[0]?.includes(`› ${topic}`) === true && shown.test(text), topic);
}

const typing: MeasuredAction = {
  name: 'key → character',
  async enter(terminal) {
    terminal.keys('r');
    await terminal.waitUntil(({cursor}) => cursor.visible, 'cursor in the composer');
  },
  keys: (round) => ['the tide is in. '[round % 16] ?? 'a'],
  watched: ({cursor: {x, y}}) => `${x},${y}`,
  async leave(terminal) {
    terminal.keys('Ctrl-U', 'Esc');
    await terminal.waitUntil(({cursor}) => !cursor.visible, 'composer closed');
  },
};

/** Measures in a list whose order nothing else changes meanwhile. */
const listMove: MeasuredAction = {
  name: 'list move',
  async enter(terminal) {
    terminal.keys('g', 'c');
    await terminal.waitFor(({lines}) => lines[0]?.includes('Channels') === true, 'list of channels');
  },
  keys: (round) => [round % 2 === 0 ? 'j' : 'k'],
  watched: (terminal) => /▌.*?(#\S+)/.exec(rowWith(terminal, selectionBar))?.[1] ?? '',
  leave: (terminal) => goTo(terminal, longTopic, longMessage),
};

const lineScroll: MeasuredAction = {
  name: 'one-line scroll',
  enter: async () => {},
  keys: () => ['Ctrl-Y'],
  watched: topLongMessage,
  leave: toEnd,
};

const page: MeasuredAction = {...lineScroll, name: 'page', keys: () => ['K']};

const openCached: MeasuredAction = {
  name: 'open topic, again',
  async enter(terminal) {
    await goTo(terminal, topicName(0), shortMessage);
    await goTo(terminal, topicName(1), shortMessage);
  },
  keys: () => ['Alt-/'],
  watched: (terminal) =>
    firstMatch(terminal, shortMessage) === '' ? '' : (/topic-\d+/.exec(terminal.row(0))?.[0] ?? ''),
  leave: (terminal) => goTo(terminal, longTopic, longMessage),
};

const openUncached: MeasuredAction = {
  ...openCached,
  name: 'open topic, first time',
  // Newest first, as in the list.
  enter: (terminal) => goTo(terminal, topicName(shortTopics - 1), shortMessage),
  rounds: shortTopics - 4,
  keys: () => [']'],
};

/** Parley itself. Everything that depends on its layout and keys is here. */
export const parleyProgram: MeasuredProgram = {
  name: 'Parley',
  open,
  isPainted: ({text}) => text.trim() !== '',
  isUsable: ({text}) => text.includes(selectionBar),
  load,
  actions: [typing, listMove, lineScroll, page, openCached, openUncached],
  async quit(terminal) {
    terminal.keys('Ctrl-C', 'Ctrl-C');
    await terminal.waitForExit();
  },
};
