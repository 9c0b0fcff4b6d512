import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {systemClock} from '#std/clock.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {accountsFixture} from './organizations-fixture.ts';

const names = ['acme', 'beta'];

test('organizations: what is done while a server is away is sent to it when it is back, once, and to no other', async () => {
  const [here, away] = [await sessionFixture({rateLimited: false}), await sessionFixture({rateLimited: false})];
  const ids = [await here.postMessage('lunch?', 'boats'), await away.postMessage('lunch?', 'boats')];
  const before = away.session();
  before.start();
  const saved = await waitForState(before, hasMessage(ids[1] ?? 0));
  await before.stop();
  const connection = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
  const sessions = [here.session(), away.session({initial: {...saved, connection}})];
  sessions[0]?.start();
  await sessions[0]?.ready();
  const {organizations, accounts, shown} = accountsFixture(names, 'grouped');
  const clock = new ManualClock(systemClock.now());
  const fixtures = sessions.map((session, index) => {
    const fixture = appFixture({session, clock, accounts, info: {accountName: names[index] ?? '', accountCount: 2}});
    organizations.add(index, fixture.app);
    openView(fixture.app, {kind: 'inbox'});
    fixture.app.frames.paintNow();
    return fixture;
  });
  const press = (key: string) => {
    shown().frames.paintNow();
    fixtures[organizations.shownIndex]?.press(key);
  };
  while (shown().info.accountName !== 'beta') press('j');
  for (const key of ['r', 'y', 'e', 's', 'Enter']) press(key);
  const [acme, beta] = fixtures.map(({app}) => app);
  expect([acme, beta].map((app) => [...(app?.state.unreads.byId.keys() ?? [])])).toEqual([[ids[0]], []]);
  const onServers = async () => {
    const page = {anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false};
    const answers = [here, away].map(({server, meg}) => server.as(meg).get('/messages', page));
    const text = ({content, flags}: Reply) => `${content}${flags.includes('read') ? ' (read)' : ''}`;
    return (await Promise.all(answers)).map(({messages}) => messages.map(text));
  };
  expect(await onServers()).toEqual([['lunch?'], ['lunch?']]);
  sessions[1]?.start();
  await expect.poll(onServers).toEqual([['lunch?'], ['lunch? (read)', 'yes (read)']]);
  await expect.poll(() => beta?.state.outbox).toEqual([]);
  // The server has the flags before the response is here.
  await expect.poll(() => beta?.session.pendingChanges.pendingActions()).toEqual([]);
  expect(await onServers()).toEqual([['lunch?'], ['lunch? (read)', 'yes (read)']]);
});
