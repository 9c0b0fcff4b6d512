import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

/** Parameters that the service's description calls strings, and that Zulip's servers want as JSON or as they are. */
const spellings = [
  ['plain', (text: string) => text],
  ['JSON', (text: string) => JSON.stringify(text)],
] as const;

test.each(spellings)('parameters: a text may be sent as %s text, in new channels', async (_name, spelled) => {
  const server = await testServer();
  const owner = server.as(server.people.owner());
  await owner.post('/users/me/subscriptions', {
    subscriptions: JSON.stringify([{name: 'tides'}]),
    topics_policy: spelled('allow_empty_topic'),
  });
  const {streams} = await owner.get('/streams');
  expect(streams).toContainEqual(expect.objectContaining({name: 'tides', topics_policy: 'allow_empty_topic'}));
});

test.each(spellings)('parameters: a text may be sent as %s text, in changes of a channel', async (_name, spelled) => {
  const server = await testServer();
  const owner = server.as(server.people.owner());
  const channel = server.people.channel('tides', []);
  await owner.patch(`/streams/${channel}`, {
    topics_policy: spelled('disable_empty_topic'),
  });
  expect(await owner.get(`/streams/${channel}`)).toMatchObject({
    stream: {topics_policy: 'disable_empty_topic'},
  });
});

test.each(spellings)(
  'parameters: a text may be sent as %s text, in settings of the organization',
  async (_name, spelled) => {
    const server = await testServer();
    const owner = server.as(server.people.owner());
    await owner.patch('/realm', {
      topics_policy: spelled('disable_empty_topic'),
      default_code_block_language: spelled('python'),
    });
    expect(await owner.post('/register', {fetch_event_types: JSON.stringify(['realm'])})).toMatchObject({
      realm_topics_policy: 'disable_empty_topic',
      realm_default_code_block_language: 'python',
    });
  },
);
