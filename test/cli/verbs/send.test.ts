import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findDestination, rememberDestination} from '#cli/messages/destination-arguments.ts';
import {runVerb} from '#cli/verbs/run-verb.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {testIo} from '#test/support/cli-io.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({testHooks: true, ...options});
  const [meg, otto, ida] = [
    server.people.member(),
    server.people.member('Otto Other'),
    server.people.member('Ida Idle'),
  ];
  server.people.channel('general', [meg, otto]);
  server.people.channel('2024', [meg]);
  return {server, meg, otto, ida, ...verbFixture(server, meg), sent: () => sentBy(server, meg)};
}

/** Returns all messages of this user, oldest first. */
async function sentBy(server: TestServer, person: Parameters<TestServer['as']>[0]) {
  const {messages} = await server.as(person).get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{operator: 'sender', operand: person.id}],
    apply_markdown: false,
  });
  return messages.map(({subject, content, display_recipient}: Record<string, unknown>) => ({
    subject,
    content,
    to: Array.isArray(display_recipient)
      ? display_recipient.map(({full_name}: {full_name: string}) => full_name).sort()
      : display_recipient,
  }));
}

async function fault(server: TestServer, body: object): Promise<void> {
  const init = {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)};
  expect((await fetch(`${server.url}/test-hooks/fault`, init)).status).toBe(200);
}

/** Returns a clock that skips short waits, such as those between searches for a lost message. */
function hasty(): Clock {
  let aheadMs = 0;
  return {
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
    after: (ms, task) => {
      if (ms >= 20_000) return systemClock.after(ms, task);
      return systemClock.after(1, () => {
        aheadMs += ms;
        task();
      });
    },
  };
}

test('send: a message from -m or standard input goes to a topic', async () => {
  const {run, sent} = await scene();
  expect(await run('send', ['--to', '#general>lunch', '-m', '- soup\n- bread'])).toEqual({
    code: 0,
    out: 'Sent to #general › lunch.\n',
    err: '',
  });
  expect(await run('send', ['--to', 'general', '--topic', 'lunch'], {input: 'piped\n'})).toMatchObject({
    code: 0,
  });
  expect(await run('send', ['--to', 'general>lunch', '-'], {input: 'dashed', inputIsTty: true})).toMatchObject({
    code: 0,
  });
  expect(await sent()).toEqual([
    {to: 'general', subject: 'lunch', content: '- soup\n- bread'},
    {to: 'general', subject: 'lunch', content: 'piped'},
    {to: 'general', subject: 'lunch', content: 'dashed'},
  ]);
});

test('send: --json prints the message id and the conversation', async () => {
  const {run, server, otto} = await scene();
  const {code, out} = await run('send', ['--to', '@Otto Other', '-m', 'hi', '--json']);
  const {id, ...rest} = JSON.parse(out);
  expect([code, rest]).toEqual([
    0,
    {
      status: 'sent',
      conversation: {
        to: '@Otto Other',
        title: 'Otto Other',
        kind: 'direct',
        userIds: [otto.id],
        names: ['Otto Other'],
      },
    },
  ]);
  expect((await server.as(otto).get(`/messages/${id}`)).message.content).toContain('hi');
});

test('send: the notes to oneself are “me” in JSON, as --to takes them', async () => {
  const {run} = await scene();
  expect(JSON.parse((await run('send', ['--to', 'me', '-m', 'x', '--json'])).out)).toMatchObject({
    conversation: {to: 'me', userIds: []},
  });
});

test('send: the 200 places that were written to last are known without the server', () => {
  const saved = new Map<string, string>();
  const store = {get: (key: string) => saved.get(key), set: (key: string, value: string) => void saved.set(key, value)};
  const conversation = (channelId: number) => ({kind: 'topic', channelId, topic: 't'}) as const;
  const remember = (id: number) =>
    rememberDestination(store as never, [`#${id}`], undefined, {conversation: conversation(id), title: `#${id} › t`});
  for (let id = 1; id <= 201; id++) remember(id);
  const isKnown = (id: number) => findDestination(store as never, [`#${id}`], undefined) !== undefined;
  expect([1, 2, 200, 201].map(isKnown)).toEqual([false, true, true, true]);
});

