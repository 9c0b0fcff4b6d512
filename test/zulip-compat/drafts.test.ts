import {expect, test} from 'vitest';
import type {Session} from '#state/session.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {type CompatFixture, compatFixture} from './compat-fixture.ts';

const talk = {kind: 'topic', channelId: 1, topic: 'Trees'} as const;

async function startSession(fixture: CompatFixture): Promise<Session> {
  const session = fixture.session();
  session.start();
  await session.ready();
  return session;
}

const draftTexts = (session: Session) => session.drafts.all().map(({content}) => content);

function settingEvent(value: boolean) {
  return {type: 'user_settings', op: 'update', property: 'enable_drafts_synchronization', value};
}

/** Turns synchronization off as servers do: all drafts are deleted without events, because clients keep them. */
async function disableDraftSync({server}: CompatFixture, session: Session): Promise<void> {
  server.data.drafts.clear();
  server.pushEvents(settingEvent(false));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === false);
}

test('drafts: drafts stay local when synchronization is turned off and are uploaded when it is turned on', async () => {
  const fixture = await compatFixture(277);
  const session = await startSession(fixture);
  session.drafts.edit(undefined, {target: talk, content: 'precious'});
  await session.drafts.flush();
  expect(fixture.server.data.drafts.size).toBe(1);
  await disableDraftSync(fixture, session);
  await session.drafts.flush();
  expect(draftTexts(session)).toEqual(['precious']);
  fixture.server.pushEvents(settingEvent(true));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === true);
  await session.drafts.flush();
  expect(draftTexts(session)).toEqual(['precious']);
  expect([...fixture.server.data.drafts.values()]).toMatchObject([{content: 'precious'}]);
});

test('drafts: drafts stay local when synchronization is turned off while the client is not running', async () => {
  const fixture = await compatFixture(277);
  const session = await startSession(fixture);
  session.drafts.edit(undefined, {target: talk, content: 'precious'});
  await session.drafts.flush();
  fixture.server.data.drafts.clear();
  const off = {enable_drafts_synchronization: false};
  fixture.server.snapshot = (answer) => ({
    ...answer,
    drafts: [],
    user_settings: {...(answer.user_settings as object), ...off},
  });
  fixture.server.collectQueue();
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === false);
  fixture.server.snapshot = (answer) => answer;
  fixture.server.pushEvents(settingEvent(true));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === true);
  await session.drafts.flush();
  expect(draftTexts(session)).toEqual(['precious']);
  expect([...fixture.server.data.drafts.values()]).toMatchObject([{content: 'precious'}]);
});

test('drafts: drafts that the server still has are not duplicated', async () => {
  const fixture = await compatFixture(500);
  const session = await startSession(fixture);
  session.drafts.edit(undefined, {target: talk, content: 'one'});
  await session.drafts.flush();
  fixture.server.pushEvents(settingEvent(false));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === false);
  fixture.server.pushEvents(settingEvent(true));
  await waitForState(session, ({settings}) => settings.enableDraftsSynchronization === true);
  await session.drafts.flush();
  expect(draftTexts(session)).toEqual(['one']);
  expect(fixture.server.data.drafts.size).toBe(1);
});

test('drafts: an unreadable server draft does not count as deleted', async () => {
  const fixture = await compatFixture(277);
  const session = await startSession(fixture);
  session.drafts.edit(undefined, {target: talk, content: 'precious'});
  await session.drafts.flush();
  const [id] = fixture.server.data.drafts.keys();
  fixture.server.data.saveDraft(id, {type: 'of tomorrow', to: [1], topic: 'Trees', content: 'precious'});
  fixture.server.pushEvents({
    type: 'drafts',
    op: 'add',
    drafts: [{id: 999, type: 'stream', to: [1], topic: 'x', content: 'y', timestamp: 1}],
  });
  await waitForState(session, ({drafts}) => drafts.has(999));
  await session.drafts.flush();
  expect(fixture.server.count('GET /drafts')).toBeGreaterThan(0);
  expect(draftTexts(session)).toEqual(['precious']);
});
