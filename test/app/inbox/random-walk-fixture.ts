import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import type {Api} from '#api/api.ts';
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
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {RetryFailure} from '#wire/failure.ts';

/**
 * A triage session with real parts: a server, a client with its store on disk, and a second client of the same user.
 * The screen is painted with keys only, so that events in between are known to the client and not painted.
 */
export class TriageWalker {
  readonly #clock = new ManualClock(systemClock.now());
  readonly #disk = join(scratchDirectory(), 'account.sqlite');
  readonly #server: SessionFixture;
  #store: AccountStore;
  #session: Session;
  #fixture: AppFixture;
  #isOffline = false;
  /** The expected unread messages. */
  readonly unread = new Set<number>();
  /** Messages that keys marked read and undo has not restored. */
  readonly dismissed = new Set<number>();
  /** Messages that the second client read while this one was offline. */
  readonly #readUnseen = new Set<number>();
  /** Messages that keys changed while offline. */
  readonly #pending = new Set<number>();
  readonly story: string[] = [];

  private constructor(server: SessionFixture) {
    this.#server = server;
    [this.#store, this.#session, this.#fixture] = this.#open();
    onTestFinished(async () => {
      await this.#session.stop();
      this.#store.close();
    });
  }

  static async start(): Promise<TriageWalker> {
    const server = await sessionFixture();
    const walker = new TriageWalker(server);
    await walker.#start();
    return walker;
  }

  get app() {
    return this.#fixture.app;
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

  /** Returns an API that fails while offline. */
  #api(): Api {
    const {server, meg} = this.#server;
    const api = clientOf(server, meg);
    api.connection.level = 0;
    const call = api.connection.call.bind(api.connection);
    // One function serves every endpoint: it only forwards.
    api.connection.call = (async (endpoint, args, options) => {
      const info = {endpoint: endpoint.id, carriedOut: 'no', reason: 'network'} as const;
      if (this.#isOffline) throw new RetryFailure('The line is dead.', info);
      return call(endpoint, args, options);
    }) as typeof call;
    return api;
  }

  async #start(): Promise<void> {
    this.#session.start();
    if (!this.#isOffline) await waitForState(this.#session, ({connection}) => connection.phase === 'online');
    openView(this.app, {kind: 'inbox'});
    this.app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: true}}));
    this.app.frames.paintNow();
  }

  /** Ends the program and starts it again from the disk. */
  async restart(): Promise<void> {
    this.story.push('restart');
    this.app.end();
    await this.#session.stop();
    this.#store.close();
    [this.#store, this.#session, this.#fixture] = this.#open();
    await this.#start();
  }

  /** Sends a message; the client receives it, the screen does not show it yet. */
  async arrive(topic: string): Promise<void> {
    const id = await this.#server.postMessage('hello', topic);
    this.story.push(`arrive ${topic} ${id}`);
    this.unread.add(id);
    if (!this.#isOffline) await waitForState(this.#session, ({unreads}) => unreads.byId.has(id));
  }

  /** Marks a message read in the second client, after all pending changes of this one, so that the order is certain. */
  async readElsewhere(which: number): Promise<void> {
    if (!this.#isOffline) await this.settle();
    const ids = [...this.unread].filter((id) => !this.#pending.has(id));
    const id = ids[which % Math.max(1, ids.length)];
    if (id === undefined) return;
    this.story.push(`elsewhere ${id}`);
    const args = {messages: [id], op: 'add', flag: 'read'};
    await this.#server.server.as(this.#server.meg).post('/messages/flags', args);
    this.unread.delete(id);
    if (this.#isOffline) this.#readUnseen.add(id);
    else await waitForState(this.#session, ({unreads}) => !unreads.byId.has(id));
  }

  /** Renames the topic of an unread message with all its messages. */
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

  /** Mutes or unmutes a topic in the second client. */
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
    this.#readUnseen.clear();
  }

  /** Presses keys one after the other; none may mark messages read that were not in the painted frame. */
  press(...keys: readonly string[]): void {
    for (const key of keys) {
      const {app} = this;
      const paintedIds = new Set(app.frames.paintedFrame.account.unreads.byId.keys());
      const row = cursorRow(app.frames.paintedFrame, inboxList)?.key ?? '';
      const unreadHere = app.frames.paintedFrame.account.unreads.conversations.get(row)?.ids.toArray() ?? [];
      const hasSelection = app.screen.lists.inbox.selected.size > 0;
      const before = new Set(app.state.unreads.byId.keys());
      this.#fixture.press(key);
      const after = new Set(app.state.unreads.byId.keys());
      const markedRead = [...before].filter((id) => !after.has(id));
      const markedUnread = [...after].filter((id) => !before.has(id));
      this.story.push(`${key} at ${row}: read ${markedRead} unread ${markedUnread} “${app.screen.toast?.text}”`);
      if (markedRead.length > 0) expect([...paintedIds], this.storyText()).toEqual(expect.arrayContaining(markedRead));
      if (key === 'e' && !hasSelection && app.screen.overlays.length === 0 && markedRead.length > 0)
        expect(markedRead, this.storyText()).toEqual(unreadHere.filter((id) => before.has(id)));
      for (const id of markedRead) {
        this.unread.delete(id);
        this.dismissed.add(id);
      }
      for (const id of markedUnread) {
        // Undo of a mark that was not sent leaves what was read elsewhere.
        if (!this.#readUnseen.has(id)) this.unread.add(id);
        this.dismissed.delete(id);
      }
      if (this.#isOffline) for (const id of [...markedRead, ...markedUnread]) this.#pending.add(id);
    }
  }

  /** Replies in the conversation under the cursor, if there is one. */
  reply(): void {
    this.press('r');
    if (this.app.screen.focus === 'composer') this.press('o', 'k', 'Enter');
  }

  /** Marks the group under the cursor read, and agrees if it has several conversations. */
  markGroup(): void {
    this.press('X');
    if (this.app.screen.overlays.length > 0) this.press('y');
  }

  /** Snoozes the conversation under the cursor, if there is one. */
  snooze(until: string): void {
    this.press('b');
    if (this.app.screen.overlays.length > 0) this.press(until);
  }

  /** Undoes everything, and agrees to delete delivered replies. */
  undoAll(): void {
    for (let count = 0; count < 250 && this.app.screen.toast?.text !== 'Nothing to undo.'; count++)
      this.press(this.app.screen.overlays.length > 0 ? 'y' : 'z');
    expect(this.app.screen.toast?.text, this.storyText()).toBe('Nothing to undo.');
  }

  /** Waits until all changes have reached the server and its events have arrived. */
  async settle(): Promise<void> {
    await this.#session.pendingChanges.idle();
    await this.#session.outbox.idle();
    // A request that failed while the connection came back is repeated after a pause, in which nothing is being sent.
    await expect.poll(() => this.#session.pendingChanges.pendingActions(), {message: this.storyText()}).toEqual([]);
  }

  /** Returns the unread messages on the server. */
  async serverUnreadIds(): Promise<readonly number[]> {
    const {server, meg} = this.#server;
    const {unread_msgs: unread} = await server
      .as(meg)
      .post('/register', {fetch_event_types: ['message', 'update_message_flags']});
    return unread.streams
      .flatMap(({unread_message_ids: ids}: {unread_message_ids: number[]}) => ids)
      .sort((a: number, b: number) => a - b);
  }

  storyText(): string {
    return this.story.join('\n');
  }
}