test('send: several users make a group; a channel and users cannot be combined', async () => {
  const {run, sent, ida} = await scene();
  expect(await run('send', ['--to', '@otto other', '--to', 'me', '--to', ida.email, '-m', 'you two'])).toMatchObject({
    code: 0,
    out: 'Sent to Ida Idle, Otto Other.\n',
  });
  expect(await sent()).toEqual([{to: ['Ida Idle', 'Meg Member', 'Otto Other'], subject: '', content: 'you two'}]);
  expect(await run('send', ['--to', 'general', '--to', '@Ida Idle', '-m', 'x'])).toMatchObject({code: 2});
});

test('send: channels are found by name and by id, and a name wins', async () => {
  const {run, sent, server, meg} = await scene();
  const id = server.people.channel('found by number', [meg]);
  for (const to of ['2024', `${id}`, `#${id}>t`]) await run('send', ['--to', to, '-m', to]);
  expect((await sent()).map(({to}: {to: string}) => to)).toEqual(['2024', 'found by number', 'found by number']);
});

test('send: without a topic the message goes to the empty topic, on old servers to “(no topic)”', async () => {
  const now = await scene();
  expect(await now.run('send', ['--to', '#general', '-m', 'x'])).toMatchObject({
    code: 0,
    out: 'Sent to #general › general chat.\n',
  });
  const then = await scene({level: 122});
  expect(await then.run('send', ['--to', '#general', '-m', 'x'])).toMatchObject({code: 0});
  expect(await then.sent()).toMatchObject([{subject: '(no topic)'}]);
});

test('send: a part of a name is refused, and the names that have it are listed', async () => {
  const {run, server, sent} = await scene();
  server.people.member('Otto Ortiz');
  expect(await run('send', ['--to', '@otto', '-m', 'x'])).toMatchObject({
    code: 1,
    err: 'No user is called “otto”. Did you mean “Otto Other” or “Otto Ortiz”?\n',
  });
  expect(await run('send', ['--to', '#gen>boats', '-m', 'y'])).toMatchObject({
    code: 1,
    err: 'There is no channel called “gen”. Did you mean “general”?\n',
  });
  expect(await sent()).toEqual([]);
});

test('send: an unknown destination is an error', async () => {
  const {run, sent} = await scene();
  expect(await run('send', ['--to', 'generel', '-m', 'x'])).toEqual({
    code: 1,
    out: '',
    err: 'No channel or user is called “generel”. Did you mean “#general”?\n',
  });
  expect(await run('send', ['--to', 'is:starred', '-m', 'x'])).toMatchObject({code: 2});
  expect(await run('send', ['--to=-channel:general', '-m', 'x'])).toMatchObject({code: 2});
  expect(await run('send', ['--to', 'general>a', '--topic', 'b', '-m', 'x'])).toMatchObject({code: 2});
  expect(await run('send', ['--to', '@Otto Other', '--topic', 'b', '-m', 'x'])).toMatchObject({code: 2});
  expect(await sent()).toEqual([]);
});

test('send: a missing permission is refused before sending: exit code 5', async () => {
  const {run, server, meg} = await scene();
  const admins = server.context.db.value<number>(`SELECT id FROM user_group WHERE name = 'role:administrators'`);
  server.people.channel('news', [meg], {permissions: {can_send_message_group: admins}});
  expect(await run('send', ['--to', '#news>t', '-m', 'x'])).toEqual({
    code: 5,
    out: '',
    err: 'You do not have permission to write in #news.\n',
  });
});

