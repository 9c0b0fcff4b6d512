import {once} from 'node:events';
import {existsSync, mkdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {connect as netConnect} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import ssh2 from 'ssh2';
import {expect, test} from 'vitest';
import {type Clock, systemClock} from '#std/clock.ts';
import {childrenOf} from '#test/bench/weight/process-figures.ts';
import {slowTest} from '#test/support/tier.ts';
import type {ChannelTerminal} from './channel-terminal.ts';
import {addKey, execute, hasOpenSsh, newKey, openScreen, sshFixture, whenClosed} from './ssh-fixture.ts';

/** Goes into the composer of the conversation about tides. */
async function writeAboutTides(terminal: ChannelTerminal): Promise<void> {
  await terminal.waitFor('The spring tide is at four');
  terminal.keys('r');
  await terminal.waitFor('Write here');
}

const tides = "'#harbour>tides'";

const withOpenSsh = test.skipIf(!hasOpenSsh);

withOpenSsh(
  'ssh: the client of OpenSSH shows the screen, sends what is typed, and follows the size of its terminal',
  async () => {
    const {server, otto, megKey, openSsh} = await sshFixture();
    const terminal = openSsh(megKey, ['-t', '127.0.0.1', "'#harbour>tides'"]);
    await terminal.waitFor('The spring tide is at four');
    const listener = await server.as(otto).listen({event_types: ['message']});
    terminal.keys('r');
    await terminal.waitFor('Write here');
    terminal.type('I bring the chart.');
    terminal.keys('Enter');
    expect(await listener.next()).toMatchObject([{message: {content: expect.stringContaining('chart')}}]);
    terminal.resize(60, 20);
    await terminal.waitFor(({lines}) => lines.length === 20 && /keys/.test(lines[19] ?? ''), 'the last row');
    terminal.keys('Esc', 'Ctrl-C', 'Ctrl-C');
    expect((await terminal.waitForExit()).code).toBe(0);
  },
);

withOpenSsh('ssh: the client of OpenSSH is refused with an unknown key', async () => {
  const {openSsh, events} = await sshFixture();
  const terminal = openSsh(newKey(), ['127.0.0.1', 'unread']);
  expect((await terminal.waitForExit()).code).toBe(255);
  expect(terminal.screen().text).toContain('Permission denied');
  expect(events).toContainEqual({
    event: 'refusal',
    request: 'SSH',
    address: '127.0.0.1',
    code: 'unknown key',
    user: undefined,
  });
});

test('ssh: two people chat, and a connection that breaks while somebody types loses nothing', async () => {
  const {megKey, ottoKey, connect, directory, meg, events} = await sshFixture();
  const [client, other] = [await connect(megKey), await connect(ottoKey)];
  const [megs, ottos] = [await openScreen(client, tides), await openScreen(other, tides)];
  for (const {terminal} of [megs, ottos]) await writeAboutTides(terminal);
  megs.terminal.type('I bring the chart.');
  megs.terminal.keys('Enter');
  await ottos.terminal.waitFor('I bring the chart');
  megs.terminal.type('And a lantern');
  await megs.terminal.waitFor('And a lantern');
  // As when the network is gone: nothing is said before.
  client.destroy();
  const again = await openScreen(await connect(megKey), tides);
  await again.terminal.waitFor('And a lantern');
  expect(events).toContainEqual({event: 'login', request: 'SSH', address: '127.0.0.1', code: 'key', user: meg.id});
  expect(statSync(join(directory, 'ssh/people', String(meg.id))).mode & 0o777).toBe(0o700);
});

slowTest('ssh: a verb has its own input, output, errors and exit status', async () => {
  const {megKey, otto, server, connect} = await sshFixture();
  const client = await connect(megKey);
  expect(JSON.parse((await execute(client, 'unread --json')).output)).toMatchObject({total: 1});
  const listener = await server.as(otto).listen({event_types: ['message']});
  expect(await execute(client, "send --to '#harbour>night watch'", 'All is well.\n')).toMatchObject({
    code: 0,
    errors: '',
  });
  expect(await listener.next()).toMatchObject([{message: {subject: 'night watch'}}]);
  expect(await execute(client, 'send --to "#nowhere>x" -m y')).toMatchObject({code: 1, output: ''});
  expect(await execute(client, "send 'unfinished")).toMatchObject({
    code: 2,
    errors: expect.stringContaining('without a closing'),
  });
  expect(await execute(client, 'serve --memory --world demo')).toMatchObject({code: 2, output: ''});
});

test('ssh: a removed key ends its connection, and does not log in again', async () => {
  const {server, meg, megKey, connect} = await sshFixture();
  const client = await connect(megKey);
  const {terminal} = await openScreen(client, tides);
  await terminal.waitFor('The spring tide is at four');
  const closed = whenClosed(client);
  const {
    ssh_keys: [key],
  } = await server.as(meg).get('/parley/ssh_keys');
  expect(key.last_used_at).not.toBeNull();
  await server.as(meg).delete(`/parley/ssh_keys/${key.id}`);
  await closed;
  await expect(connect(megKey)).rejects.toThrow('authentication');
  await expect.poll(() => server.context.connectionKeys.size).toBe(0);
});

slowTest('ssh: a key that is added on the screen over SSH logs in until it is removed there', async () => {
  const {megKey, connect} = await sshFixture();
  const {terminal} = await openScreen(await connect(megKey));
  await terminal.waitFor('Inbox');
  terminal.keys(';');
  await terminal.waitFor('Enter runs');
  terminal.type('ssh keys');
  await terminal.waitFor(/>ssh keys [\s\S]*▌SSH keys/);
  // The list opens when the screen is connected, and its first row is the form.
  await terminal.waitForAfter('Enter', 'Public key');
  const key = newKey();
  terminal.type(`\u001b[200~${key.public} laptop\n\u001b[201~`);
  terminal.keys('Ctrl-D');
  await terminal.waitFor(/laptop .*not used yet/);
  const other = await connect(key);
  expect(await execute(other, 'whoami')).toMatchObject({code: 0});
  const closed = whenClosed(other);
  terminal.type('laptop');
  terminal.keys('Delete');
  await terminal.waitFor('Remove the key laptop?');
  terminal.type('y');
  await closed;
  await expect(connect(key)).rejects.toThrow('authentication');
});

slowTest('ssh: a setting, and until when nothing may notify, are those of the next connection', async () => {
  const {megKey, connect} = await sshFixture();
  const {terminal} = await openScreen(await connect(megKey), tides);
  await terminal.waitFor('The spring tide is at four');
  const choose = async (screen: ChannelTerminal, name: string) => {
    screen.keys(';');
    await screen.waitFor('Enter runs');
    screen.type(name);
    await screen.waitFor(new RegExp(`>${name} [\\s\\S]*▌${name}`));
    screen.keys('Enter');
  };
  await choose(terminal, 'Theme');
  await terminal.waitFor('Enter chooses');
  terminal.type('nord');
  await terminal.waitFor(/› nord [\s\S]*▌Nord/);
  terminal.keys('Enter');
  await terminal.waitFor(/Nord.*saved/);
  await choose(terminal, 'Do not disturb for an hour');
  await terminal.waitFor(/quiet until/i);
  const again = await openScreen(await connect(megKey), tides);
  await again.terminal.waitFor(/quiet until/i);
  await choose(again.terminal, 'Theme');
  await again.terminal.waitFor(/Nord +current/);
});

slowTest(
  'ssh: a deactivated account loses its connections, does not log in, and does again when it is reactivated',
  async () => {
    // Accounts are looked at every ten seconds.
    const hasty: Clock = {...systemClock, after: (ms, task) => systemClock.after(ms / 100, task)};
    const {server, otto, ottoKey, connect} = await sshFixture({}, {clock: hasty});
    const owner = server.people.owner();
    const client = await connect(ottoKey);
    const closed = whenClosed(client);
    // Waits for its text.
    const {channel} = await openScreen(client, "send --to '#harbour>tides'");
    await expect.poll(() => server.context.connectionKeys.size).toBe(1);
    await server.as(owner).delete(`/users/${otto.id}`);
    await closed;
    channel.destroy();
    await expect(connect(ottoKey)).rejects.toThrow('authentication');
    await server.as(owner).post(`/users/${otto.id}/reactivate`);
    expect(await execute(await connect(ottoKey), 'whoami')).toMatchObject({code: 0});
  },
);

test('ssh: an unknown key joins with the code of an invitation, and then logs in without it', async () => {
  const {server, connect, events} = await sshFixture();
  const owner = server.people.owner();
  const params = {invite_expires_in_minutes: 60, invite_as: 400, stream_ids: []};
  const {invite_link: link} = await server.as(owner).post('/invites/multiuse', params);
  const username = link.split('/').at(-1);
  const key = newKey();
  const client = await connect(key, {username});
  expect(await execute(client, 'unread')).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringContaining('to join'),
  });
  const {terminal} = await openScreen(client, 'open');
  await terminal.waitFor('Your e-mail address:');
  terminal.type('no address\r');
  await terminal.waitFor('Your name:');
  terminal.type('Nina\r');
  // The problem is said, and the questions come again.
  await terminal.waitFor(/Your e-mail address:[\s\S]*Your e-mail address:/);
  terminal.type('nina@example.comm\u007f\r');
  await terminal.waitFor(/Your name:[\s\S]*Your name:/);
  terminal.type('Nina New\r');
  await terminal.waitFor('Inbox');
  expect(events).toContainEqual(expect.objectContaining({event: 'join', request: 'SSH'}));
  const who = await execute(await connect(key), 'whoami --json');
  expect(JSON.parse(who.output)).toMatchObject({fullName: 'Nina New', email: 'nina@example.com'});
});

