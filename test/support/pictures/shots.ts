import type {Size, Terminal} from '#test/support/terminal/terminal.ts';

/** One picture for README: where to open, what to press, and when it is ready to be taken. */
export interface Shot {
  readonly file: string;
  /** For people who cannot see it. */
  readonly title: string;
  readonly size: Size;
  readonly background: 'dark' | 'light';
  readonly args: readonly string[];
  /** Resolves when the screen shows what the picture is of. */
  readonly pose: (terminal: Terminal) => Promise<unknown>;
}

const wide: Size = {cols: 120, rows: 36};
const selectionBar = '▌';

async function inbox(terminal: Terminal): Promise<unknown> {
  return terminal.waitFor(selectionBar);
}

/** The first conversation of the inbox. */
async function conversation(terminal: Terminal): Promise<unknown> {
  await inbox(terminal);
  terminal.keys('Enter');
  return terminal.frame();
}

export const shots: readonly Shot[] = [
  {
    file: 'inbox.svg',
    title: 'The inbox of a small company: conversations with unread messages, grouped by channel',
    size: wide,
    background: 'dark',
    args: [],
    pose: inbox,
  },
  {
    file: 'inbox-light.svg',
    title: 'The same inbox in a light terminal',
    size: wide,
    background: 'light',
    args: [],
    pose: inbox,
  },
  {
    file: 'conversation.svg',
    title: 'A conversation between the channel list and the message pane',
    size: wide,
    background: 'dark',
    args: [],
    pose: conversation,
  },
  {
    file: 'writing.svg',
    title: 'A reply being written, its destination above it',
    size: wide,
    background: 'dark',
    args: [],
    async pose(terminal) {
      await conversation(terminal);
      terminal.keys('r');
      await terminal.waitUntil(({cursor}) => cursor.visible, 'cursor in the composer');
      terminal.type('The **spring tide** is early this year: see `gauge.read()`');
      return terminal.waitFor('gauge.read()');
    },
  },
  {
    file: 'go-anywhere.svg',
    title: 'The box that goes to any conversation, channel, person or command',
    size: wide,
    background: 'dark',
    args: [],
    async pose(terminal) {
      await inbox(terminal);
      terminal.keys('Ctrl-G');
      terminal.type('tide');
      return terminal.waitFor('tide');
    },
  },
  {
    file: 'small.svg',
    title: 'A conversation in a terminal of 60 by 20',
    size: {cols: 60, rows: 20},
    background: 'dark',
    args: [],
    pose: conversation,
  },
];
