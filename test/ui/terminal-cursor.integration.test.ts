import {expect, onTestFinished, test} from 'vitest';
import {ApiClient} from '#test/support/api-client.ts';
import {startCountingServer} from '#test/support/request-counter.ts';
import {SpokenScreen} from '#test/support/spoken.ts';

/** A program in a channel with two topics, and what a follower of the cursor reads. */
async function harbour(size: string): Promise<SpokenScreen> {
  const counting = await startCountingServer();
  const {people, meg, otto, server} = counting;
  people.channel('harbour', [meg, otto]);
  const client = new ApiClient(server.url, otto);
  for (const [topic, content] of [
    ['masts', 'The mast is up.'],
    ['masts', 'It is a tall one.\n\nIt has two ropes.'],
    ['ropes', 'Who has the ropes?'],
  ]) {
    await client.post('/messages', {type: 'stream', to: 'harbour', topic, content});
  }
  const program = counting.open(size);
  await program.settle();
  const screen = new SpokenScreen(program);
  onTestFinished(async () => {
    screen.end();
    await program.stop();
    await counting.close();
  });
  return screen;
}

test.each(['80x24', '200x50', '40x15'])(
  'terminal cursor: it is at the selected row or message in every view, at %s',
  async (size) => {
    const screen = await harbour(size);
    const lineAfter = async (...keys: readonly string[]) => (await screen.press(...keys)).line;
    expect(await lineAfter('g', 'i')).toMatch(/ropes/);
    expect(await lineAfter('j')).toMatch(/masts/);
    expect(await lineAfter('g', 't')).toMatch(/masts/);
    expect(await lineAfter('g', 'i', 'Enter', 'Home')).toMatch(size === '200x50' ? /The mast is up/ : /Otto Other/);
    expect(await lineAfter('j')).toMatch(/It is a tall one/);
    expect(await lineAfter('y')).toMatch(/ropes/);
    expect(await lineAfter('g', 'r')).toMatch(/ropes/);
    expect(await lineAfter('g', 'k')).toMatch(/ropes|Nothing/);
    expect(await lineAfter('g', 'p')).toMatch(/No direct messages/);
    expect(await lineAfter('g', 'c')).toMatch(/harbour/);
    expect(await lineAfter('g', 'u')).toMatch(/Otto|Member|Meg/);
    expect(await lineAfter('g', 'd')).toMatch(/No drafts/);
    expect(await lineAfter('I', 'Shift-Tab')).toMatch(/Inbox/);
    expect(screen.isCursorShown).toBe(false);
  },
);

test('terminal cursor: it is at the row of a menu, the field of a form and the first line of a card', async () => {
  const screen = await harbour('80x24');
  const lineAfter = async (...keys: readonly string[]) => (await screen.press(...keys)).line;
  await screen.press('g', 'i', 'Enter');
  expect(await lineAfter('i')).toMatch(/^│▌/);
  const second = await lineAfter('Down');
  expect(second).toMatch(/^│▌/);
  expect(await lineAfter('Down')).not.toBe(second);
  expect(await lineAfter('Esc', 'u')).toMatch(/^│ \S/);
  await screen.press('Esc', 'g', 'c', 'n');
  expect(await lineAfter('Down', 'Down')).toMatch(/^│ ▌/);
});

test('terminal cursor: it follows a row without being shown, and is shown in a text', async () => {
  const screen = await harbour('80x24');
  await screen.press('g', 'i', 'j');
  expect(screen.isCursorShown).toBe(false);
  await screen.press('Enter', 'r');
  expect(screen.isCursorShown).toBe(true);
});