test('send: a message that is too long or rejected is reported and not saved', async () => {
  const {run, server, withStore: look} = await scene();
  expect(await run('send', ['--to', 'me'], {input: 'x'.repeat(10_001)})).toMatchObject({
    code: 1,
    err: 'The message has 10001 characters; this server allows 10000.\n',
  });
  await fault(server, {method: 'POST', path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  const {code, err} = await run('send', ['--to', 'me', '-m', 'x']);
  expect([code, err.split('\n').length]).toEqual([1, 2]);
  expect(look((store) => store.outbox.all())).toEqual([]);
});

test('send: after a lost response the message is found, not sent again', async () => {
  const {run, sent, server} = await scene();
  await fault(server, {method: 'POST', path: '/messages', kind: 'drop_after'});
  expect(await run('send', ['--to', 'me', '-m', 'once'])).toMatchObject({code: 0});
  await fault(server, {method: 'POST', path: '/messages', kind: 'truncate'});
  expect(await run('send', ['--to', 'me', '-m', 'once'])).toMatchObject({code: 0});
  expect(await sent()).toHaveLength(2);
});

test('send: a message that may have been sent and cannot be found stays unconfirmed in the outbox', async () => {
  const {run, sent, server} = await scene();
  await fault(server, {method: 'POST', path: '/messages', kind: 'drop_before'});
  const {code, out, err} = await run('send', ['--to', '#general>t', '-m', 'perhaps'], {clock: hasty()});
  expect([code, out]).toEqual([75, '']);
  expect(err).toContain('was not found on the server');
  const [entry] = JSON.parse((await run('outbox', ['--json'])).out);
  expect(entry).toMatchObject({
    status: 'unconfirmed',
    content: 'perhaps',
    conversation: {title: '#general › t'},
    problem: expect.any(String),
  });
  expect(await run('send', ['--to', 'me', '-m', 'another'])).toMatchObject({code: 0});
  expect(await sent()).toHaveLength(1);
  expect((await run('outbox', [])).out).toMatch(
    /unconfirmed {2}#general › t: perhaps\n {4}\S.* was not found on the server/,
  );
  expect(await run('outbox', ['send', entry.id.slice(0, 6)])).toMatchObject({
    code: 0,
    out: 'Sent 1 message.\n',
  });
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual(['another', 'perhaps']);
  expect((await run('outbox', [])).out).toBe('The outbox is empty.\n');
});

test('outbox: an unconfirmed message that arrived late is not sent again, and disappears from the list', async () => {
  const {run, sent, server, meg} = await scene();
  for (const content of ['one', 'two']) {
    await fault(server, {method: 'POST', path: '/messages', kind: 'drop_before'});
    await run('send', ['--to', '#general>t', '-m', content], {clock: hasty()});
  }
  const ids = JSON.parse((await run('outbox', ['--json'])).out).map(({id}: {id: string}) => id);
  expect(ids).toHaveLength(2);
  const arrive = (content: string) =>
    server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 't', content});
  await arrive('one');
  expect(await run('outbox', ['send', ids[0]])).toMatchObject({code: 0, out: 'Sent 1 message.\n'});
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual(['one']);
  await arrive('two');
  await fault(server, {path: '/register', kind: 'drop_before'});
  expect((await run('outbox', [])).out).toContain('unconfirmed  #general › t: two\n');
  expect((await run('outbox', [])).out).toBe('The outbox is empty.\n');
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual(['one', 'two']);
});

test('send: without a server only --queue saves the message, and the next Parley sends it in order', async () => {
  const {run, sent, server, withStore: look} = await scene();
  const lost = () => fault(server, {path: '/register', kind: 'drop_before'});
  const to = ['--to', '#general>t'];
  await lost();
  expect(await run('send', [...to, '-m', 'never kept', '--queue'])).toMatchObject({
    code: 4,
    err: expect.stringContaining('“#general>t” is not known without the server'),
  });
  expect(await run('send', [...to, '-m', 'first'])).toMatchObject({code: 0});
  await lost();
  expect(await run('send', [...to, '-m', 'not kept'])).toMatchObject({
    code: 4,
    err: expect.stringContaining('not saved'),
  });
  await lost();
  const queued = await run('send', [...to, '-m', 'second', '--queue', '--json']);
  expect([queued.code, JSON.parse(queued.out)]).toMatchObject([0, {id: null, status: 'queued'}]);
  expect(queued.err).toMatch(/^Cannot reach [^\n]+: the connection was closed\.\n$/);
  expect(look((store) => store.outbox.all())).toMatchObject([{content: 'second', status: 'queued'}]);
  expect(await run('send', [...to, '-m', 'third'])).toMatchObject({code: 0, err: ''});
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual(['first', 'second', 'third']);
});

