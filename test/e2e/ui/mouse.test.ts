import {expect, test} from 'vitest';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {
  allUnread,
  firstEvent,
  openTides,
  sizes,
  smallSize,
  type TwoUserFixture,
  twoUserFixture,
} from './two-user-fixture.ts';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where words stand, the first column and row being 1; in the last row that has them. */
function placeOf(terminal: Terminal, words: string, inColumn = 0): Place {
  const {lines} = terminal.screen();
  const y = lines.findLastIndex((line) => line.includes(words, inColumn));
  if (y < 0) throw new Error(`“${words}” is not on the screen:\n${lines.join('\n')}`);
  return {x: (lines[y] ?? '').indexOf(words, inColumn) + 1, y: y + 1};
}

function report(terminal: Terminal, code: number, {x, y}: Place, end: 'M' | 'm' = 'M'): void {
  terminal.write(`\u001b[<${code};${x};${y}${end}`);
}

function click(terminal: Terminal, place: Place): void {
  report(terminal, 0, place);
  report(terminal, 0, place, 'm');
}

const [wheelUp, wheelDown, dragged] = [64, 65, 32] as const;

async function takeMouse(terminal: Terminal): Promise<void> {
  terminal.keys('Alt-m');
  await terminal.waitFor('Mouse on');
  expect(terminal.modes.mouse).toBe('drags');
}

/** Something that goes the same way after all that was done before: had that marked anything, it would be known. */
async function settled({server, meg, message}: TwoUserFixture, terminal: Terminal): Promise<void> {
  const listener = await server.as(meg).listen({event_types: ['user_status']});
  await message(1);
  await server.as(meg).post('/users/me/status', {status_text: 'on deck'});
  await firstEvent(listener, ({type}) => type === 'user_status');
  terminal.keys('Ctrl-L');
  await terminal.waitFor(({text}) => text.trim() !== '', 'a picture');
}

test.each(sizes)(
  'clicks and the wheel in the inbox mark nothing as read; a second click opens, that alone is read, and a click writes there, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const {server, meg} = stage;
    const before = await stage.unread(meg);
    const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
    const sent = await server.as(stage.otto).listen({event_types: ['message']});
    const terminal = stage.open(meg, {size});
    await allUnread(terminal);
    await takeMouse(terminal);
    const row = () => {
      const {lines} = terminal.screen();
      const y = lines.findIndex((line) => /\d #harbour › ropes/.test(line));
      return {x: (lines[y] ?? '').indexOf('ropes') + 1, y: y + 1};
    };
    click(terminal, row());
    await terminal.waitFor(({lines}) => lines.some((line) => /▌.*ropes/.test(line)), 'the cursor at ropes');
    for (const y of [4, size.rows - 3]) {
      for (const code of [wheelDown, wheelDown, wheelUp]) report(terminal, code, {x: size.cols - 4, y});
    }
    await settled(stage, terminal);
    expect(await stage.unread(meg)).toEqual(before);
    await terminal.waitFor(({lines}) => lines.some((line) => /ropes/.test(line)), 'ropes');
    click(terminal, row());
    await terminal.waitFor(({lines}) => lines.some((line) => /▌.*ropes/.test(line)), 'the cursor at ropes');
    click(terminal, row());
    await terminal.waitFor('The blue rope is worn.');
    const {messages} = await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    expect((await stage.message(messages[0])).subject).toBe('ropes');
    expect(await stage.unread(meg)).toEqual(before.filter((id) => !messages.includes(id)));
    expect(messages).toHaveLength(1);

    click(terminal, placeOf(terminal, 'r writes to'));
    await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
    terminal.type('sail at noon');
    await terminal.waitFor('sail at noon');
    // Another click puts the cursor into the text.
    click(terminal, placeOf(terminal, 'sail at noon'));
    terminal.type('We ');
    await terminal.waitFor('We sail at noon');
    // Over the messages, while somebody writes: the keys stay with the text.
    report(terminal, wheelUp, {x: size.cols - 6, y: 4});
    report(terminal, wheelDown, {x: size.cols - 6, y: 4});
    const {x, y} = placeOf(terminal, 'We sail at noon');
    click(terminal, {x: x + 20, y});
    terminal.type('.');
    terminal.keys('Enter');
    const {message} = await firstEvent(sent, ({type}) => type === 'message');
    expect(message.content).toContain('We sail at noon.');
  },
);

test.each([smallSize])(
  'a click selects a message, drawing the mouse along says how to select text, and a click in the list of channels opens a place, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const terminal = await openTides(stage, size);
    await takeMouse(terminal);
    const place = placeOf(terminal, 'The spring tide');
    click(terminal, place);
    await terminal.waitFor(
      ({lines}) => /▌.*The spring tide/.test(lines[place.y - 1] ?? ''),
      'the cursor there',
    );
    report(terminal, 0, place);
    report(terminal, dragged, {...place, x: place.x + 6});
    report(terminal, 0, {...place, x: place.x + 6}, 'm');
    await terminal.waitFor('Hold Shift and drag');
    expect(terminal.screen().lines.some((line) => /▌.*The spring tide/.test(line))).toBe(true);

    // On small screens the list lies over the messages while it has the keys.
    terminal.keys('\\');
    await terminal.waitFor('Starred');
    click(terminal, placeOf(terminal, 'Recent'));
    await terminal.waitFor(
      ({lines}) => (lines[0] ?? '').includes('Recent conversations'),
      'recent conversations',
    );
  },
);

test('a row of a menu is chosen by a click, and a click beside a menu closes it', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, {cols: 80, rows: 24});
  await takeMouse(terminal);
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field');
  click(terminal, {x: 1, y: 1});
  await terminal.waitFor(({cursor}) => !cursor.visible, 'no field');
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field');
  terminal.type('ropes');
  await terminal.waitFor(({lines}) => lines.some((line) => line.includes('▌#harbour › ropes')), 'ropes');
  const place = placeOf(terminal, 'ropes');
  // A double click: the second one comes to where the menu was.
  click(terminal, place);
  click(terminal, place);
  await terminal.waitFor('The blue rope is worn.');
});

test('the wheel scrolls a long conversation back and forth', async () => {
  const stage = await twoUserFixture();
  for (let nth = 1; nth <= 40; nth++) await stage.say(stage.meg, 'tides', `Sounding ${nth}.`);
  const terminal = stage.open(stage.meg, {size: {cols: 120, rows: 30}, args: ['#harbour>tides']});
  await terminal.waitFor('Sounding 9.');
  terminal.keys('G');
  await terminal.waitFor('Sounding 40.');
  await takeMouse(terminal);
  for (let nth = 0; nth < 6; nth++) report(terminal, wheelUp, {x: 90, y: 10});
  await terminal.waitFor(({text}) => !text.includes('Sounding 40.'), 'older messages');
  for (let nth = 0; nth < 6; nth++) report(terminal, wheelDown, {x: 90, y: 10});
  await terminal.waitFor('Sounding 40.');
});
