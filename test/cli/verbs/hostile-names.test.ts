import {expect, test} from 'vitest';
import {login} from '#cli/login/login.ts';
import {isTableVerb, type TableVerbName} from '#cli/verbs/run-verb.ts';
import {verbNames} from '#cli/verbs/verb-table.ts';
import {expectHarmlessLines} from '#test/content/hostile-text.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';
import {type IoOptions, verbFixture} from './verb-fixture.ts';

const hiddenText = `\u{e0001}\u{e0100}\u00ad\u200b\ufeff${'\u0301'.repeat(12)}`;
const hiddenCharacters = /[\u{e0000}-\u{e0fff}\u00ad\u200b\ufeff]|\p{M}{11}/u;

/** Sets the clipboard, clears the screen, colors text, reverses the text behind it, hides text and covers other lines. */
const hostile = `\u001b]52;c;cm0gLXJmIHg=\u0007\u001b[2J\u001b[31m\u009b31m\u202e\u2066\r${hiddenText}`;

/** Writes hostile names into the database, as a server that checks nothing would send them. */
async function hostileOrganization() {
  const server = await testServer({rateLimited: false});
  const {people} = server;
  const meg = people.add(`Meg${hostile}`, {email: 'meg@example.com', role: 100});
  const otto = people.add(`Otto${hostile}`, {email: 'otto@example.com'});
  const channelId = people.channel(`the-quay${hostile}`, [meg, otto]);
  people.channel(`the-quay-west${hostile}`, [meg, otto]);
  people.setting('name', `Harbor${hostile}`);
  const asOtto = server.as(otto);
  const to = {type: 'stream', to: channelId, topic: 'tides'};
  const {id} = await asOtto.post('/messages', {...to, content: `hello ${hostile} world`});
  await asOtto.post('/messages', {type: 'direct', to: [meg.id], content: `direct ${hostile}`});
  await asOtto.post('/users/me/status', {status_text: `away ${hostile}`});
  const {group_id: groupId} = await server
    .as(meg)
    .post('/user_groups/create', {name: 'pilots', description: 'x', members: []});
  const {db, derivedFacts} = server.context;
  db.run('UPDATE message SET topic = ? WHERE id = ?', `tides${hostile}`, Number(id));
  db.run('UPDATE user_group SET name = ?, description = ? WHERE id = ?', `pilots${hostile}`, hostile, Number(groupId));
  derivedFacts.invalidateAll();
  return {server, meg, messageId: String(id), ...verbFixture(server, meg)};
}

/** Arguments that make a verb print names, a result or a refusal; verbs without an entry get none. */
const verbArguments = (messageId: string): Partial<Record<TableVerbName, readonly (readonly string[])[]>> => ({
  read: [['#the-qua'], ['#the-quay-nowhere'], [`#the-quay${hostile}`], ['@Otto'], ['is:unread', '--color', 'always']],
  send: [
    ['--to', '#the-qua', '-m', 'x'],
    ['--to', `#the-quay${hostile}`, '--topic', 'x', '-m', hostile],
  ],
  search: [['hello'], [hostile]],
  react: [
    [messageId, `x${hostile}`],
    [messageId, 'tada'],
  ],
  edit: [[messageId, '--topic', `x${hostile}`]],
  mute: [['#the-qua'], [`#the-quay${hostile}`]],
  unmute: [[`#the-quay${hostile}`]],
  subscribe: [['#the-qua']],
  'channel members': [['#the-qua'], [`#the-quay${hostile}`]],
  'channel create': [[`new${hostile}`]],
  'channel edit': [[`#the-quay${hostile}`, '--name', hostile]],
  'user show': [['Otto'], ['Ott'], ['nobody']],
  'user update': [['Otto', '--name', hostile]],
  'group show': [['pilots'], ['pil']],
  'group add': [['pil', 'Otto']],
  'group edit': [['pilots', '--name', hostile]],
  'linkifier add': [[hostile, hostile]],
  status: [[], [`busy${hostile}`]],
  invite: [[`x${hostile}@example.com`]],
  upload: [[`missing${hostile}`]],
  api: [
    ['GET', '/streams'],
    ['GET', `/x${hostile}`],
  ],
  render: [[]],
  outbox: [['retry', hostile]],
  drafts: [['show', hostile]],
  schedule: [['--to', '#the-qua', '-m', 'x', '--at', hostile]],
  help: [[hostile]],
  completion: [['bash'], ['zsh'], ['fish'], [hostile]],
});

/** Removes the styles of the program's own output. */
const withoutStyles = (text: string) => text.replaceAll(/\u001b\[(?:0|1|2|36)m/g, '');

test('verbs: names with control sequences never reach the terminal, from any verb, in results, errors and help', async () => {
  const {run, start, messageId} = await hostileOrganization();
  const given = verbArguments(messageId);
  const outputs: string[] = [];
  const tail = start('tail', ['-n', '5', '--color', 'always']);
  await tail.io.saw('hello');
  tail.end();
  await tail.code.catch(() => {});
  expectHarmlessLines(withoutStyles(tail.io.out() + tail.io.err()));
  for (const verb of verbNames.filter(isTableVerb)) {
    if (['tail', 'man', 'licenses', 'keys'].includes(verb)) continue;
    for (const argv of given[verb] ?? [[], ['Otto']]) {
      const options: IoOptions = {outputIsTty: true, columns: 80, input: `text ${hostile}\n`, env: {PAGER: 'cat'}};
      const {out, err} = await run(verb, argv, options).catch((error) => ({out: '', err: String(error.stack)}));
      expectHarmlessLines(withoutStyles(out + err));
      outputs.push(out + err);
    }
  }
  const all = outputs.join('');
  expect(hiddenCharacters.exec(all + tail.io.out())).toBeNull();
  const quoted = ['the-quay', 'Otto', 'pilots', 'tides', 'away'];
  expect(quoted.filter((name) => !all.includes(name))).toEqual([]);
});

test('login: a hostile organization and user name print no control sequences', async () => {
  const {server, meg} = await hostileOrganization();
  const io = testIo({input: meg.apiKey});
  expect(await login([server.url, '--email', meg.email, '--key-stdin'], io)).toBe(0);
  expect(io.err() + io.out()).toMatch(/Harbor[\s\S]*Meg/);
  expectHarmlessLines(io.out() + io.err());
  expect(hiddenCharacters.exec(io.out() + io.err())).toBeNull();
});