test('send: --queue without a server knows conversations and permissions from the last session', async () => {
  const {run, start, sent, server, withStore: look, meg} = await scene();
  const admins = server.context.db.value<number>(`SELECT id FROM user_group WHERE name = 'role:administrators'`);
  server.people.channel('news', [meg], {permissions: {can_send_message_group: admins}});
  await run('send', ['--to', '#2024>t', '-m', 'seen']);
  const {io, end, code} = start('tail', ['#2024']);
  await io.saw('seen');
  end();
  await code;
  const queue = async (to: string) => {
    await fault(server, {path: '/register', kind: 'drop_before'});
    return run('send', ['--to', to, '-m', to, '--queue']);
  };
  expect(await queue('#general>new')).toMatchObject({
    code: 0,
    out: 'Saved for #general › new. It is sent with the next “parley send” or “parley tail” of this account.\n',
  });
  expect(await queue('#news>t')).toMatchObject({code: 5});
  expect(await queue('#nowhere')).toMatchObject({code: 1});
  expect((await run('outbox', [])).out).toMatch(/^\S+ {2}queued {7}#general › new: #general>new\n$/);
  expect(look((store) => store.outbox.all())).toHaveLength(1);
  // The next run of Parley.
  const next = start('tail', ['#general']);
  await next.io.saw('#general>new');
  next.end();
  await next.code;
  expect(await sent()).toHaveLength(2);
});

test('outbox: a message that waited too long needs a confirmation, and can be discarded', async () => {
  const {run, sent, server, withStore: look} = await scene();
  await run('send', ['--to', 'me', '-m', 'known']);
  await fault(server, {path: '/register', kind: 'drop_before'});
  const earlier: Clock = {...systemClock, now: () => systemClock.now() - 11 * 60_000};
  expect(await run('send', ['--to', 'me', '-m', 'stale', '--queue'], {clock: earlier})).toMatchObject({
    code: 0,
  });
  expect(await run('send', ['--to', 'me', '-m', 'fresh'])).toMatchObject({
    code: 0,
    err: 'One older message needs your confirmation before sending. List them with “parley outbox”.\n',
  });
  const [held] = look((store) => store.outbox.all());
  expect(held).toMatchObject({status: 'held', content: 'stale'});
  expect(await run('outbox', ['discard', 'zzz', '--yes'])).toMatchObject({code: 1});
  expect(await run('outbox', ['discard', held?.id ?? '', '--yes'])).toMatchObject({
    code: 0,
    out: 'Discarded 1 message.\n',
  });
  expect(look((store) => store.outbox.all())).toEqual([]);
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual(['known', 'fresh']);
});

test('outbox: of several messages each is sent or its problem is said, and several are discarded', async () => {
  const {run, sent, server, otto, withStore: look} = await scene();
  const ids = ['a', 'b', 'c', 'd'];
  look(({outbox}) => {
    const conversation = {kind: 'direct', userIds: [otto.id]} as const;
    for (const id of ids) {
      outbox.add({id, conversation, content: `text ${id}`, createdAt: Date.now(), draftId: undefined});
      outbox.update(id, ['queued'], {status: 'held'});
    }
  });
  await fault(server, {method: 'POST', path: '/messages', kind: 'status', status: 403, code: 'PERMISSION_DENIED'});
  const {code, out, err} = await run('outbox', ['send', 'a', 'b']);
  expect([code, out, err]).toEqual([5, '', expect.stringMatching(/^a: [^\n]+\n$/)]);
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual(['text b']);
  expect((await run('outbox', [])).out).toMatch(
    /^a {2}failed {7}Otto Other: text a\n {4}\S.*\nc {2}held {9}Otto Other: text c\nd /,
  );
  expect((await run('outbox', ['discard', 'a', 'c', '--yes'])).out).toBe('Discarded 2 messages.\n');
  expect(look(({outbox}) => outbox.all().map(({id}) => id))).toEqual(['d']);
});

test('send: a rate limit is waited for', async () => {
  const {run, sent, server} = await scene();
  await fault(server, {method: 'POST', path: '/messages', kind: 'rate_limit', retry_after: 0.01});
  expect(await run('send', ['--to', 'me', '-m', 'patient'])).toMatchObject({
    code: 0,
    err: expect.stringMatching(/asks to wait a second before the next request\.\n$/),
  });
  expect(await sent()).toHaveLength(1);
});

test('send: an interrupted message that was not sent yet is removed', async () => {
  const {start, sent, server, withStore: look} = await scene();
  await fault(server, {method: 'POST', path: '/messages', kind: 'rate_limit', retry_after: 30});
  const {io, end, code} = start('send', ['--to', 'me', '-m', 'never mind']);
  await io.saw('asks to wait');
  end();
  await expect(code).rejects.toThrow('ended by the test');
  expect(await sent()).toEqual([]);
  expect(look((store) => store.outbox.all())).toEqual([]);
});

test('send: line ends at the end of a file do not make a message too long', async () => {
  const {run, sent} = await scene();
  const text = '🦉'.repeat(10_000);
  expect(await run('send', ['--to', 'me'], {input: `\n${text}\n\n`})).toMatchObject({code: 0});
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual([text]);
  expect(await run('send', ['--to', 'me'], {input: `${text}x\n`})).toMatchObject({
    code: 1,
    err: 'The message has 10001 characters; this server allows 10000.\n',
  });
});

test('send: an empty --to, such as from an unset variable, is a usage error', async () => {
  const {run, sent} = await scene();
  expect(await run('send', ['--to', '', '-m', 'x'])).toMatchObject({code: 2});
  expect(await run('send', ['--to', 'me', '--to', ' ', '-m', 'x'])).toMatchObject({code: 2});
  expect(await sent()).toEqual([]);
});

test('send: with an unwritable disk --queue does not claim that the message was saved', async () => {
  const {run, home, server, sent} = await scene();
  mkdirSync(join(home, '.local/share/parley'), {recursive: true});
  writeFileSync(join(home, '.local/share/parley/accounts'), 'in the way');
  expect(await run('send', ['--to', 'me', '-m', 'sent all the same'])).toMatchObject({code: 0});
  const to = ['--to', 'me', '-m', 'x', '--queue'];
  await fault(server, {method: 'POST', path: '/messages', kind: 'rate_limit', retry_after: 500});
  expect(await run('send', to)).toMatchObject({code: 4, err: expect.stringMatching(/not saved\.\n$/)});
  await fault(server, {path: '/register', kind: 'drop_before'});
  expect(await run('send', to)).toMatchObject({code: 4, err: expect.stringMatching(/not saved\.\n$/)});
  for (const argv of [['outbox'], ['search', '--local', 'x']] as const) {
    const {code, err} = await run(argv[0], argv.slice(1));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/can you write to .*accounts\?\), so nothing will be saved/),
    ]);
  }
  expect(await sent()).toHaveLength(1);
});

