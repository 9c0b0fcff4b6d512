import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {stranger, unreachableServer, verbFixture} from './verb-fixture.ts';

async function scene(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({testHooks: true, ...options});
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  server.people.channel('general', [meg, otto]);
  server.people.channel('quiet', [meg, otto]);
  const say = async (content: string, topic = 'lunch', to = 'general'): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to, topic, content})).id;
  const whisper = async (content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'private', to: [meg.id], content})).id;
  const unread = async (): Promise<number> => JSON.parse((await run('unread', ['--json'])).out).all;
  const {run: runPiped, ...rest} = verbFixture(server, meg);
  /** Runs a verb in a terminal without colours. */
  const run: typeof runPiped = (name, argv, options = {}) =>
    runPiped(name, argv, {outputIsTty: true, ...options, env: {NO_COLOR: '1', ...options.env}});
  return {server, meg, otto, say, whisper, unread, run, runPiped, ...rest};
}

/** Removes the line of the day and the times, which vary. */
function said(out: string): string[] {
  return out
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\d{4}-\d\d-\d\d \w{3}$/.test(line))
    .map((line) => line.replace(/^\d\d:\d\d /, ''));
}

test('read: a conversation is printed oldest first, with day and time, and stays unread', async () => {
  const {say, run, unread} = await scene();
  await say('soup?');
  await say('elsewhere', 'other');
  await say('yes\n\nand **bread**');
  await say('/me waves');
  const {code, out, err} = await run('read', ['#general>lunch']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^\d{4}-\d\d-\d\d (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\n\d\d:\d\d Otto Other: soup\?\n/);
  expect(said(out)).toEqual(['Otto Other: soup?', 'Otto Other: yes', '', '      and bread', '* Otto Other waves']);
  expect(await unread()).toBe(4);
});

test('read: a custom emoji with the name of a Unicode one is printed by its name', async () => {
  const {say, run, server} = await scene();
  const png = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));
  expect((await server.as(server.people.owner()).upload('/realm/emoji/rocket', 'r.png', png)).status).toBe(200);
  await say('up :rocket:');
  expect(said((await run('read', ['#general>lunch'])).out)).toEqual(['Otto Other: up :rocket:']);
});

test('read: mentions, links, polls and to-do lists are printed as text; --raw prints the Markdown source', async () => {
  const {say, run, server, meg, otto} = await scene();
  const text = `@**all** and @**Otto Other|${otto.id}** see [notes](https://notes.example/1)`;
  await say(text);
  const poll = await say('/poll Cake?\nYes\nNo');
  const vote = {message_id: poll, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}'};
  await server.as(meg).post('/submessage', vote);
  const ida = server.people.member('Ida Idle');
  await server.as(ida).post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]});
  await server.as(ida).post('/submessage', {...vote, content: '{"type":"vote","key":"canned,1","vote":1}'});
  await say('/todo Party\nBake');
  const {out} = await run('read', ['#general>lunch']);
  expect(said(out)).toEqual([
    'Otto Other: @all and @Otto Other see notes [1]',
    '      [1] https://notes.example/1',
    'Otto Other: Cake?',
    `      [1*] Yes (${meg.fullName})`,
    '      [1] No (Ida Idle)',
    'Otto Other: Party',
    '      [ ] Bake',
  ]);
  const raw = await run('read', ['#general>lunch', '--raw']);
  expect(said(raw.out)).toEqual([
    `Otto Other: ${text}`,
    'Otto Other: /poll Cake?',
    '      Yes',
    '      No',
    'Otto Other: /todo Party',
    '      Bake',
  ]);
});

test('read: names in messages from before a rename are printed as they are today, also in quotes', async () => {
  const {say, run, server, otto} = await scene();
  const owner = server.as(server.people.owner());
  const group = await owner.post('/user_groups/create', {name: 'cooks', description: '', members: [otto.id]});
  await say('@**Otto Other** @*cooks* #**quiet>tea**\n> @**Otto Other** in #**quiet** with @**Nobody**');
  await owner.patch(`/users/${otto.id}`, {full_name: 'Otto Now'});
  await owner.patch(`/user_groups/${group.group_id}`, {name: 'bakers'});
  const {stream_id: quiet} = await owner.get('/get_stream_id', {stream: 'quiet'});
  await owner.patch(`/streams/${quiet}`, {new_name: 'silent'});
  const {out} = await run('read', ['#general>lunch', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    text: '@Otto Now @bakers #silent › tea\n▌ Otto Now in #silent with @_Nobody',
    links: [{text: '#silent › tea'}, {text: '#silent'}],
  });
});