/** A connection with an unknown key and the code of an invitation, at the question for the address. */
async function joining() {
  const fixture = await sshFixture();
  const {server, connect} = fixture;
  const owner = server.as(server.people.owner());
  const params = {invite_expires_in_minutes: 60, invite_as: 400, stream_ids: []};
  const {invite_link: link} = await owner.post('/invites/multiuse', params);
  const key = newKey();
  const username = link.split('/').at(-1);
  const client = await connect(key, {username});
  const shell = await openScreen(client);
  await shell.terminal.waitFor('Your e-mail address:');
  const accounts = () => server.context.db.value<number>('SELECT count(*) FROM user WHERE is_bot = 0') ?? 0;
  const exit = once(shell.channel, 'exit').then(([code]) => Number(code));
  /** Resolves with what a client shows that the dialogue ended with. */
  const ended = async () => {
    const errors = text(shell.channel.stderr);
    return [await exit, await errors] as const;
  };
  return {...fixture, ...shell, owner, key, username, client, accounts, before: accounts(), ended: ended()};
}

slowTest(
  'ssh: an invitation that is revoked or expires during the questions ends them, and creates nothing',
  async () => {
    const {owner, terminal, ended, accounts, before, connect, username} = await joining();
    const {invites} = await owner.get('/invites');
    const [{id}] = invites;
    await owner.delete(`/invites/multiuse/${id}`);
    terminal.type('nina@example.com\rNina New\r');
    expect(await ended).toEqual([1, 'The invitation is no longer valid.\r\n']);
    expect(accounts()).toBe(before);
    await expect(connect(newKey(), {username})).rejects.toThrow('authentication');
  },
);