test('send: a rate limit that is too long is not waited for', async () => {
  const {run, server, sent} = await scene();
  await fault(server, {method: 'POST', path: '/messages', kind: 'rate_limit', retry_after: 500, times: 9});
  const {code, err} = await run('send', ['--to', 'me', '-m', 'x']);
  const {host} = new URL(server.url);
  expect([code, err]).toEqual([
    4,
    `${host} asks to wait 9 minutes before the next request. The message was not sent and not saved. With --queue it is saved and sent later.\n`,
  ]);
  expect(await sent()).toEqual([]);
});

test('send: when the key is rejected after the recipient was found, it does not wait: exit code 3', async () => {
  const {run, server, sent} = await scene();
  await fault(server, {method: 'POST', path: '/messages', kind: 'status', status: 401, code: 'UNAUTHORIZED'});
  const {code, out, err} = await run('send', ['--to', 'me', '-m', 'x']);
  expect([code, out, err]).toEqual([3, '', expect.stringContaining('The message was not sent and not saved.')]);
  expect(await sent()).toEqual([]);
});

test('send: --queue saves a message that a long rate limit refuses', async () => {
  const {run, server, sent} = await scene();
  await run('send', ['--to', 'me', '-m', 'known']);
  for (const path of ['/messages', '/register']) {
    await fault(server, {method: 'POST', path, kind: 'rate_limit', retry_after: 90});
    expect(await run('send', ['--to', 'me', '-m', `for ${path}`, '--queue'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Saved for /),
    });
  }
  expect(await run('send', ['--to', 'me', '-m', 'last'])).toMatchObject({code: 0});
  expect((await sent()).map(({content}: {content: string}) => content)).toEqual([
    'known',
    'for /messages',
    'for /register',
    'last',
  ]);
});

