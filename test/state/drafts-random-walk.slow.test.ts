import {expect, test} from 'vitest';
import type {DraftTarget} from '#state/model/draft.ts';
import {Random} from '#std/random.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {KilledError, KillSwitch} from './kill-switch.ts';
import {callTestHook, injectFault, TestClient} from './test-client.ts';

interface WireDraft {
  readonly id: number;
  readonly content: string;
}

/**
 * A random walk of one user with a client that is killed now and then and a phone. It tracks the texts that
 * must exist somewhere: each promise is a set of texts of which one must be found, and is withdrawn when a
 * client that saw the text replaced it.
 */
class Walk {
  readonly steps: string[] = [];
  readonly #server: TestServer;
  readonly #random: Random;
  readonly #phone: ApiClient;
  readonly #meg: Person;
  readonly #path: string;
  readonly #target: DraftTarget;
  readonly #seed: number;
  #promises: Set<string>[] = [];
  #texts = 0;
  #clientCount = 0;
  #client: TestClient;
  #killSwitch = new KillSwitch(Number.POSITIVE_INFINITY);

  constructor(server: TestServer, seed: number, directory: string) {
    this.#server = server;
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#meg = server.people.member(`Meg ${seed}`);
    this.#phone = server.as(this.#meg);
    this.#path = `${directory}/${seed}.db`;
    this.#target = {kind: 'topic', channelId: server.people.channel(`c${seed}`, [this.#meg]), topic: 't'};
    this.#client = this.#createClient(Number.POSITIVE_INFINITY);
  }

  async step(): Promise<void> {
    const actions = [
      this.#write,
      this.#write,
      this.#rewrite,
      this.#rewrite,
      this.#rewrite,
      this.#remove,
      this.#send,
      this.#flush,
      this.#flush,
      this.#flush,
      this.#register,
      this.#phoneWrites,
      this.#phoneRewrites,
      this.#phoneRewrites,
      this.#phoneRemoves,
      this.#breakSomething,
      this.#restart,
    ];
    const action = this.#random.pick(actions);
    try {
      await Promise.race([action?.call(this), this.#killSwitch.death]);
      // The phone must see what it replaces, so none of the client's requests may be in flight.
      await Promise.race([this.#client.drafts.idle(), this.#killSwitch.death]);
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
    }
    if (this.#killSwitch.isDead) this.#restart();
  }

  /** Checks that without faults no promised text is missing and both sides agree. */
  async end(): Promise<void> {
    this.#client.kill();
    await callTestHook(this.#server, 'clear-faults');
    const client = this.#createClient(Number.POSITIVE_INFINITY, false);
    for (let round = 0; round < 4; round++) await this.#register(client);
    await Promise.race([client.outbox.idle(), client.clock.waitedFor(1000)]);
    await client.drafts.flush();
    const serverDrafts = await this.#serverDrafts();
    const server = contentsOf(serverDrafts);
    const journal = client.drafts.all().map(({content}) => content);
    const outbox = client.store.outbox.all().map(({content}) => content);
    const {messages} = await this.#phone.get('/messages', {
      anchor: 'newest',
      num_before: 500,
      num_after: 0,
      apply_markdown: false,
    });
    const sent: string[] = messages.map(({content}: {content: string}) => content);
    const description = JSON.stringify({seed: this.#seed, steps: this.steps, server, journal, outbox, sent}, null, 1);
    const existing = new Set([...server, ...journal, ...outbox, ...sent]);
    const missing = this.#promises.filter((texts) => ![...texts].some((text) => existing.has(text)));
    expect(
      missing.map((texts) => [...texts]),
      description,
    ).toEqual([]);
    // The server's copy of a draft stays while the message written in it is unconfirmed.
    const deletedDrafts = client.store.drafts.all().filter(({status}) => status === 'deleted');
    expect(deletedDrafts.length, description).toBeLessThanOrEqual(outbox.length);
    const remaining = serverDrafts.filter(({id}) => !deletedDrafts.some(({serverId}) => serverId === id));
    expect(journal.toSorted(), description).toEqual(contentsOf(remaining));
    expect(new Set(sent).size, description).toBe(sent.length);
  }

  #createClient(dieAt: number, isDead = true): TestClient {
    this.#killSwitch = new KillSwitch(dieAt);
    const {wrap} = this.#killSwitch;
    const seed = this.#seed * 1000 + this.#clientCount++;
    return new TestClient(this.#server, this.#meg, {path: this.#path, isDead, wrap, seed});
  }

  #restart(): void {
    this.steps.push('restart');
    this.#client.kill();
    this.#client = this.#createClient(this.#random.below(3) === 0 ? Number.POSITIVE_INFINITY : this.#random.below(60));
  }

  #newText(who: string): string {
    return `${who} ${this.#texts++}`;
  }

  #write(): void {
    const text = this.#newText('mine');
    this.steps.push(`write ${text}`);
    this.#client.drafts.edit(undefined, {target: this.#target, content: text});
    this.#promises.push(new Set([text]));
  }

  async #rewrite(): Promise<void> {
    await this.#advanceClock();
    const draft = this.#random.pick(this.#client.drafts.all());
    if (draft === undefined) return;
    const text = this.#newText('mine');
    this.steps.push(`rewrite ${draft.content} as ${text}`);
    // If the client is killed here, either text may be stored.
    const promise = this.#promises.find((texts) => texts.has(draft.content));
    promise?.add(text);
    this.#client.drafts.edit(draft.id, {target: this.#target, content: text});
    this.#withdraw(draft.content);
    this.#promises.push(new Set([text]));
  }

  #remove(): void {
    const draft = this.#random.pick(this.#client.drafts.all());
    if (draft === undefined) return;
    this.steps.push(`remove ${draft.content}`);
    this.#withdraw(draft.content);
    this.#client.drafts.remove(draft.id);
  }

  #send(): void {
    const draft = this.#random.pick(this.#client.drafts.all());
    if (draft === undefined || draft.target.kind === 'none') return;
    this.steps.push(`send ${draft.content}`);
    this.#client.outbox.send({conversation: draft.target, content: draft.content, draftId: draft.id});
  }

