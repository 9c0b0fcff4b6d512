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

test('drafts: drafts stay local when synchronization is turned off and are uploaded when it is turned on', async () => {
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

test('drafts: drafts stay local when synchronization is turned off while the client is not running', async () => {
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

test('drafts: drafts that the server still has are not duplicated', async () => {
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

test('drafts: an unreadable server draft does not count as deleted', async () => {
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
