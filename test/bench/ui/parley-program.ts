import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import type {Action, Place, Program} from './program.ts';
import {firstMatch, rowWith} from './watching.ts';
import {channel, longCount, longTopic, shortTopics, topicName} from './worlds.ts';

/** Marks the selection of the pane that has the keys. */
const selectionBar = '▌';

function open(size: Size, {home, site, email, apiKey}: Place, topic?: string): Terminal {
  const args = topic === undefined ? [] : [place(topic)];
  const {file, args: words, env, cwd} = parleyCommand({home, args, signIn: {site, email, apiKey}});
  return Terminal.open(file, words, {size, env, cwd});
}

const place = (topic: string): string => `#${channel}>${topic}`;
const longMessage = /load-\d{5}/;
const shortMessage = /topic-\d{3}-\d+/;
const topLongMessage = (terminal: Terminal): string => firstMatch(terminal, longMessage);

async function load(terminal: Terminal): Promise<void> {
  await terminal.waitFor(`load-${longCount - 1}`);
  while (!topLongMessage(terminal).endsWith('load-00000')) {
    const before = topLongMessage(terminal);
    terminal.keys('K');
    await terminal.waitFor(() => topLongMessage(terminal) !== before && topLongMessage(terminal) !== '');
  }
  await toEnd(terminal);
}

async function toEnd(terminal: Terminal): Promise<void> {
  terminal.keys('G');
  await terminal.waitFor(longMessage);
}

/** Goes to a topic through the box that goes anywhere. */
async function goTo(terminal: Terminal, topic: string, shown: RegExp): Promise<void> {
  terminal.keys('Ctrl-G');
  terminal.type(topic);
  await terminal.waitFor(({text}) => text.split(topic).length > 2, `a proposal of ${topic}`);
  terminal.keys('Enter');
  await terminal.waitFor(shown);
}

const typing: Action = {
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

const listMove: Action = {
  name: 'list move',
  async enter(terminal) {
    terminal.keys('I');
    await terminal.waitFor(selectionBar);
  },
  keys: (round) => [round % 2 === 0 ? 'j' : 'k'],
  // Counts in a row may change by themselves.
  watched: (terminal) => rowWith(terminal, selectionBar).replaceAll(/ \d+|\d+ /g, ''),
  leave: (terminal) => goTo(terminal, longTopic, longMessage),
};

const lineScroll: Action = {
  name: 'one-line scroll',
  enter: async () => {},
  keys: () => ['Ctrl-Y'],
  watched: topLongMessage,
  leave: toEnd,
};

const page: Action = {...lineScroll, name: 'page', keys: () => ['K']};

const openCached: Action = {
  name: 'open topic, again',
  enter: (terminal) => goTo(terminal, topicName(1), shortMessage),
  keys: (round) => [round % 2 === 0 ? ']' : '['],
  watched: (terminal) => firstMatch(terminal, shortMessage).replace(/^\d+ |-\d+$/g, ''),
  leave: (terminal) => goTo(terminal, longTopic, longMessage),
};

const openUncached: Action = {
  ...openCached,
  name: 'open topic, first time',
  rounds: shortTopics - 4,
  keys: () => [']'],
};

/** Parley itself. Everything that has to do with how it looks and which keys it has is here. */
export const parleyProgram: Program = {
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