  async #flush(): Promise<void> {
    this.steps.push('flush');
    if (this.#client.context.queueId() === undefined) return this.#register();
    await this.#client.pollEvents();
    await this.#client.drafts.flush();
  }

  async #register(client = this.#client): Promise<void> {
    this.steps.push('register');
    await client.register();
    await client.drafts.flush();
  }

  async #phoneWrites(): Promise<void> {
    const text = this.#newText('phone');
    this.steps.push(`phone writes ${text}`);
    await callTestHook(this.#server, 'clear-faults');
    await this.#phone.post('/drafts', {drafts: [this.#wire(text)]});
    this.#promises.push(new Set([text]));
  }

  async #phoneRewrites(): Promise<void> {
    await this.#advanceClock();
    const drafts = await this.#serverDrafts();
    const draft: WireDraft | undefined = this.#random.pick(drafts);
    if (draft === undefined) return;
    const text = this.#newText('phone');
    this.steps.push(`phone rewrites ${draft.content} as ${text}`);
    await this.#phone.patch(`/drafts/${draft.id}`, {draft: this.#wire(text)});
    this.#withdraw(draft.content);
    this.#promises.push(new Set([text]));
  }

  async #phoneRemoves(): Promise<void> {
    const drafts = await this.#serverDrafts();
    const draft: WireDraft | undefined = this.#random.pick(drafts);
    if (draft === undefined) return;
    this.steps.push(`phone removes ${draft.content}`);
    await this.#phone.delete(`/drafts/${draft.id}`);
    this.#withdraw(draft.content);
  }

  async #breakSomething(): Promise<void> {
    const kind = this.#random.pick(['drop_before', 'drop_after', 'truncate', 'html', 'rate_limit'] as const);
    this.steps.push(kind);
    await injectFault(this.#server, {path: '/drafts', kind});
  }

  /** Returns the drafts as the phone sees them, without faults. */
  async #serverDrafts(): Promise<readonly WireDraft[]> {
    await callTestHook(this.#server, 'clear-faults');
    const {drafts} = await this.#phone.get('/drafts');
    return drafts;
  }

  #wire(content: string) {
    const {channelId} = this.#target as {channelId: number};
    return {type: 'stream', to: [channelId], topic: 't', content, timestamp: this.#client.clock.seconds()};
  }

  /** Advances the clock and lets due timers run. */
  async #advanceClock(): Promise<void> {
    this.#client.clock.advance(this.#random.below(3) * 500);
    await Promise.race([this.#client.drafts.idle(), this.#killSwitch.death]);
  }

  /** Withdraws a promise, because a client that saw the text replaced it. */
  #withdraw(text: string): void {
    this.#promises = this.#promises.filter((texts) => !texts.has(text));
  }
}

function contentsOf(drafts: readonly WireDraft[]): string[] {
  return drafts.map(({content}) => content).sort();
}

test('drafts: no text is lost, whatever random edits, crashes and faults happen', async () => {
  const server = await testServer({testHooks: true});
  const directory = scratchDirectory();
  for (let seed = 1; seed <= 8; seed++) {
    const walk = new Walk(server, seed, directory);
    for (let step = 0; step < 30; step++) await walk.step();
    await walk.end();
  }
});