test('send: --queue saves a message when a network login page answers instead of the server', async () => {
  const {run, server, sent} = await scene();
  await run('send', ['--to', 'me', '-m', 'known']);
  const page = {path: '/register', kind: 'html', status: 403};
  await fault(server, page);
  expect(await run('send', ['--to', 'me', '-m', 'lost'])).toMatchObject({
    code: 4,
    err: expect.stringMatching(/network login page\. The message was not sent and not saved\. With --queue/),
  });
  await fault(server, page);
  expect(await run('send', ['--to', 'me', '-m', 'saved', '--queue'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Saved for /),
  });
  expect(await run('send', ['--to', 'me', '-m', 'last'])).toMatchObject({code: 0});
  expect(await sent()).toMatchObject([{content: 'known'}, {content: 'saved'}, {content: 'last'}]);
});

test('send: repeated rate limits of several requests are said once', async () => {
  const {run, sent, server} = await scene();
  await fault(server, {path: '/', kind: 'rate_limit', retry_after: 0.01, times: 4});
  await fault(server, {method: 'POST', path: '/messages', kind: 'rate_limit', retry_after: 0.01, times: 3});
  const {code, err} = await run('send', ['--to', 'me', '-m', 'patient'], {clock: hasty()});
  expect([code, err.trim().split('\n')]).toEqual([0, [expect.stringContaining('asks to wait a second')]]);
  expect(await sent()).toHaveLength(1);
});

test('send: a new topic without the permission to start topics: exit code 5', async () => {
  const {run, server, meg, sent} = await scene();
  server.people.channel('fixed', [meg], {permissions: {can_create_topic_group: SystemGroup.administrators}});
  const {code, err} = await run('send', ['--to', '#fixed>fresh', '-m', 'x']);
  expect([code, err]).toEqual([5, expect.stringContaining('permission to create new topics')]);
  await fault(server, {method: 'POST', path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  expect(await run('send', ['--to', '#fixed>fresh', '-m', 'x'])).toMatchObject({code: 5});
  expect(await sent()).toEqual([]);
});

test('outbox: without a server the list shows the destinations', async () => {
  const {run, server} = await scene();
  await run('send', ['--to', '#general>t', '-m', 'known']);
  const lost = () => fault(server, {path: '/register', kind: 'drop_before'});
  await lost();
  const {out} = await run('send', ['--to', '#general>t', '-m', 'later', '--queue', '--json']);
  const {outboxId, conversation} = JSON.parse(out);
  expect(conversation).toMatchObject({title: '#general › t', topic: 't'});
  await lost();
  expect((await run('outbox', [])).out).toBe(`${outboxId}  queued       #general › t: later\n`);
  await lost();
  expect(JSON.parse((await run('outbox', ['--json'])).out)).toMatchObject([
    {id: outboxId, conversation: {title: '#general › t'}},
  ]);
  // What is known is the channel with the topic.
  await run('send', ['--to', '#general', '--topic', 't', '-m', 'known too']);
  await lost();
  expect(await run('send', ['--to', '#general', '--topic', 'u', '-m', 'x', '--queue'])).toMatchObject({
    code: 4,
    err: expect.stringContaining('“#general” is not known without the server'),
  });
});

test('send: without an account it is exit code 3 and a sentence, and nothing is sent to the demo', async () => {
  const io = testIo({input: 'failed'});
  const code = await runVerb('send', ['--to', '#builds>nightly', '-m', 'failed'], io);
  expect(code).toBe(3);
  expect(io.out()).toBe('');
  expect(io.err()).toMatch(/^No account is set up\. Add one with “parley login”/);
  expect(readdirSync(io.home)).toEqual([]);
});