slowTest(
  'ssh: an empty name and an address that is taken are asked for again, also when both are typed ahead',
  async () => {
    const {terminal, meg, accounts, before} = await joining();
    terminal.type(`nina@example.com\r\r${meg.email}\rNina New\r`);
    await terminal.waitFor('Enter your name.');
    await terminal.waitFor(/already/i);
    await terminal.waitFor(/(?:Your e-mail address:[\s\S]*){3}/);
    expect(accounts()).toBe(before);
    terminal.type('nina@example.com\rNina New\r');
    await terminal.waitFor('Inbox');
    expect(accounts()).toBe(before + 1);
  },
);

slowTest(
  'ssh: Ctrl-C and a connection that breaks end the questions, and the invitation can be used again',
  async () => {
    const {terminal, ended, accounts, before, connect, key, username, log} = await joining();
    terminal.type('nina@example.com\rNi');
    await terminal.waitFor('Ni');
    terminal.type('\u0003');
    expect(await ended).toEqual([1, 'Nothing was created.\r\n']);
    const client = await connect(key, {username});
    const {terminal: broken} = await openScreen(client);
    await broken.waitFor('Your e-mail address:');
    broken.type('nina@example.com\rNi');
    await broken.waitFor('Your name: Ni');
    client.destroy();
    const {terminal: last} = await openScreen(await connect(key, {username}));
    await last.waitFor('Your e-mail address:');
    expect([accounts(), log]).toEqual([before, []]);
    last.type('nina@example.com\rNina New\r');
    await last.waitFor('Inbox');
    expect(accounts()).toBe(before + 1);
  },
);

