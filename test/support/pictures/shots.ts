import type {Size, Terminal} from '#test/support/terminal/terminal.ts';

/** A README screenshot: where to open, what to press, and when it is ready. */
export interface Shot {
  readonly file: string;
  /** For screen readers. */
  readonly title: string;
  readonly size: Size;
  readonly background: 'dark' | 'light';
  readonly args: readonly string[];
  /** Resolves when the screen is ready for the screenshot. */
  readonly pose: (terminal: Terminal) => Promise<unknown>;
}

const wide: Size = {cols: 120, rows: 36};
const selectionBar = '▌';
/** What the inbox of the demo shows when it knows which conversations have words that alert the user: it knows all messages then. */
export const completeInbox = 'MENTIONS  @19 148';

async function inbox(terminal: Terminal): Promise<unknown> {
  return terminal.waitFor(
    ({text}) =>
      [selectionBar, completeInbox, 'unread ──'].every((part) => text.includes(part)) && !text.includes('loading'),
    'the inbox with the unread messages of its first conversation',
  );
}

const incident = '#almanac>TIDE-412 wrong datum at six ports';

/** Scrolls to a message with code. */
async function conversation(terminal: Terminal): Promise<unknown> {
  await terminal.waitFor(selectionBar);
  terminal.keys('Home');
  await terminal.waitFor('That is not weather');
  terminal.keys('Ctrl-E', 'Ctrl-E', 'Ctrl-E');
  return terminal.waitFor('FROM clock');
}

async function writing(terminal: Terminal): Promise<unknown> {
  await conversation(terminal);
  terminal.keys('r');
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
  terminal.type('The **spring tide** is early this year: see `gauge.read()`, and ask @san');
  return terminal.waitFor(({text}) => text.includes('@san') && /▌.*Sana Yusufi/.test(text), 'a name proposed');
}

async function goAnywhere(terminal: Terminal): Promise<unknown> {
  await inbox(terminal);
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field to write in');
  terminal.type('ma');
  return terminal.waitFor('› ma');
}

const dark = {size: wide, background: 'dark'} as const;

export const shots: readonly Shot[] = [
  {
    ...dark,
    file: 'inbox.svg',
    title: 'The inbox of a small company: conversations with unread messages, grouped by channel',
    args: [],
    pose: inbox,
  },
  {
    ...dark,
    file: 'inbox-light.svg',
    title: 'The same inbox in a light terminal',
    background: 'light',
    args: [],
    pose: inbox,
  },
  {
    ...dark,
    file: 'conversation.svg',
    title: 'A conversation beside the channels: code, reactions, who wrote when',
    args: [incident],
    pose: conversation,
  },
  {
    ...dark,
    file: 'writing.svg',
    title: 'A reply being written, its destination above it, a name being completed',
    args: [incident],
    pose: writing,
  },
  {
    ...dark,
    file: 'go-anywhere.svg',
    title: 'The box that goes to any conversation, channel, person or command',
    args: [],
    pose: goAnywhere,
  },
  {
    file: 'small.svg',
    title: 'A conversation in a terminal of 60 by 20',
    size: {cols: 60, rows: 20},
    background: 'dark',
    args: [incident],
    pose: (terminal) => terminal.waitFor(selectionBar),
  },
];
