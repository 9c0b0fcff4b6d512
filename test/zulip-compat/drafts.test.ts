import {expect, test} from 'vitest';
import type {Session} from '#state/session.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {type CompatFixture, compatFixture} from './compat-fixture.ts';

const talk = {kind: 'topic', channelId: 1, topic: 'Trees'} as const;

async function started(stage: CompatFixture): Promise<Session> {
  const session = stage.session();
  session.start();
  await session.ready();
  return session;
}

const texts = (session: Session) => session.drafts.all().map(({content}) => content);

function setting(value: boolean) {
  return {type: 'user_settings', op: 'update', property: 'enable_drafts_synchronization', value};
}

/** What servers do then: all drafts are deleted, and nobody is told, because the clients are to keep them. */
async function turnOff({server}: CompatFixture, session: Session): Promise<void> {
  server.world.drafts.clear();
  server.tell(setting(false));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === false);
}

test('drafts that are no longer wanted on the server stay here, and go back when they are wanted again', async () => {
  const stage = await compatFixture(277);
  const session = await started(stage);
  session.drafts.edit(undefined, {target: talk, content: 'precious'});
  await session.drafts.flush();
  expect(stage.server.world.drafts.size).toBe(1);
  await turnOff(stage, session);
  await session.drafts.flush();
  expect(texts(session)).toEqual(['precious']);
  stage.server.tell(setting(true));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === true);
  await session.drafts.flush();
  expect(texts(session)).toEqual(['precious']);
  expect([...stage.server.world.drafts.values()]).toMatchObject([{content: 'precious'}]);
});

test('turned off while nobody was here, the drafts stay too', async () => {
  const stage = await compatFixture(277);
  const session = await started(stage);
  session.drafts.edit(undefined, {target: talk, content: 'precious'});
  await session.drafts.flush();
  stage.server.world.drafts.clear();
  const off = {enable_drafts_synchronization: false};
  stage.server.snapshot = (answer) => ({
    ...answer,
    drafts: [],
    user_settings: {...(answer.user_settings as object), ...off},
  });
  stage.server.collectQueue();
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === false);
  stage.server.snapshot = (answer) => answer;
  stage.server.tell(setting(true));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === true);
  await session.drafts.flush();
  expect(texts(session)).toEqual(['precious']);
  expect([...stage.server.world.drafts.values()]).toMatchObject([{content: 'precious'}]);
});

test('a server that kept them all the same does not make two of each', async () => {
  const stage = await compatFixture(500);
  const session = await started(stage);
  session.drafts.edit(undefined, {target: talk, content: 'one'});
  await session.drafts.flush();
  stage.server.tell(setting(false));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === false);
  stage.server.tell(setting(true));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === true);
  await session.drafts.flush();
  expect(texts(session)).toEqual(['one']);
  expect(stage.server.world.drafts.size).toBe(1);
});

test('a draft of the server that cannot be read is not taken for deleted', async () => {
  const stage = await compatFixture(277);
  const session = await started(stage);
  session.drafts.edit(undefined, {target: talk, content: 'precious'});
  await session.drafts.flush();
  const [id] = stage.server.world.drafts.keys();
  stage.server.world.saveDraft(id, {type: 'of tomorrow', to: [1], topic: 'Trees', content: 'precious'});
  stage.server.tell({
    type: 'drafts',
    op: 'add',
    drafts: [{id: 999, type: 'stream', to: [1], topic: 'x', content: 'y', timestamp: 1}],
  });
  await waitForState(session, ({drafts}) => drafts.has(999));
  await session.drafts.flush();
  expect(stage.server.count('GET /drafts')).toBeGreaterThan(0);
  expect(texts(session)).toEqual(['precious']);
});