slowTest(
  'ssh: a key that is somebody’s logs in as them whatever code it comes with, also if it became theirs during the questions',
  async () => {
    const {server, otto, terminal, ended, accounts, before, connect, key, username} = await joining();
    await server.as(otto).post('/parley/ssh_keys', {key: key.public});
    terminal.type('nina@example.com\rNina New\r');
    expect(await ended).toEqual([1, 'This key belongs to another account.\r\n']);
    expect(accounts()).toBe(before);
    const {output} = await execute(await connect(key, {username}), 'whoami --json');
    expect(JSON.parse(output)).toMatchObject({email: otto.email});
  },
);

slowTest(
  'ssh: a code that is no invitation, or a weak key, lets nobody in; a connection has at most four sessions',
  async () => {
    const {server, connect, log} = await sshFixture();
    const params = {invite_expires_in_minutes: 60, invite_as: 400, stream_ids: []};
    const {invite_link: link} = await server.as(server.people.owner()).post('/invites/multiuse', params);
    const invited = {username: link.split('/').at(-1)};
    const weak = ssh2.utils.generateKeyPairSync('rsa', {bits: 2048});
    await expect(connect(weak, invited)).rejects.toThrow('authentication');
    const client = await connect(newKey(), invited);
    for (let count = 0; count < 4; count++) {
      await (await openScreen(client)).terminal.waitFor('Your e-mail address:');
    }
    await expect(openScreen(client)).rejects.toThrow(/open/i);
    for (const username of ['join', '', '../../etc', "' OR 1=1 --", 'x'.repeat(5000)]) {
      await expect(connect(newKey(), {username: username || 'a'})).rejects.toThrow('authentication');
    }
    expect(log).toEqual([]);
  },
);

slowTest(
  'ssh: when the SSH process is killed, it starts again, and everybody who reconnects has what they were writing',
  async () => {
    const {megKey, ottoKey, connect, log, ssh} = await sshFixture();
    const clients = [await connect(megKey), await connect(ottoKey)];
    for (const [at, client] of clients.entries()) {
      const {terminal} = await openScreen(client, tides);
      await writeAboutTides(terminal);
      terminal.type(`Unfinished ${at}`);
      await terminal.waitFor(`Unfinished ${at}`);
    }
    const closed = clients.map(whenClosed);
    process.kill(ssh.pid ?? 0, 'SIGKILL');
    await Promise.all(closed);
    await expect.poll(() => log.join('\n')).toContain('The SSH process ended and is started again: SIGKILL.');
    for (const [at, key] of [megKey, ottoKey].entries()) {
      await expect.poll(() => connect(key).catch(() => undefined)).toBeDefined();
      const {terminal} = await openScreen(await connect(key), tides);
      await terminal.waitFor(`Unfinished ${at}`);
    }
  },
);

