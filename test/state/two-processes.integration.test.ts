import {expect, test} from 'vitest';
import {type ActionsFixture, actionsFixture} from '#test/state/actions/actions-fixture.ts';
import {acrossAxes} from '#test/support/axes.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {TestClient} from './test-client.ts';

interface SharedChange {
  /** Makes two changes in the process that ends. */
  write(client: TestClient, fixture: ActionsFixture): void;
  /** Waits until the process has sent what it can. */
  idle(client: TestClient): Promise<void>;
  /** Returns which of both the server has. */
  onServer(fixture: ActionsFixture): Promise<unknown>;
  readonly expected: unknown;
}

const talk = ({channelId}: ActionsFixture) => ({kind: 'topic', channelId, topic: 'talk'}) as const;

const changes: Readonly<Record<'messages' | 'drafts' | 'changes', SharedChange>> = {
  messages: {
    write: ({outbox}, fixture) => {
      for (const content of ['first', 'second']) outbox.send({conversation: talk(fixture), content});
    },
    idle: (client) => client.finishOutbox(),
    onServer: async (fixture) => {
      const {messages} = await fixture.otherClient().get('/messages', {anchor: 'newest', num_before: 2, num_after: 0});
      return messages.map(({content}: {content: string}) => content.replace(/<[^>]+>/g, ''));
    },
    expected: ['first', 'second'],
  },
  drafts: {
    write: ({drafts}, fixture) => {
      for (const content of ['first', 'second']) drafts.edit(undefined, {target: talk(fixture), content});
    },
    // The other process may be about to upload them, so this one waits for the pause in typing.
    idle: async ({clock, drafts}) => {
      for (let second = 0; second <= 5; second++) {
        clock.advance(1000);
        await drafts.idle();
      }
    },
    onServer: async (fixture) => {
      const {drafts} = await fixture.otherClient().get('/drafts');
      return drafts.map(({content}: {content: string}) => content).sort();
    },
    expected: ['first', 'second'],
  },
  changes: {
    write: ({pendingChanges}, {messageId, mentioned}) => {
      for (const id of [messageId, mentioned])
        pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [id]});
    },
    idle: (client) => client.pendingChanges.idle(),
    onServer: async ({server, meg, messageId, mentioned}) => {
      const {starred_messages: starred} = await server
        .as(meg)
        .post('/register', {fetch_event_types: ['starred_messages']});
      return [messageId, mentioned].filter((id) => starred.includes(id)).length;
    },
    expected: 2,
  },
};

const rows = acrossAxes('connection').flatMap(({connection}) =>
  Object.entries(changes).map(([name, change]) => ({name, connection, change})),
);

test.each(rows)(
  'two processes: $name that one leaves behind are sent by the other, which is $connection at that time',
  async ({connection, change}) => {
    const path = `${scratchDirectory()}/account.db`;
    const fixture = await actionsFixture({client: {path}});
    const {server, meg, client} = fixture;
    await client.drafts.flush();
    const ending = await new TestClient(server, meg, {path, isDead: true}).register();
    await ending.goOffline();
    if (connection === 'offline') await client.goOffline();
    change.write(ending, fixture);
    ending.kill();
    client.checkExternalChanges();
    if (connection === 'offline') client.goOnline();
    await change.idle(client);
    expect(await change.onServer(fixture)).toEqual(change.expected);
  },
);
