import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {type Restriction, refusedOverSsh} from '#cli/restriction.ts';
import {runVerb, type TableVerbName} from '#cli/verbs/run-verb.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

async function restricted() {
  const server = await testServer();
  const meg = server.people.member('Meg');
  server.people.channel('harbour', [meg]);
  const openSocket: Restriction['openSocket'] = async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  };
  const account = {site: 'https://127.0.0.1:1', email: meg.email, key: meg.apiKey, name: 'harbor'};
  const run = async (name: TableVerbName, ...argv: string[]) => {
    const io = testIo({restriction: {account, openSocket, collectGarbage: undefined}});
    const code = await runVerb(name, argv, io);
    return {code, errors: io.err()};
  };
  return {server, meg, run};
}

test('restriction: every request goes through the given connections, without TLS also to the address of a server with TLS', async () => {
  const {server, meg, run} = await restricted();
  const listener = await server.as(meg).listen({event_types: ['message']});
  expect(await run('send', '--to', '#harbour>tides', '-m', 'High water at nine.')).toMatchObject({code: 0});
  expect(await listener.next()).toMatchObject([{message: {subject: 'tides'}}]);
});

test('restriction: no other account and no file of the machine can be named', async () => {
  const {run} = await restricted();
  const refusals: readonly (readonly [TableVerbName, string[], string])[] = [
    ['unread', ['--config', '/etc/passwd'], refusedOverSsh.accounts],
    ['unread', ['--account', 'demo'], refusedOverSsh.accounts],
    ['upload', ['/etc/passwd'], refusedOverSsh.files],
    ['api', ['POST', 'user_uploads', 'file=@/etc/passwd'], refusedOverSsh.files],
    ['api', ['POST', 'messages', 'content=@/etc/passwd'], refusedOverSsh.files],
    ['render', ['--world', '/etc/passwd'], refusedOverSsh.files],
  ];
  for (const [name, argv, sentence] of refusals) {
    const {code, errors} = await run(name, ...argv);
    expect([name, code, errors]).toEqual([name, 1, expect.stringContaining(sentence)]);
  }
});