slowTest('ssh: a client that stops reading holds up nobody, and its screen is right when it reads again', async () => {
  const {server, meg, megKey, ottoKey, connect} = await sshFixture();
  const [stopped, other] = [await connect(megKey), await connect(ottoKey)];
  const {channel, terminal} = await openScreen(stopped, tides);
  await terminal.waitFor('The spring tide is at four');
  channel.pause();
  const {terminal: ottos} = await openScreen(other, tides);
  await ottos.waitFor('The spring tide is at four');
  const say = (content: string) =>
    server.as(meg).post('/messages', {type: 'stream', to: 'harbour', topic: 'tides', content});
  for (let count = 0; count < 40; count++) await say(`${'high water '.repeat(50)} ${count}`);
  await say('This is the last of it.');
  await ottos.waitForAfter('G', 'This is the last of it');
  channel.resume();
  await terminal.waitForAfter('G', 'This is the last of it');
});

slowTest(
  'ssh: a folder that is full is refused with a sentence, its cache is removed first, and afterwards it works again',
  async () => {
    const limits = {quotaBytes: 2 ** 20, quotaCheckMs: 50};
    const {directory, meg, megKey, ottoKey, connect} = await sshFixture({}, {limits});
    const [client, other] = [await connect(megKey), await connect(ottoKey)];
    const own = join(directory, 'ssh/people', String(meg.id));
    mkdirSync(join(own, '.cache'), {recursive: true});
    writeFileSync(join(own, '.cache/large'), Buffer.alloc(2 ** 20));
    expect(await execute(client, 'whoami')).toMatchObject({code: 0});
    expect(existsSync(join(own, '.cache/large'))).toBe(false);
    const running = execute(client, 'tail');
    await expect.poll(() => existsSync(join(directory, 'ssh/people', String(meg.id)))).toBe(true);
    const large = join(own, 'large');
    writeFileSync(large, Buffer.alloc(2 ** 20));
    const full = expect.stringContaining('Your folder on the server is full: it may have 1 MiB.');
    expect(await running).toMatchObject({errors: full});
    expect(await execute(client, 'whoami')).toMatchObject({code: 1, output: '', errors: full});
    expect(await execute(other, 'whoami')).toMatchObject({code: 0});
    rmSync(large);
    // Many empty files are not free.
    for (let count = 0; count < 300; count++) writeFileSync(join(own, `${count}`), '');
    expect(await execute(client, 'whoami')).toMatchObject({code: 1, errors: full});
    for (let count = 0; count < 300; count++) rmSync(join(own, `${count}`));
    expect(await execute(client, 'whoami')).toMatchObject({code: 0});
  },
);

slowTest(
  'ssh: a session without a key for long, and a connection without a log-in, are ended with a reason',
  async () => {
    const {megKey, connect, ssh, events} = await sshFixture({}, {limits: {idleMs: 500, loginMs: 3000}});
    const client = await connect(megKey);
    const silent = netConnect(ssh.port, '127.0.0.1').on('error', () => {});
    const closed = once(silent.resume(), 'close');
    expect(await execute(client, 'tail')).toMatchObject({errors: expect.stringContaining('no key was pressed')});
    await closed;
    await expect.poll(() => events.map(({code}) => code)).toContain('log-in took too long');
    // The limit of a session without a key is shorter than most verbs take; the connection is there.
    expect((await execute(client, 'whoami')).errors).not.toContain('Nobody');
  },
);

