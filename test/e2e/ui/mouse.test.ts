import {expect, test} from 'vitest';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {
  extremeSizes,
  firstEvent,
  openTides,
  smallSize,
  type TwoUserFixture,
  twoUserFixture,
  waitForAllUnread,
} from './two-user-fixture.ts';

interface CellPosition {
  readonly x: number;
  readonly y: number;
}

/** Waits for a text and returns its position in the last row that contains it; columns and rows begin at 1. */
async function positionOf(terminal: Terminal, text: string): Promise<CellPosition> {
  const {lines} = await terminal.waitFor(text);
  const y = lines.findLastIndex((line) => line.includes(text));
  return {x: (lines[y] ?? '').indexOf(text) + 1, y: y + 1};
}

function reportMouse(terminal: Terminal, code: number, {x, y}: CellPosition, end: 'M' | 'm' = 'M'): void {
  terminal.write(`\u001b[<${code};${x};${y}${end}`);
}

function click(terminal: Terminal, position: CellPosition): void {
  reportMouse(terminal, 0, position);
  reportMouse(terminal, 0, position, 'm');
}

const [wheelUp, wheelDown, drag] = [64, 65, 32] as const;

async function turnMouseOn(terminal: Terminal): Promise<void> {
  terminal.keys('Alt-m');
  await terminal.waitFor('Mouse on');
  await terminal.waitUntil(({modes}) => modes.mouse === 'drags', 'reports of drags');
}

/**
 * Waits until all input before was handled and the frame after it is whole: the text of the last row comes last. A position that
 * is read from half a frame is that of another row.
 */
async function waitForHandledInput(terminal: Terminal): Promise<void> {
  terminal.keys('Alt-m');
  await terminal.waitFor('Mouse off');
  await turnMouseOn(terminal);
}

/** Waits for a later event of the same queue: any read flag set before would have arrived by then. */
async function waitForLaterEvent({server, meg, message}: TwoUserFixture): Promise<void> {
  const listener = await server.as(meg).listen({event_types: ['user_status']});
  await message(1);
  await server.as(meg).post('/users/me/status', {status_text: 'on deck'});
  await firstEvent(listener, ({type}) => type === 'user_status');
}

test.each(fewOf(extremeSizes))(
  'mouse: clicks and the wheel in the inbox mark nothing read; a second click opens one conversation and a click in the composer writes there, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, meg} = chat;
    const before = await chat.unread(meg);
    const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
    const sent = await server.as(chat.otto).listen({event_types: ['message']});
    const terminal = chat.open(meg, {size});
    await waitForAllUnread(terminal);
    await turnMouseOn(terminal);
    const row = () => {
      const {lines} = terminal.screen();
      const y = lines.findIndex((line) => /\d (#harbour › )?ropes/.test(line));
      return {x: (lines[y] ?? '').indexOf('ropes') + 1, y: y + 1};
    };
    click(terminal, row());
    await terminal.waitFor(({lines}) => lines.some((line) => /▌.*ropes/.test(line)), 'the cursor at ropes');
    for (const y of [4, size.rows - 3]) {
      for (const code of [wheelDown, wheelDown, wheelUp]) reportMouse(terminal, code, {x: size.cols - 4, y});
    }
    await waitForHandledInput(terminal);
    await waitForLaterEvent(chat);
    expect(await chat.unread(meg)).toEqual(before);
    // The wheel moves the cursor only if it turned over a list, not over the preview.
    if (!terminal.screen().lines.some((line) => /▌.*ropes/.test(line))) click(terminal, row());
    await terminal.waitFor(({lines}) => lines.some((line) => /▌.*ropes/.test(line)), 'the cursor at ropes');
    await waitForHandledInput(terminal);
    click(terminal, row());
    // At large sizes the preview shows the message already.
    await terminal.waitFor('r writes to');
    await terminal.waitFor('The blue rope is worn.');
    const {messages} = await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    expect((await chat.message(messages[0])).subject).toBe('ropes');
    expect(await chat.unread(meg)).toEqual(before.filter((id) => !messages.includes(id)));
    expect(messages).toHaveLength(1);

    click(terminal, await positionOf(terminal, 'r writes to'));
    await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
    terminal.type('sail at noon');
    await terminal.waitFor('sail at noon');
    // Another click moves the cursor in the text.
    click(terminal, await positionOf(terminal, 'sail at noon'));
    terminal.type('We ');
    await terminal.waitFor('We sail at noon');
    // The wheel over the messages leaves the focus in the composer.
    reportMouse(terminal, wheelUp, {x: size.cols - 6, y: 4});
    reportMouse(terminal, wheelDown, {x: size.cols - 6, y: 4});
    const {x, y} = await positionOf(terminal, 'We sail at noon');
    click(terminal, {x: x + 20, y});
    terminal.type('.');
    terminal.keys('Enter');
    const {message} = await firstEvent(sent, ({type}) => type === 'message');
    expect(message.content).toContain('We sail at noon.');
  },
);

slowTest.each([smallSize])(
  'mouse: a click selects a message, a drag shows how to select text, and a click in the sidebar opens a view, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const terminal = await openTides(chat, size);
    await turnMouseOn(terminal);
    const position = await positionOf(terminal, 'The spring tide');
    click(terminal, position);
    await terminal.waitFor(({lines}) => /▌.*The spring tide/.test(lines[position.y - 1] ?? ''), 'the cursor there');
    reportMouse(terminal, 0, position);
    reportMouse(terminal, drag, {...position, x: position.x + 6});
    reportMouse(terminal, 0, {...position, x: position.x + 6}, 'm');
    await terminal.waitFor('Hold Shift and drag');
    expect(terminal.screen().lines.some((line) => /▌.*The spring tide/.test(line))).toBe(true);

    // On small screens the focused sidebar covers the messages.
    terminal.keys('\\');
    await terminal.waitFor('Starred');
    click(terminal, await positionOf(terminal, 'Recent'));
    await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('Recent conversations'), 'recent conversations');
  },
);

slowTest('mouse: a click chooses a menu row, and a click outside closes the menu', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, {cols: 80, rows: 24});
  await turnMouseOn(terminal);
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field');
  click(terminal, {x: 1, y: 1});
  await terminal.waitFor(({cursor}) => !cursor.visible, 'no field');
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field');
  terminal.type('ropes');
  await terminal.waitFor(({lines}) => lines.some((line) => line.includes('▌#harbour › ropes')), 'ropes');
  const position = await positionOf(terminal, 'ropes');
  // A double click: the second click is where the menu was.
  click(terminal, position);
  click(terminal, position);
  await terminal.waitFor('The blue rope is worn.');
});

slowTest('mouse: the wheel scrolls a long conversation up and down', async () => {
  const chat = await twoUserFixture();
  for (let nth = 1; nth <= 40; nth++) await chat.sendToTopic(chat.meg, 'tides', `Sounding ${nth}.`);
  const terminal = chat.open(chat.meg, {size: {cols: 120, rows: 30}, args: ['#harbour>tides']});
  await terminal.waitFor('Sounding 9.');
  terminal.keys('G');
  await terminal.waitFor('Sounding 40.');
  await turnMouseOn(terminal);
  for (let nth = 0; nth < 6; nth++) reportMouse(terminal, wheelUp, {x: 90, y: 10});
  await terminal.waitFor(({text}) => !text.includes('Sounding 40.'), 'older messages');
  for (let nth = 0; nth < 6; nth++) reportMouse(terminal, wheelDown, {x: 90, y: 10});
  await terminal.waitFor('Sounding 40.');
});
