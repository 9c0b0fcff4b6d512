import {expect, test} from 'vitest';
import {openPlain} from '#cli/plain/open-plain.ts';
import {verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

test('plain: an owner adds a linkifier and changes a setting of the organization', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const {home} = verbFixture(server, owner);
  const answers = [
    ...['linkifiers.list', '1', '1 #(?P<id>[0-9]+)', '2 https://t.example/{id}', '3 #7', '4 #{id}', 'save', 'back'],
    ...['organization.settings', 'unique names', '1', '4 on', '4 no', '4 yes', 'save', 'back', 'quit'],
  ];
  const io = testIo({home, random: Math.random, input: answers.map((line) => `${line}\n`).join('')});
  const options = {destination: undefined, isTriage: false, isExploring: false, isReadOnly: false};
  expect(await openPlain(options, io)).toBe(0);
  const lines = io.out().split('\n');
  expect(lines).toContain('3. Example text: #7 · → https://t.example/7 (changed)');
  expect(lines.some((line) => line.startsWith('Added the linkifier #(?P<id>[0-9]+)'))).toBe(true);
  expect((await server.as(owner).get('/realm/linkifiers')).linkifiers).toMatchObject([{reverse_template: '#{id}'}]);
  const {state} = await server.as(owner).listen({fetch_event_types: ['realm']});
  expect(state.realm_require_unique_names).toBe(true);
  const texts = lines.filter((line) => line.startsWith('4. Unique names: ')).map((line) => line.slice(17));
  expect(texts).toEqual(['off', 'on (changed)', 'off', 'on (changed)']);
});