test('read: --json has the Markdown source, the text and the links', async () => {
  const {say, run, server} = await scene();
  await say('see **[notes](https://notes.example/1)** and #**quiet>tea**');
  const {out} = await run('read', ['#general>lunch', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    content: 'see **[notes](https://notes.example/1)** and #**quiet>tea**',
    text: 'see notes and #quiet › tea',
    links: [
      {text: 'notes', url: 'https://notes.example/1'},
      {text: '#quiet › tea', url: expect.stringMatching(`^${server.url}/#narrow/channel/\\d+-quiet/topic/tea$`)},
    ],
  });
});

test('read: in a pipe each message has its day, time and conversation, and there are no headings', async () => {
  const {say, whisper, runPiped} = await scene();
  await say('a\nsecond line');
  await whisper('psst');
  const {out} = await runPiped('read', []);
  expect(out.replaceAll(/^\d{4}-\d\d-\d\d \d\d:\d\d /gm, 'TIME ')).toBe(
    'TIME #general › lunch  Otto Other: a\n      second line\nTIME Otto Other  Otto Other: psst\n',
  );
  expect((await runPiped('read', ['#general>lunch'])).out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d Otto Other: a\n/);
});

test('read: --since takes the words of --at, as times before now, and that time itself counts', async () => {
  const {say, run, server} = await scene();
  await say('recent');
  for (const since of ['2 hours', '20 min ago', '30m', 'yesterday 14:00', 'yesterday', '3 days', '1w']) {
    expect(said((await run('read', ['#general>lunch', '--since', since])).out), since).toEqual(['Otto Other: recent']);
  }
  const minute = Math.floor(Date.now() / 60_000) * 60 - 7200;
  const [early, exact] = [await say('early'), await say('exact')];
  server.context.db.run('UPDATE message SET sent_at = ? WHERE id = ?', minute - 1, early);
  server.context.db.run('UPDATE message SET sent_at = ? WHERE id = ?', minute, exact);
  const {out} = await run('read', ['#general', '--since', new Date(minute * 1000).toISOString(), '--json']);
  expect(out).toContain('"exact"');
  expect(out).not.toContain('"early"');
  expect(await run('read', ['#general', '--since', '2999-01-01'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('is in the future'),
  });
  expect(await run('read', ['#general', '--since', 'soon'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('is not a time'),
  });
});

test('read: a topic without messages is said, with exit code 1', async () => {
  const {say, run} = await scene();
  await say('a');
  expect(await run('read', ['#general>lnuch'])).toEqual({code: 1, out: '', err: 'No messages.\n'});
});

test('read: in mixed conversations each change is announced by its title, and so is each day', async () => {
  const {say, whisper, run, server} = await scene();
  const yesterday = await say('earlier');
  server.context.db.run('UPDATE message SET sent_at = sent_at - 86400 WHERE id = ?', yesterday);
  await say('a');
  await say('b');
  await whisper('psst');
  await say('c', '');
  expect(said((await run('read', [])).out)).toEqual([
    '#general › lunch',
    'Otto Other: earlier',
    '#general › lunch',
    'Otto Other: a',
    'Otto Other: b',
    'Otto Other',
    'Otto Other: psst',
    '#general › general chat',
    'Otto Other: c',
  ]);
});

test('read: --count, --before and --since select messages', async () => {
  const {say, run} = await scene();
  const ids: number[] = [];
  for (const word of ['one', 'two', 'three', 'four']) ids.push(await say(word));
  const read = async (...argv: string[]) =>
    said((await run('read', ['#general', ...argv])).out).filter((line) => line.includes(':'));
  expect(await read('-n', '2')).toEqual(['Otto Other: three', 'Otto Other: four']);
  expect(await read('-n2', '--before', String(ids[2]))).toEqual(['Otto Other: one', 'Otto Other: two']);
  expect(await read('--since', '1h')).toHaveLength(4);
  const {err} = await run('read', ['#general', '--since', '1d', '-n', '3']);
  expect(err).toBe('There are more messages. These are the first 3.\n');
  expect(await read('--since', '2999-01-01')).toEqual([]);
  for (let count = 5; count <= 22; count++) await say('more');
  expect(await read()).toHaveLength(20);
  expect(await read('--since', '1h')).toHaveLength(22);
});

test('read: every link number has its address below, also of files and conversations; a shown URL has no number', async () => {
  const {say, run, server} = await scene();
  await say('https://shown.example/x [f.txt](/user_uploads/1/a/f.txt) #**general>lunch** [t](https://t.example)');
  const {out} = await run('read', ['#general>lunch']);
  const [first, ...addresses] = said(out);
  expect(first).toBe('Otto Other: https://shown.example/x [file: f.txt] [2] #general › lunch [3] t [4]');
  expect(addresses.map((line) => line.replace(/\d+-general/, 'general').trim())).toEqual([
    `[2] ${server.url}/user_uploads/1/a/f.txt`,
    `[3] ${server.url}/#narrow/channel/general/topic/lunch`,
    '[4] https://t.example',
  ]);
});

test('read: a link to a message prints it and its neighbours, in its current topic', async () => {
  const {say, run, server, otto} = await scene();
  const ids: number[] = [];
  for (const word of ['one', 'two', 'three', 'four', 'five']) ids.push(await say(word));
  await server.as(otto).patch(`/messages/${ids[0]}`, {topic: 'dinner', propagate_mode: 'change_all'});
  const link = `${server.url}/#narrow/channel/1-general/topic/lunch/with/${ids[2]}`;
  expect(said((await run('read', [link, '-n', '3'])).out)).toEqual([
    'Otto Other: two',
    'Otto Other: three',
    'Otto Other: four',
  ]);
  const before = await run('read', [link, '--before', String(ids[2]), '-n', '1']);
  expect(said(before.out)).toEqual(['Otto Other: two']);
});

test('read: --json prints one object per line', async () => {
  const {say, whisper, run, meg, otto} = await scene();
  const [first, second] = [await say('a\nb'), await whisper('c')];
  const {out} = await run('read', ['--json']);
  const [one, two] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(one).toEqual({
    id: first,
    timestamp: expect.any(Number),
    time: new Date(one.timestamp * 1000).toISOString(),
    senderId: otto.id,
    senderName: 'Otto Other',
    conversation: {
      to: '#general>lunch',
      title: '#general › lunch',
      kind: 'topic',
      channelId: expect.any(Number),
      channel: 'general',
      topic: 'lunch',
    },
    content: 'a\nb',
    text: 'a\nb',
    links: [],
    isUnread: true,
    flags: [],
    reactions: [],
    editedAt: null,
  });
  expect(two).toMatchObject({
    id: second,
    conversation: {kind: 'direct', userIds: [otto.id], names: ['Otto Other'], title: 'Otto Other'},
  });
  expect(await run('read', ['@Otto Other', '--json'])).toMatchObject({
    out: `${out.trimEnd().split('\n')[1]?.replace(`@${otto.id}`, '@Otto Other')}\n`,
  });
  expect(meg.id).not.toBe(otto.id);
});

test('read: --unread starts at the first unread message; only --mark-read marks them', async () => {
  const {say, run, unread} = await scene();
  for (const word of ['one', 'two', 'three']) await say(word);
  await say('four', 't', 'quiet');
  expect(said((await run('read', ['#general>lunch', '--unread', '-n', '2', '--mark-read'])).out)).toEqual([
    'Otto Other: one',
    'Otto Other: two',
  ]);
  expect(await unread()).toBe(2);
  expect(said((await run('read', ['#general>lunch', '--unread'])).out)).toEqual(['Otto Other: three']);
});

test('read: messages are not marked as read when the output was closed', async () => {
  const {say, start, unread} = await scene();
  await say('unseen');
  const stdout = new PassThrough();
  const {end, code} = start('read', ['#general', '--mark-read'], {stdout});
  // The reader closes the output while the text is being written.
  stdout.write = (_chunk: unknown, done?: unknown) => {
    end();
    if (typeof done === 'function') done();
    return false;
  };
  await expect(code).rejects.toThrow('ended by the test');
  expect(await unread()).toBe(1);
});

test('read: control sequences in messages are not sent to the terminal', async () => {
  const {say, run} = await scene();
  await say('a\u001b[2Jb\u009b31mc\u202ed\u0007');
  const text = await run('read', ['#general']);
  expect(said(text.out).at(-1)).toBe('Otto Other: a[2Jb31mcd');
  const json = await run('read', ['#general', '--json']);
  expect(json.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(JSON.parse(json.out).content).toContain('\u001b[2J');
});

test('read: colours only on terminals that want them', async () => {
  const {say, runPiped} = await scene();
  await say('x');
  const hasColour = async (argv: string[], outputIsTty: boolean, env = {}) =>
    (await runPiped('read', ['#general', ...argv], {outputIsTty, env})).out.includes('\u001b[');
  expect(await hasColour([], false)).toBe(false);
  expect(await hasColour([], true)).toBe(true);
  expect(await hasColour([], true, {NO_COLOR: '1'})).toBe(false);
  expect(await hasColour([], true, {NO_COLOR: ''})).toBe(true);
  expect(await hasColour([], true, {TERM: 'dumb'})).toBe(false);
  expect(await hasColour(['--color', 'never'], true)).toBe(false);
  expect(await hasColour(['--color', 'always'], false, {NO_COLOR: '1'})).toBe(true);
});

test('read: messages of muted users are hidden', async () => {
  const {say, run, server, meg, otto} = await scene();
  await say('blah');
  await server.as(meg).post(`/users/me/muted_users/${otto.id}`);
  expect(said((await run('read', ['#general>lunch'])).out)).toEqual(['Muted user: (hidden: you muted this user)']);
});

test('read: an unknown conversation is an error', async () => {
  const {run} = await scene();
  expect(await run('read', ['#generel'])).toEqual({
    code: 1,
    out: '',
    err: 'There is no channel called “generel”. Did you mean “general”?\n',
  });
});

test('search: the newest matches come from the server; no match is reported', async () => {
  const {say, run} = await scene();
  await say('the soup is hot');
  await say('the soup is cold', 'dinner');
  await say('bread');
  expect(said((await run('search', ['soup', '-n', '1'])).out)).toEqual([
    '#general › dinner',
    'Otto Other: the soup is cold',
  ]);
  expect(said((await run('search', ['soup topic:lunch sender:"Otto Other"'])).out).at(-1)).toContain('hot');
  expect(await run('search', ['soup', '-channel:general'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Write -- before “-channel:general”, which is no option.'),
  });
  expect(await run('search', ['--', 'soup', '-channel:general'])).toMatchObject({code: 1});
  expect(await run('search', ['fish'])).toEqual({code: 1, out: '', err: 'No messages match “fish”.\n'});
  expect((await run('search', ['soup', 'before:tomorrow', 'after:yesterday'])).code).toBe(0);
  expect(await run('search', ['soup', 'before:yesterday'])).toMatchObject({code: 1, out: ''});
  expect((await run('search', ['author:otto'])).err).toContain('“author:” is not an operator: searched as text.');
  expect(await run('search', ['chanel:general', 'soup'])).toMatchObject({code: 2, out: ''});
  expect(await run('search', ['near:abc'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('“near:” needs a message ID'),
  });
  expect(await run('search', ['is:nonsense'])).toMatchObject({code: 2});
  expect(await run('search', ['sender:nobody'])).toMatchObject({code: 1});
  const json = await run('search', ['cold', '--json']);
  expect(JSON.parse(json.out)).toMatchObject({content: 'the soup is cold'});
});

test('search: --local needs no server', async () => {
  const {run, withStore: look} = verbFixture(unreachableServer, stranger);
  const otto = {id: 3};
  const message = {
    id: 7,
    kind: 'direct',
    conversationKey: `d${otto.id}`,
    userIds: [otto.id],
    names: {[otto.id]: 'Otto Other'},
    senderId: otto.id,
    senderName: 'Otto Other',
    content: 'kept soup',
    timestamp: 1_700_000_000,
    flags: [],
    reactions: [],
    submessages: [],
    isMe: false,
    editedAt: undefined,
    movedAt: undefined,
  } as const;
  look((store) => store.messages.save([message]));
  expect((await run('search', ['--local', 'soup'])).out).toMatch(/^\S+ \S+ Otto Other {2}Otto Other: kept soup\n$/);
  expect(await run('search', ['--local', 'fish'])).toMatchObject({code: 1});
  expect(await run('search', ['--local', 'is:dm soup'])).toMatchObject({code: 0});
  expect(await run('search', ['--local', 'is:starred soup'])).toMatchObject({code: 1});
  expect(await run('search', ['--local', 'has:link soup'])).toMatchObject({
    code: 1,
    err: 'Only the server can search for this. Leave out --local.\n',
  });
  expect(await run('search', ['--local', 'is:dm'])).toMatchObject({code: 2});
  look((store) => store.messages.save([8, 9].map((id) => ({...message, id, content: `soup ${id}`}))));
  const found = async (...argv: string[]) =>
    [...(await run('search', ['--local', ...argv, '--json'])).out.matchAll(/"content":"([^"]*)"/g)].map(
      ([, text]) => text,
    );
  expect(await found('soup', '-n', '2')).toEqual(['soup 8', 'soup 9']);
  // The other terms are looked at before the number.
  expect(await found('soup', 'id:7', '-n', '1')).toEqual(['kept soup']);
});

test('search: --local finds messages that tail has seen, by their names', async () => {
  const {say, start, run} = await scene();
  await say('hot soup');
  await say('cold soup', 'dinner');
  const {io, end, code} = start('tail', ['#general']);
  await io.saw('cold soup');
  end();
  await code;
  const found = await run('search', ['--local', 'soup', 'topic:dinner', 'channel:general']);
  expect(said(found.out)).toEqual(['#general › dinner', 'Otto Other: cold soup']);
  expect(JSON.parse((await run('search', ['--local', 'cold', '--json'])).out)).toMatchObject({isUnread: true});
  expect(await run('search', ['--local', 'soup', 'channel:generel'])).toMatchObject({code: 1});
});

test('mark-read: exactly the unread messages of the narrow are marked', async () => {
  const {say, whisper, run, unread} = await scene();
  const ids = [await say('one'), await say('two', 'dinner')];
  await say('three', 't', 'quiet');
  await whisper('four');
  expect(await run('mark-read', ['#general', '--dry-run'])).toMatchObject({
    out: '2 messages would be marked as read: channel:general.\n',
  });
  expect(await unread()).toBe(4);
  const {out} = await run('mark-read', ['#general', '--json']);
  expect(JSON.parse(out)).toEqual({count: 2, messageIds: ids, dryRun: false});
  expect(await unread()).toBe(2);
  expect(await run('mark-read', ['#general'])).toMatchObject({code: 0, out: 'No unread messages: channel:general.\n'});
  expect(await run('mark-read', ['@Otto Other'])).toMatchObject({out: '1 message marked as read: Otto Other.\n'});
  expect(await run('mark-read', ['--all'])).toMatchObject({out: '1 message marked as read.\n'});
  expect(await unread()).toBe(0);
});

test('mark-read: a narrow that only the server can evaluate is sent to it', async () => {
  const {say, run, unread} = await scene();
  await say('hot soup');
  await say('cold bread');
  expect(await run('mark-read', ['sender:"Otto Other" soup'])).toMatchObject({
    out: '1 message marked as read: sender:"Otto Other" soup.\n',
  });
  expect(await unread()).toBe(1);
});

test('mark-read: of more than a thousand messages all are marked, and a failure in between prints how many were', async () => {
  const {say, run, server, unread} = await scene();
  await say('one');
  const addThousand = () =>
    server.context.db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at, unread_by_default)
       SELECT sender_id, channel_id, topic, topic_key, 'x', sent_at, 1 FROM (SELECT * FROM message LIMIT 1), n`,
    );
  addThousand();
  const flags = {method: 'POST', path: '/messages/flags'};
  for (const fault of [{kind: 'delay'}, {kind: 'status', status: 403, code: 'PERMISSION_DENIED'}]) {
    const body = JSON.stringify({...flags, ...fault});
    await fetch(`${server.url}/test-hooks/fault`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body,
    });
  }
  expect(await run('mark-read', ['--all'])).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringMatching(/^1000 of 1001 messages were marked as read before this failure:\n./),
  });
  expect(await unread()).toBe(1);
  addThousand();
  // The server is asked for these, page by page.
  expect((await run('mark-read', ['sender:"Otto Other"'])).out).toMatch(/^1001 messages marked as read: /);
  expect(await unread()).toBe(0);
});

test.each([122, 277])('read: a server of level %i is supported', async (level) => {
  const {say, whisper, run, unread} = await scene({level});
  for (const word of ['one', 'two', 'three']) await say(word);
  await whisper('four');
  expect(said((await run('read', ['#general>lunch', '--unread', '-n', '2', '--mark-read'])).out)).toEqual([
    'Otto Other: one',
    'Otto Other: two',
  ]);
  expect(said((await run('read', ['--since', '1h'])).out)).toHaveLength(6);
  expect((await run('search', ['three'])).code).toBe(0);
  expect((await run('inbox', [])).out).toContain('Otto Other');
  await run('mark-read', ['--all']);
  expect(await unread()).toBe(0);
});

test('read: a spoiler is printed closed; --raw prints its text, and so does JSON for programs', async () => {
  const {say, run} = await scene();
  await say('```spoiler The end\nthe butler\n```');
  const {out} = await run('read', ['#general>lunch']);
  expect(out).toContain('The end (spoiler, 1 line)');
  expect(out).not.toContain('butler');
  expect((await run('read', ['#general>lunch', '--raw'])).out).toContain('the butler');
  expect(JSON.parse((await run('read', ['#general>lunch', '--json'])).out).text).toContain('the butler');
});
