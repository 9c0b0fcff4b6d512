import {expect, test} from 'vitest';
import {exitCodes} from '#cli/io.ts';
import type {TableVerbName} from '#cli/verbs/run-verb.ts';
import {verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

/** Creates an organization in which each name has a part that only it has. */
async function organization() {
  const server = await testServer({rateLimited: false});
  const {people} = server;
  const [meg, otto] = [people.owner('Meg Member'), people.member('Otto Other')];
  const channelId = people.channel('the-quay', [meg, otto]);
  people.channel('the-wreck', [], {is_archived: 1});
  people.add('Gerda Gone', {active: false});
  const asMeg = server.as(meg);
  await asMeg.post('/user_groups/create', {name: 'pilots', description: '', members: [otto.id]});
  const sleeping = await asMeg.post('/user_groups/create', {name: 'stokers', description: '', members: []});
  await asMeg.post(`/user_groups/${sleeping.group_id}/deactivate`, {});
  const to = {type: 'stream', to: channelId, topic: 'tides', content: 'High water at six.'};
  const {id} = await server.as(otto).post('/messages', to);
  return {server, messageId: String(id), ...verbFixture(server, meg)};
}

/** Returns all rows, except those of the search index, to see whether anything was changed. */
function rowsOf({context}: Awaited<ReturnType<typeof testServer>>): Record<string, unknown[]> {
  const {db} = context;
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%' AND name NOT LIKE 'search%'";
  const tables = db.all<{name: string}>(sql);
  return Object.fromEntries(tables.map(({name}) => [name, db.all(`SELECT * FROM "${name}"`)]));
}

const send = ['-m', 'Hello', '--topic', 'tides'];
const at = ['--at', 'tomorrow 9:00'];
const direct = ['-m', 'Hello'];

/** The calls of each verb that name something by a part of its name; none for a verb that takes no names. */
const partialCalls = (
  message: string,
  out: string,
): Readonly<Record<TableVerbName, readonly (readonly string[])[]>> => ({
  read: [['#qua'], ['@ott'], ['sender:ott'], ['#qua', '--mark-read'], ['sender:ott', '--mark-read']],
  tail: [],
  search: [
    ['channel:qua', 'water'],
    ['sender:ott', 'water'],
  ],
  export: [['#qua', out]],
  'channel members': [['qua']],
  'user show': [['ott']],
  'group show': [['pilo']],
  send: [
    ['--to', '#qua', ...send],
    ['--to', '#qua>tides', ...direct],
    ['--to', 'channel:qua topic:tides', ...direct],
    ['--to', '@ott', ...direct],
    ['--to', '@Meg Member,ott', ...direct],
    ['--to', 'dm:ott', ...direct],
  ],
  schedule: [
    ['--to', '#qua', ...send, ...at],
    ['--to', '@ott', ...direct, ...at],
  ],
  upload: [
    ['-', '--name', 'a.txt', '--to', '#qua', ...send],
    ['-', '--name', 'a.txt', '--to', '@ott', ...direct],
  ],
  'mark-read': [['#qua'], ['#qua>tides'], ['@ott'], ['channel:qua'], ['sender:ott'], ['dm:ott']],
  edit: [
    [message, '--to', '#qua'],
    [message, '--to', '#qua>tides'],
  ],
  mute: [['#qua'], ['qua'], ['#qua>tides'], ['@ott']],
  unmute: [['#qua'], ['#qua>tides'], ['@ott']],
  follow: [['#qua>tides']],
  unfollow: [['#qua>tides']],
  subscribe: [['#qua'], ['#the-quay', '--user', '@ott']],
  unsubscribe: [['#qua'], ['#the-quay', '--user', '@ott']],
  'channel create': [
    ['new', '--user', '@ott'],
    ['new', '--permission', 'subscribe=pilo'],
  ],
  'channel edit': [
    ['qua', '--name', 'new'],
    ['the-quay', '--permission', 'subscribe=@ott'],
  ],
  'channel archive': [['qua']],
  'channel unarchive': [['wre']],
  status: [['Busy', '--user', '@ott']],
  'user update': [['ott', '--name', 'New Name']],
  'user deactivate': [['ott']],
  'user reactivate': [['gerd']],
  invite: [
    ['new@example.com', '--channel', '#qua'],
    ['new@example.com', '--group', 'pilo'],
  ],
  'invite link': [
    ['--channel', '#qua'],
    ['--group', 'pilo'],
  ],
  'group create': [
    ['new', '--user', '@ott'],
    ['new', '--subgroup', 'pilo'],
    ['new', '--permission', 'join=pilo'],
  ],
  'group edit': [
    ['pilo', '--name', 'new'],
    ['pilots', '--permission', 'join=@ott'],
  ],
  'group add': [
    ['pilo', '@Otto Other'],
    ['pilots', '@ott'],
    ['pilots', '--subgroup', 'stok'],
  ],
  'group remove': [
    ['pilo', '@Otto Other'],
    ['pilots', '@ott'],
    ['pilots', '--subgroup', 'stok'],
  ],
  'group deactivate': [['pilo']],
  'group reactivate': [['stok']],
  unread: [],
  'catch-up': [],
  inbox: [],
  keys: [],
  rules: [],
  'rules test': [],
  drafts: [],
  outbox: [],
  users: [],
  whoami: [],
  log: [],
  api: [],
  react: [],
  delete: [],
  star: [],
  unstar: [],
  'schedule list': [],
  'schedule delete': [],
  remind: [],
  'remind list': [],
  'remind delete': [],
  'channel list': [],
  'user list': [],
  'invite list': [],
  'invite revoke': [],
  'invite resend': [],
  'group list': [],
  'linkifier list': [],
  'linkifier add': [],
  'linkifier edit': [],
  'linkifier remove': [],
  'linkifier reorder': [],
  'serve import': [],
  'serve backup': [],
  'serve restore': [],
  'serve export': [],
  'serve check': [],
  'serve user': [],
  webhook: [],
  'serve log': [],
  'serve mail': [],
  'serve org': [],
  'serve status': [],
  'ctl status': [],
  'ctl list': [],
  'ctl commands': [],
  'ctl run': [],
  'ctl view': [],
  'ctl watch': [],
  'ctl call': [],
  render: [],
  help: [],
  man: [],
  licenses: [],
  download: [],
  'ssh-keys': [],
  completion: [],
});

const candidates = /Did you mean “(?:the-quay|the-wreck|Otto Other|Gerda Gone|pilots|stokers)”\?/;

test('verbs: a part of a name is refused with the candidates by each verb that changes something, and changes nothing', async () => {
  const {server, messageId, run, home} = await organization();
  const before = rowsOf(server);
  for (const [verb, calls] of Object.entries(partialCalls(messageId, `${home}/out`)) as [TableVerbName, string[][]][]) {
    for (const argv of calls) {
      const isRead = verbOf(verb).acceptsPartialNames === true && !argv.includes('--mark-read');
      const {code, err} = await run(verb, argv, {input: 'text'});
      const call = `parley ${verb} ${argv.join(' ')}`;
      if (isRead)
        expect({call, code, err}).toEqual({call, code: exitCodes.ok, err: expect.not.stringMatching(candidates)});
      else expect({call, code, err}).toEqual({call, code: exitCodes.failed, err: expect.stringMatching(candidates)});
      expect(rowsOf(server), call).toEqual(before);
    }
  }
});

test('verbs: those that accept a part of a name are the ones that only read', () => {
  const accepting = verbNames.filter((name) => verbOf(name).acceptsPartialNames === true);
  expect(accepting).toEqual(['read', 'tail', 'search', 'export', 'channel members', 'user show', 'group show']);
});
