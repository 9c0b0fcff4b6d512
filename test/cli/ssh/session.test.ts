import {expect, test} from 'vitest';
import {refusedOverSsh} from '#cli/restriction.ts';
import {testServer} from '#test/support/server.ts';
import {slowTest} from '#test/support/tier.ts';
import {startedSession} from './session-fixture.ts';

const env = {TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8', TZ: 'Europe/Oslo'};

async function harbour() {
  const server = await testServer();
  const [meg, otto] = [
    server.people.add('Meg Member', {settings: {enter_sends: true}}),
    server.people.add('Otto Other'),
  ];
  server.people.channel('harbour', [meg, otto]);
  const post = (content: string) =>
    server.as(otto).post('/messages', {type: 'stream', to: 'harbour', topic: 'tides', content});
  await post('The spring tide is at four.');
  return {server, meg, otto, post};
}

test('session: draws the screen on its streams, sends what is typed, and follows the size of the terminal', async () => {
  const {server, meg, otto} = await harbour();
  const session = await startedSession({server, person: meg, env, args: ['#harbour>tides']});
  const terminal = session.screen();
  await terminal.waitFor('The spring tide is at four');
  const listener = await server.as(otto).listen({event_types: ['message']});
  terminal.keys('r');
  await terminal.waitFor('Write here');
  terminal.type('I bring the chart.');
  await terminal.waitFor('I bring the chart');
  terminal.keys('Enter');
  expect(await listener.next()).toMatchObject([{message: {content: expect.stringContaining('chart')}}]);
  terminal.device.emulator.resize(100, 30);
  session.resize(100, 30);
  await expect.poll(() => terminal.device.screen().lines[29]?.trim()).not.toBe('');
  terminal.keys('Esc', 'Ctrl-C', 'Ctrl-C');
  expect(await session.ended).toBe(0);
});

test('session: a verb has its input, output, errors and exit code', async () => {
  const {server, meg, otto} = await harbour();
  const unread = await startedSession({server, person: meg, env, args: ['unread', '--json']});
  expect(JSON.parse((await unread.run()).output)).toMatchObject({total: 1});
  expect(await unread.ended).toBe(0);
  const listener = await server.as(otto).listen({event_types: ['message']});
  const send = await startedSession({server, person: meg, env, args: ['send', '--to', '#harbour>nightly']});
  expect((await send.run('All tests passed.\n')).errors).toBe('');
  expect(await send.ended).toBe(0);
  expect(await listener.next()).toMatchObject([{message: {subject: 'nightly'}}]);
  const wrong = await startedSession({server, person: meg, env, args: ['send', '--to', '#nowhere>x', '-m', 'y']});
  expect((await wrong.run()).errors).toContain('nowhere');
  expect(await wrong.ended).toBe(1);
});

slowTest(
  'session: what would use the machine of the server is refused with a sentence, by key and by verb',
  async () => {
    const {server, meg} = await harbour();
    const session = await startedSession({server, person: meg, env, args: ['#harbour>tides']});
    const terminal = session.screen(160, 24);
    await terminal.waitFor('The spring tide is at four');
    const firstWordsOf = (sentence: string) => sentence.slice(0, 60);
    terminal.keys('Ctrl-Z');
    await terminal.waitFor(firstWordsOf(refusedOverSsh.suspend));
    terminal.keys('r');
    await terminal.waitFor('Write here');
    terminal.keys('Ctrl-X', 'a');
    await terminal.waitFor(firstWordsOf(refusedOverSsh.attach));
    terminal.keys('Ctrl-X', 'P');
    await terminal.waitFor(firstWordsOf(refusedOverSsh.clipboardImage));
    terminal.keys('Ctrl-O');
    await terminal.waitFor(firstWordsOf(refusedOverSsh.editor));
    const refusals: readonly (readonly [string[], string])[] = [
      [['serve', '--memory', '--world', 'demo'], refusedOverSsh.machine],
      [['serve', 'user', 'list', '--data', '/tmp'], refusedOverSsh.machine],
      [['login', 'http://127.0.0.1'], refusedOverSsh.machine],
      [['ctl', 'list'], refusedOverSsh.machine],
      [['export', '--all', '/tmp/out'], refusedOverSsh.machine],
      [['unread', '--config', '/etc/passwd'], refusedOverSsh.accounts],
      [['unread', '--account', 'demo'], refusedOverSsh.accounts],
      [['upload', '/etc/passwd'], refusedOverSsh.files],
      [['api', 'POST', 'user_uploads', 'file=@/etc/passwd'], refusedOverSsh.files],
      [['api', 'POST', 'messages', 'content=@/etc/passwd'], refusedOverSsh.files],
      [['render', '--world', '/etc/passwd'], refusedOverSsh.files],
      [['ssh-session'], 'There is no command “ssh-session”'],
    ];
    for (const [args, sentence] of refusals) {
      const verb = await startedSession({server, person: meg, env, args});
      const {output, errors} = await verb.run();
      expect([args[0], errors]).toEqual([args[0], expect.stringContaining(sentence)]);
      expect(output).toBe('');
      expect(await verb.ended).not.toBe(0);
    }
  },
);