slowTest('ssh: sessions of a connection, of a person and in all are limited, until one ends', async () => {
  const limits = {sessionsOfConnection: 1, sessionsOfPerson: 2, sessionsInAll: 3};
  const {server, megKey, ottoKey, connect} = await sshFixture({}, {limits});
  const open = async (key: typeof megKey, count: number) => {
    const client = await connect(key);
    const ended = execute(client, 'tail').catch(() => undefined);
    await expect.poll(() => server.context.connectionKeys.size).toBe(count);
    return {client, ended};
  };
  const first = await open(megKey, 1);
  await expect(execute(first.client, 'whoami')).rejects.toThrow('open');
  await open(megKey, 2);
  const third = await connect(megKey);
  expect(await execute(third, 'whoami')).toMatchObject({
    errors: expect.stringContaining('You have 2 sessions already'),
  });
  await open(ottoKey, 3);
  const other = await connect(ottoKey);
  expect(await execute(other, 'whoami')).toMatchObject({errors: expect.stringContaining('too many sessions')});
  first.client.end();
  await expect.poll(async () => (await execute(other, 'whoami')).code).toBe(0);
  expect(await execute(third, 'whoami')).toMatchObject({code: 0});
});

slowTest(
  'ssh: connections of a network in a minute are limited, and those of another network are accepted',
  async () => {
    const {megKey, ottoKey, connect, events} = await sshFixture({}, {limits: {connectionsPerMinute: 2}});
    const clients = [await connect(megKey), await connect(megKey)];
    await expect(connect(megKey)).rejects.toThrow();
    await expect.poll(() => events.map(({code}) => code)).toContain('too many connections');
    const other = await connect(ottoKey, {localAddress: '127.0.0.9'});
    for (const client of [...clients, other]) expect(await execute(client, 'whoami')).toMatchObject({code: 0});
  },
);

slowTest(
  'ssh: after the SSH process was killed with thirty screens, nothing is lost, sent twice or left running',
  async () => {
    const count = 30;
    const {server, otto, connect, ssh} = await sshFixture();
    const keys = Array.from({length: count}, (_, at) => {
      const person = server.people.add(`Person ${at}`, {settings: {enter_sends: true}});
      const key = newKey();
      addKey(server, person, key);
      return {person, key};
    });
    const [{person: one} = {person: otto}] = keys;
    const params = {subscriptions: [{name: 'harbour'}], principals: keys.map(({person}) => person.id)};
    await server.as(one).post('/users/me/subscriptions', params);
    const log = (at: number) => ({localAddress: `127.0.1.${at + 1}`});
    const sends = (at: number) => at % 3 === 0;
    const screens: ChannelTerminal[] = [];
    const closed: Promise<void>[] = [];
    for (const [at, {key}] of keys.entries()) {
      const client = await connect(key, log(at));
      closed.push(whenClosed(client));
      const {terminal} = await openScreen(client, tides);
      await writeAboutTides(terminal);
      terminal.type(`Written by ${at}.`);
      await terminal.waitFor(`Written by ${at}.`);
      screens.push(terminal);
    }
    const old = childrenOf(ssh.pid ?? 0);
    expect(old.length).toBeGreaterThanOrEqual(count);
    for (const [at, terminal] of screens.entries()) if (sends(at)) terminal.keys('Enter');
    process.kill(ssh.pid ?? 0, 'SIGKILL');
    await Promise.all(closed);
    for (const [at, {key}] of keys.entries()) {
      await expect.poll(() => connect(key, log(at)).catch(() => undefined)).toBeDefined();
      const {terminal} = await openScreen(await connect(key, log(at)), tides);
      await terminal.waitFor(`Written by ${at}.`);
    }
    // One that is hung would be killed later.
    await expect.poll(() => old.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    const read = {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      narrow: [{operator: 'channel', operand: 'harbour'}],
    };
    const {messages} = await server.as(otto).get('/messages', read);
    for (const at of keys.keys()) {
      const same = messages.filter(({content}: {content: string}) => content.includes(`Written by ${at}.`));
      expect([at, same.length]).toEqual([at, expect.toBeOneOf(sends(at) ? [0, 1] : [0])]);
    }
  },
);
