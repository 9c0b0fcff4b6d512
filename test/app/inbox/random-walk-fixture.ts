import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import type {Api} from '#api/api.ts';
import {RetryFailure} from '#api/failure.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {openView} from '#app/navigation/navigation.ts';
import type {AccountStore} from '#state/account-store.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {Session} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {type AppFixture, appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/**
 * Somebody who triages for real: a server, a client with its disk, another client on the same account. Pictures come with
 * keys only, so that what arrives in between is in the client and not on the screen.
 */
export class TriageWalker {
  readonly #clock = new ManualClock(systemClock.now());
  readonly #disk = join(scratchDirectory(), 'account.sqlite');
  readonly #server: SessionFixture;
  #store: AccountStore;
  #session: Session;
  #stage: AppFixture;
  #isOffline = false;
  /** What is unread, as it should be. */
  readonly unread = new Set<number>();
  /** What keys marked read and have not given back. */
  readonly dismissed = new Set<number>();
  /** All that was done by keys while the server could not be reached. */
  readonly #pending = new Set<number>();
  readonly story: string[] = [];

  private constructor(server: SessionFixture) {
    this.#server = server;
    [this.#store, this.#session, this.#stage] = this.#open();
    onTestFinished(async () => {
      await this.#session.stop();
      this.#store.close();
    });
  }

  static async start(): Promise<TriageWalker> {
    const server = await sessionFixture();
    const self = new TriageWalker(server);
    await self.#begin();
    return self;
  }

  get app() {
    return this.#stage.app;
  }

  get session(): Session {
    return this.#session;
  }

  #open(): [AccountStore, Session, AppFixture] {
    const random = Math.random;
    const {store} = openAccountStore({path: this.#disk, clock: systemClock, random, log: () => {}});
    const session = this.#server.session({api: this.#api(), store, initial: restoreState(store), random});
    return [store, session, appFixture({session, clock: this.#clock})];
  }

  /** Reaches the server unless the line is dead. */
  #api(): Api {
    const {server, meg} = this.#server;
    const api = clientOf(server, meg);
    api.connection.level = 0;
    const call = api.connection.call.bind(api.connection);
    // The same function for every endpoint, as far as it is passed on.
    api.connection.call = (async (endpoint, args, options) => {
      const info = {endpoint: endpoint.id, carriedOut: 'no', reason: 'network'} as const;
      if (this.#isOffline) throw new RetryFailure('The line is dead.', info);
      return call(endpoint, args, options);
    }) as typeof call;
    return api;
  }

  async #begin(): Promise<void> {
    this.#session.start();
    if (!this.#isOffline) await waitForState(this.#session, ({connection}) => connection.phase === 'online');
    openView(this.app, {kind: 'inbox'});
    this.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: true}}));
    this.app.frames.paintNow();
  }

  /** Ends the program and begins again with what the disk has. */
  async restart(): Promise<void> {
    this.story.push('restart');
    this.app.end();
    await this.#session.stop();
    this.#store.close();
    [this.#store, this.#session, this.#stage] = this.#open();
    await this.#begin();
  }

  /** Somebody writes; the client has it, the screen does not. */
  async arrive(topic: string): Promise<void> {
    const id = await this.#server.say('hello', topic);
    this.story.push(`arrive ${topic} ${id}`);
    this.unread.add(id);
    if (!this.#isOffline) await waitForState(this.#session, ({unreads}) => unreads.byId.has(id));
  }

  /** The same person reads it elsewhere: after all that was done here, so that the last word is certain. */
  async readElsewhere(which: number): Promise<void> {
    if (!this.#isOffline) await this.settle();
    const ids = [...this.unread].filter((id) => !this.#pending.has(id));
    const id = ids[which % Math.max(1, ids.length)];
    if (id === undefined) return;
    this.story.push(`elsewhere ${id}`);
    const args = {messages: [id], op: 'add', flag: 'read'};
    await this.#server.server.as(this.#server.meg).post('/messages/flags', args);
    this.unread.delete(id);
    if (!this.#isOffline) await waitForState(this.#session, ({unreads}) => !unreads.byId.has(id));
  }

  /** Somebody renames the topic of an unread message, with all that is in it. */
  async rename(which: number, topic: string): Promise<void> {
    const ids = [...this.unread];
    const id = ids[which % Math.max(1, ids.length)];
    const {unreads} = this.#session.cache.state;
    const key = `c${this.#server.channelId}:${topic}`;
    if (id === undefined || this.#isOffline || unreads.byId.get(id) === key) return;
    await this.settle();
    this.story.push(`rename ${id} ${topic}`);
    const quiet = {send_notification_to_old_thread: false, send_notification_to_new_thread: false};
    const args = {topic, propagate_mode: 'change_all', ...quiet};
    await this.#server.server.as(this.#server.otto).patch(`/messages/${id}`, args);
    await waitForState(this.#session, (state) => state.unreads.byId.get(id) === key);
  }

  /** The same person mutes a topic elsewhere, or hears it again. */
  async muteElsewhere(topic: string, policy: 0 | 1): Promise<void> {
    if (this.#isOffline) return;
    await this.settle();
    this.story.push(`mute ${topic} ${policy}`);
    const {channelId: stream_id, server, meg} = this.#server;
    await server.as(meg).post('/user_topics', {stream_id, topic, visibility_policy: policy});
    const key = `c${stream_id}:${topic}`;
    await waitForState(this.#session, ({userTopics}) => (userTopics.get(key)?.policy ?? 0) === policy);
  }

  async goOffline(): Promise<void> {
    if (this.#isOffline) return;
    this.story.push('offline');
    await this.settle();
    this.#isOffline = true;
    await this.#server.hook('heartbeat', {user_id: this.#server.meg.id});
    await waitForState(this.#session, ({connection}) => connection.phase === 'offline');
  }

  async goOnline(): Promise<void> {
    if (!this.#isOffline) return;
    this.story.push('online');
    this.#isOffline = false;
    this.#session.wake('key');
    await waitForState(this.#session, ({connection}) => connection.phase === 'online');
    await this.settle();
    this.#pending.clear();
  }

  /** One key after the other; none may mark read what was not in the last picture. */
  press(...keys: readonly string[]): void {
    for (const key of keys) {
      const {app} = this;
      const shown = new Set(app.frames.paintedFrame.account.unreads.byId.keys());
      const row = cursorRow(app.frames.paintedFrame, 'inbox')?.key ?? '';
      const here = app.frames.paintedFrame.account.unreads.conversations.get(row)?.ids.toArray() ?? [];
      const isMany = app.screen.lists.inbox.selected.size > 0;
      const before = new Set(app.state.unreads.byId.keys());
      this.#stage.press(key);
      const after = new Set(app.state.unreads.byId.keys());
      const gone = [...before].filter((id) => !after.has(id));
      const back = [...after].filter((id) => !before.has(id));
      this.story.push(`${key} at ${row}: read ${gone} unread ${back} “${app.screen.toast?.text}”`);
      if (gone.length > 0) expect([...shown], this.told()).toEqual(expect.arrayContaining(gone));
      if (key === 'e' && !isMany && app.screen.overlays.length === 0 && gone.length > 0)
        expect(gone, this.told()).toEqual(here.filter((id) => before.has(id)));
      for (const id of gone) {
        this.unread.delete(id);
        this.dismissed.add(id);
      }
      for (const id of back) {
        this.unread.add(id);
        this.dismissed.delete(id);
      }
      if (this.#isOffline) for (const id of [...gone, ...back]) this.#pending.add(id);
    }
  }

  /** Answers where the cursor is, if somewhere. */
  reply(): void {
    this.press('r');
    if (this.app.screen.focus === 'composer') this.press('o', 'k', 'Enter');
  }

  /** Puts off what is under the cursor, if something is. */
  later(until: string): void {
    this.press('b');
    if (this.app.screen.overlays.length > 0) this.press(until);
  }

  /** Takes everything back. */
  undoAll(): void {
    for (let count = 0; count < 250 && this.app.screen.toast?.text !== 'Nothing to undo.'; count++)
      this.press('z');
    expect(this.app.screen.toast?.text, this.told()).toBe('Nothing to undo.');
  }

  /** All that was done has reached the server and was heard of. */
  async settle(): Promise<void> {
    await this.#session.pendingChanges.idle();
    await this.#session.outbox.idle();
    expect(this.#session.pendingChanges.pendingActions(), this.told()).toEqual([]);
  }

  /** The server's own word. */
  async served(): Promise<readonly number[]> {
    const {server, meg} = this.#server;
    const {unread_msgs: unread} = await server
      .as(meg)
      .post('/register', {fetch_event_types: ['message', 'update_message_flags']});
    return unread.streams
      .flatMap(({unread_message_ids: ids}: {unread_message_ids: number[]}) => ids)
      .sort((a: number, b: number) => a - b);
  }

  told(): string {
    return this.story.join('\n');
  }
}
