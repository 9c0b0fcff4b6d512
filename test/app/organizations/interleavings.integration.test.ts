import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import type {Session} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {fewOrAll} from '#test/support/tier.ts';
import type {Arrangement} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {accountsFixture} from './organizations-fixture.ts';

const names = ['acme', 'beta'];
const topics = ['boats', 'trains', 'kites'];

type Step =
  | {readonly kind: 'arrive'; readonly account: number; readonly topic: string; readonly isPainted: boolean}
  | {readonly kind: 'key'; readonly key: string};

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('arrive' as const),
    account: fc.nat(1),
    topic: fc.constantFrom(...topics),
    isPainted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('key' as const),
    key: fc.constantFrom('j', 'j', 'k', 'e', 'e', 'z', 'Home', 'End', 'Alt-1', 'Alt-2', '5', '1'),
  }),
);

/** Two servers, the clients of the same person there, and what should be unread on each. */
class TwoOrganizations {
  readonly #servers: readonly SessionFixture[];
  readonly #apps: readonly App[];
  readonly #press: (key: string) => void;
  readonly #shown: () => App;
  readonly #unread: readonly Set<number>[];
  /** What each undo would bring back, the latest last. */
  readonly #done: {readonly account: number; readonly ids: readonly number[]}[] = [];

  private constructor(servers: readonly SessionFixture[], sessions: readonly Session[], arrangement: Arrangement) {
    const {organizations, accounts, shown} = accountsFixture(names, arrangement);
    const clock = new ManualClock(systemClock.now());
    const fixtures = sessions.map((session, index) => {
      const fixture = appFixture({session, clock, accounts, info: {accountName: names[index] ?? '', accountCount: 2}});
      organizations.add(index, fixture.app);
      openView(fixture.app, {kind: 'inbox'});
      return fixture;
    });
    this.#servers = servers;
    this.#apps = fixtures.map(({app}) => app);
    this.#shown = shown;
    this.#press = (key) => fixtures[organizations.shownIndex]?.press(key);
    this.#unread = servers.map(() => new Set());
  }

  static async start(arrangement: Arrangement): Promise<TwoOrganizations> {
    const servers = await Promise.all(names.map(() => sessionFixture({rateLimited: false})));
    const sessions = servers.map((server) => server.session());
    for (const session of sessions) session.start();
    await Promise.all(sessions.map((session) => session.ready()));
    const two = new TwoOrganizations(servers, sessions, arrangement);
    for (const topic of topics) for (const account of names.keys()) await two.arrive(account, topic, true);
    return two;
  }

  async arrive(account: number, topic: string, isPainted: boolean): Promise<void> {
    const [server, app] = [this.#servers[account], this.#apps[account]];
    if (server === undefined || app === undefined) return;
    const id = await server.postMessage(`for ${names[account]}`, topic);
    await waitForState(app.session, hasMessage(id));
    this.#unread[account]?.add(id);
    if (isPainted) this.#paint();
  }

  #paint(): void {
    for (const app of this.#apps) app.frames.paintNow();
    this.#shown().frames.paintNow();
  }

  /** Presses a key, and checks that it changed exactly what it should, in the account of the row. */
  press(key: string): void {
    this.#paint();
    const account = this.#apps.indexOf(this.#shown());
    const row = cursorRow(this.#shown().frame, inboxList);
    const isUnread = row?.kind === 'item' && row.target?.kind === 'conversation';
    if (key === 'e') {
      if (!isUnread) return;
      const ids = [...(this.#shown().state.unreads.conversations.get(row.key)?.ids ?? [])];
      if (ids.length === 0) return;
      for (const id of ids) this.#unread[account]?.delete(id);
      this.#done.push({account, ids});
    }
    if (key === 'z') {
      const undone = this.#done.pop();
      if (undone === undefined) return;
      for (const id of undone.ids) this.#unread[undone.account]?.add(id);
    }
    this.#press(key);
    expect(this.#apps.map(unreadIds), key).toEqual(this.#unread.map(sorted));
  }

  /** Presses keys that change nothing. */
  move(...keys: readonly string[]): void {
    for (const key of keys) this.#press(key);
  }

  /** Replies to the row under the cursor. Returns on which server it should be, and where. */
  reply(text: string): {readonly account: number; readonly topic: string} | undefined {
    this.#paint();
    const account = this.#apps.indexOf(this.#shown());
    const target = cursorRow(this.#shown().frame, inboxList)?.target;
    if (target?.kind !== 'conversation' || target.conversation.kind !== 'topic') return undefined;
    this.#press('r');
    for (const character of text) this.#press(character);
    this.#press('Enter');
    return {account, topic: target.conversation.topic};
  }

  /** Waits until the servers have what the screen showed. */
  async confirm(replies: readonly {readonly account: number; readonly topic: string; readonly text: string}[]) {
    for (const [account, {server, meg}] of this.#servers.entries()) {
      const api = server.as(meg);
      const page = {anchor: 'newest', num_before: 200, num_after: 0};
      const texts = () => replies.flatMap((each) => (each.account === account ? [`${each.topic}: ${each.text}`] : []));
      await expect
        .poll(
          async () => {
            const narrow = JSON.stringify([{operator: 'sender', operand: meg.email}]);
            const {messages} = await api.get('/messages', {...page, narrow, apply_markdown: false});
            return messages.map(({subject, content}: {subject: string; content: string}) => `${subject}: ${content}`);
          },
          {timeout: 60_000},
        )
        .toEqual(texts());
    }
  }

  async confirmUnread(): Promise<void> {
    for (const [account, {server, meg}] of this.#servers.entries()) {
      const narrow = JSON.stringify([{operator: 'is', operand: 'unread'}]);
      const args = {anchor: 'newest', num_before: 500, num_after: 0, narrow};
      await expect
        .poll(
          async () => {
            const {messages} = await server.as(meg).get('/messages', args);
            return messages.map(({id}: {id: number}) => id);
          },
          {timeout: 60_000},
        )
        .toEqual(sorted(this.#unread[account] ?? new Set()));
    }
  }
}

function sorted(ids: ReadonlySet<number>): readonly number[] {
  return [...ids].sort((a, b) => a - b);
}

function unreadIds({state}: App): readonly number[] {
  return [...state.unreads.byId.keys()];
}

test('organizations: whatever happens on two servers in between, every key acts in the account of its row', async () => {
  const runs = fc.sample(fc.array(step, {minLength: 30, maxLength: 60}), {numRuns: fewOrAll(2, 30), seed: 2026});
  for (const [run, steps] of runs.entries()) {
    const two = await TwoOrganizations.start(run % 2 === 0 ? 'mixed' : 'grouped');
    for (const one of steps) {
      if (one.kind === 'key') two.press(one.key);
      else await two.arrive(one.account, one.topic, one.isPainted);
    }
    await two.confirmUnread();
    const replies = [];
    for (const [at, key] of ['Home', 'End', 'k'].entries()) {
      two.move('Alt-1', key);
      const text = `answer${at}`;
      const sent = two.reply(text);
      if (sent !== undefined) replies.push({...sent, text});
    }
    await two.confirm(replies);
  }
});
