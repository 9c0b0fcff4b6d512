import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer(options);
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const channels = {ops: server.people.channel('ops', [meg, otto]), web: server.people.channel('web', [meg, otto])};
  const say = async (to: string, topic: string, content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to, topic, content})).id;
  await say('ops', 'ci', 'build 7');
  await say('ops', 'disk', 'full again');
  await say('web', 'css', 'nothing');
  await say('web', 'css', `@**${meg.fullName}** look`);
  const view = (name: string, fragment: string) =>
    server.as(meg).post('/navigation_views', {fragment, is_pinned: true, name});
  return {...verbFixture(server, meg), server, meg, channels, view};
}

const texts = (out: string) => [...out.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]);

test('read view:NAME prints the messages of a view, also of joined searches; other verbs take it too', async () => {
  const {run, view, channels, meg} = await scene();
  await view('Ops watch', `narrow/channel/${channels.ops}-ops/-topic/ci/is/unread`);
  await view('Both', `narrow/or/channel.2F${channels.ops}-ops/or/channel.2F${channels.web}-web.2Fis.2Fmentioned`);
  const watch = await run('read', ['view:ops', 'WATCH', '--json', '--raw']);
  expect([watch.code, watch.err, texts(watch.out)]).toEqual([0, '', ['full again']]);
  const both = await run('read', ['view:Both', '--json', '--raw']);
  expect(texts(both.out)).toEqual(['build 7', 'full again', `@**${meg.fullName}** look`]);
  const last = await run('read', ['view:"both"', '--json', '--raw', '-n', '1', '--unread']);
  expect(texts(last.out)).toEqual(['build 7']);
  const typed = await run('read', ['channel:ops', 'topic:ci', 'OR', 'is:mentioned', '--json', '--raw']);
  expect(texts(typed.out)).toEqual(['build 7', `@**${meg.fullName}** look`]);
  const marked = await run('mark-read', ['view:Both', '--json']);
  expect(JSON.parse(marked.out)).toMatchObject({count: 3});
  const builtIn = await run('read', ['view:mentions', '--json', '--raw']);
  expect(texts(builtIn.out)).toEqual([`@**${meg.fullName}** look`]);
  await view('Mentions', `narrow/channel/${channels.ops}-ops`);
  const own = await run('read', ['view:mentions', '--json', '--raw']);
  expect(texts(own.out)).toEqual(['build 7', 'full again']);
});

test('read view:NAME says what is wrong with an unknown view, a missing name, and a view that leads nowhere', async () => {
  const {run, view} = await scene();
  await view('Ops watch', 'narrow/is/unread');
  await view('Old', 'narrow/channel/999-gone');
  expect(await run('read', ['view:Ops wacth'])).toMatchObject({
    code: 1,
    out: '',
    err: 'No view is called “Ops wacth”. Did you mean “Ops watch”?\n',
  });
  const missing = await run('read', ['view:']);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('view:Mentions, view:')]);
  expect(await run('read', ['view:old'])).toMatchObject({
    code: 1,
    err: 'The view “Old” leads nowhere: No such channel, or you cannot see it.\n',
  });
});

test('read view:NAME finds views that are kept on this machine, where the server stores none', async () => {
  const {run, withStore, channels} = await scene({level: 371});
  const local = [{fragment: `narrow/channel/${channels.web}-web`, isPinned: true, name: 'Web'}];
  withStore((store) => store.keyValues.set('sidebar.views', JSON.stringify(local)));
  const {code, out} = await run('read', ['view:web', '--json', '--raw', '-n', '1']);
  expect([code, texts(out)]).toEqual([0, [expect.stringContaining('look')]]);
});

/** Returns the arguments of the example commands of a chapter. */
function examplesOf(chapter: string): string[][] {
  const text = readFileSync(`assets/help/${chapter}.md`, 'utf8');
  const blocks = [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap((match) => (match[1] ?? '').trim().split('\n'));
  return blocks.map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '').slice(1),
  );
}

test('the examples of the chapter about views work', async () => {
  const {run, view, channels} = await scene();
  await view('Ops watch', `narrow/channel/${channels.ops}-ops/-topic/ci/is/unread`);
  for (const [verb = '', ...words] of examplesOf('views')) {
    const {code, out, err} = await run(verb as 'read', words);
    expect([words, code, err, out === '']).toEqual([words, 0, '', false]);
  }
});
