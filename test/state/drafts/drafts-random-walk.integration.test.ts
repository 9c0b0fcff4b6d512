import {expect, test} from 'vitest';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import {Random} from '#std/random.ts';
import {KilledError, KillSwitch} from '#test/state/kill-switch.ts';
import {callTestHook, injectFault, TestClient} from '#test/state/test-client.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {fewOf} from '#test/support/tier.ts';

interface WireDraft {
  readonly id: number;
  readonly content: string;
}

/** How a walk goes wrong. */
type Trouble =
  /** Clients are killed between any two steps; what others write is heard before the next own write. */
  | 'kills'
  /** Clients write at the same time and hear of other writes late. */
  | 'deafness';

/** A text that somebody wrote and that must exist: in a draft, in the outbox or as a message. */
interface Promised {
  readonly texts: ReadonlySet<string>;
}

/** A computer of the user, with its own disk. */
interface Computer {
  readonly name: string;
  readonly path: string;
  client: TestClient;
  killSwitch: KillSwitch;
}

const forever = Number.POSITIVE_INFINITY;

/**
 * A random walk of one user with two computers and a phone. It tracks the texts that must exist somewhere: each
 * promise is a set of texts of which one must be found, and is withdrawn when somebody who saw the text replaced it.
 * The texts have blanks around them, which the server strips.
 */
class Walk {
  readonly steps: string[] = [];
  readonly #server: TestServer;
  readonly #random: Random;
  readonly #phone: ApiClient;
  readonly #meg: Person;
  readonly #target: DraftTarget;
  readonly #seed: number;
  readonly #trouble: Trouble;
  readonly #computers: readonly Computer[];
  readonly #written = new Set<string>();
  readonly #sent = new Set<string>();
  #promises: Promised[] = [];
  #clientCount = 0;
  #isSynced = true;

  constructor(server: TestServer, seed: number, trouble: Trouble, directory: string) {
    this.#server = server;
    this.#seed = seed;
    this.#trouble = trouble;
    this.#random = new Random(seed);
    const name = `${trouble} ${seed}`;
    this.#meg = server.people.member(`Meg ${name}`);
    this.#phone = server.as(this.#meg);
    this.#target = {kind: 'topic', channelId: server.people.channel(name, [this.#meg]), topic: 't'};
    this.#computers = ['desktop', 'laptop'].map((computer) => {
      const path = `${directory}/${name} ${computer}.db`;
      return {name: computer, path, ...this.#start(path, forever)};
    });
  }

  async step(): Promise<void> {
    const actions = [
      this.#write,
      this.#write,
      this.#rewrite,
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
      this.#phoneRewrites,
      this.#phoneRemoves,
      this.#breakSomething,
      this.#breakSomething,
      this.#restart,
      this.#loseQueues,
      this.#switchSync,
      ...(this.#trouble === 'deafness' ? [this.#flushBoth, this.#flushBoth, this.#flushBoth] : []),
    ];
    const action = this.#random.pick(actions);
    const computer = this.#random.pick(this.#computers);
    if (action === undefined || computer === undefined) return;
    await this.#guarded(computer, () => action.call(this, computer));
    // The phone must see what it replaces, so none of the clients' requests may be in flight.
    for (const each of this.#computers) {
      await this.#guarded(each, async () => {
        await each.client.drafts.idle();
        if (this.#trouble === 'kills') await this.#hear(each);
      });
    }
  }

  /** Checks that without faults no promised text is missing, none exists twice or altered, and all sides agree. */
  async end(): Promise<void> {
    await this.#settle();
    for (const computer of this.#computers) {
      computer.client.kill();
      Object.assign(computer, this.#start(computer.path, forever, false));
    }
    await this.#settle();
    const serverDrafts = await this.#serverDrafts();
    const {messages} = await this.#phone.get('/messages', {
      anchor: 'newest',
      num_before: 500,
      num_after: 0,
      narrow: [{operator: 'channel', operand: (this.#target as {channelId: number}).channelId}],
      apply_markdown: false,
    });
    const sent: string[] = messages.map(({content}: {content: string}) => content);
    const stores = this.#computers.map(({client}) => ({
      journal: client.drafts.all().map(({content}) => content),
      deleted: client.store.drafts.all().filter(({status}) => status === 'deleted'),
      outbox: client.store.outbox.all().map(({content}) => content),
    }));
    const server = contentsOf(serverDrafts);
    const {steps} = this;
    const description = JSON.stringify(
      {trouble: this.#trouble, seed: this.#seed, steps, server, stores, sent},
      null,
      1,
    );
    const found = [...server, ...sent, ...stores.flatMap(({journal, outbox}) => [...journal, ...outbox])];
    const existing = new Set(found.map((text) => text.trim()));
    const missing = this.#promises.filter(({texts}) => ![...texts].some((text) => existing.has(text.trim())));
    expect(
      missing.map(({texts}) => [...texts]),
      description,
    ).toEqual([]);
    expect(new Set(server).size, description).toBe(server.length);
    expect(new Set(sent).size, description).toBe(sent.length);
    expect(
      found.filter((text) => !this.#isUnaltered(text)),
      description,
    ).toEqual([]);
    for (const {journal, deleted, outbox} of stores) {
      // The server's copy of a draft stays while the message written in it is unconfirmed.
      expect(deleted.length, description).toBeLessThanOrEqual(outbox.length);
      const remaining = serverDrafts.filter(({id}) => !deleted.some(({serverId}) => serverId === id));
      expect(journal.map((text) => text.trim()).sort(), description).toEqual(contentsOf(remaining));
    }
  }

  /** Returns whether a text is one that was written, at most without what servers strip from drafts and messages. */
  #isUnaltered(text: string): boolean {
    return [...this.#written].some((each) => {
      return [each, each.trim(), each.trimEnd().replace(/^\n+/, '')].includes(text);
    });
  }

  /** Lets all clients hear everything and upload everything, without faults. */
  async #settle(): Promise<void> {
    if (!this.#isSynced) await this.#switchSync();
    for (let round = 0; round < 4; round++) {
      for (const computer of this.#computers) {
        await callTestHook(this.#server, 'clear-faults');
        await this.#guarded(computer, async () => {
          const {client} = computer;
          await this.#register(computer);
          await client.finishOutbox();
          await this.#flush(computer);
        });
      }
    }
  }

  #start(path: string, dieAt: number, isDead = true): Pick<Computer, 'client' | 'killSwitch'> {
    const killSwitch = new KillSwitch(dieAt);
    const seed = this.#seed * 1000 + this.#clientCount++;
    const client = new TestClient(this.#server, this.#meg, {path, isDead, wrap: killSwitch.wrap, seed});
    return {client, killSwitch};
  }

  /** Runs a task of a client that may be killed, and starts the client again if it was. */
  async #guarded(computer: Computer, task: () => Promise<void> | void): Promise<void> {
    const {killSwitch} = computer;
    try {
      await Promise.race([task(), killSwitch.death]);
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
    }
    if (killSwitch.isDead) this.#replaceClient(computer);
  }

  async #restart(computer: Computer): Promise<void> {
    this.steps.push(`${computer.name}: restart`);
    await this.#hear(computer);
    this.#replaceClient(computer);
  }

  #replaceClient(computer: Computer): void {
    computer.client.kill();
    const isImmortal = this.#trouble === 'deafness' || this.#random.below(3) === 0;
    Object.assign(computer, this.#start(computer.path, isImmortal ? forever : this.#random.below(60)));
  }

  #newText(who: string): string {
    const text = this.#random.pick(['', ' ', '\n    '])?.concat(`${who} ${this.#written.size}`) ?? '';
    const blanks = text + (this.#random.pick(['', ' ', '\n']) ?? '');
    this.#written.add(blanks);
    return blanks;
  }

  #write({name, client}: Computer): void {
    const text = this.#newText(name);
    this.steps.push(`write ${text}`);
    client.drafts.edit(undefined, {target: this.#target, content: text});
    this.#promise(text);
  }

  async #rewrite(computer: Computer): Promise<void> {
    await this.#advanceClock(computer);
    const draft = this.#pickDraft(computer);
    if (draft === undefined) return;
    const text = this.#newText(computer.name);
    this.steps.push(`${computer.name}: rewrite ${draft.content} as ${text}`);
    // If the client is killed here, either text may be stored.
    this.#replacePromise(draft.content, text);
    computer.client.drafts.edit(draft.id, {target: this.#target, content: text}, draft.content);
    this.#withdraw(draft.content);
    this.#promise(text);
  }

  #remove(computer: Computer): void {
    const draft = this.#pickDraft(computer);
    if (draft === undefined) return;
    this.steps.push(`${computer.name}: remove ${draft.content}`);
    this.#withdraw(draft.content);
    computer.client.drafts.remove(draft.id);
  }

  #send(computer: Computer): void {
    const draft = this.#pickDraft(computer);
    // With synchronization off, both computers have the same drafts.
    if (draft === undefined || draft.target.kind === 'none' || this.#sent.has(draft.content.trim())) return;
    this.steps.push(`${computer.name}: send ${draft.content}`);
    this.#sent.add(draft.content.trim());
    computer.client.outbox.send({conversation: draft.target, content: draft.content, draftId: draft.id});
  }

  #pickDraft({client}: Computer): LocalDraft | undefined {
    return this.#random.pick(client.drafts.all());
  }

  async #flush(computer: Computer): Promise<void> {
    this.steps.push(`${computer.name}: flush`);
    await this.#hear(computer);
    await computer.client.drafts.flush();
  }

  /** Both clients write at the same time, without hearing of each other. */
  async #flushBoth(): Promise<void> {
    this.steps.push('both flush');
    await Promise.all(this.#computers.map((each) => this.#guarded(each, () => each.client.drafts.flush())));
  }

  async #register(computer: Computer): Promise<void> {
    this.steps.push(`${computer.name}: register`);
    // Events that only the old queue has would be lost.
    if (computer.client.context.queueId() !== undefined) await this.#hear(computer);
    await computer.client.register();
    await computer.client.drafts.flush();
  }

  /** Applies the events, or registers if there is no queue. */
  async #hear({client}: Computer): Promise<void> {
    if (client.context.queueId() === undefined) await client.register();
    else await client.pollEvents();
  }

  async #phoneWrites(): Promise<void> {
    if (!this.#isSynced) return;
    const text = this.#newText('phone');
    this.steps.push(`phone writes ${text}`);
    await callTestHook(this.#server, 'clear-faults');
    await this.#phone.post('/drafts', {drafts: [this.#wire(text)]});
    this.#promise(text);
  }

  async #phoneRewrites(computer: Computer): Promise<void> {
    await this.#advanceClock(computer);
    const draft: WireDraft | undefined = this.#random.pick(await this.#serverDrafts());
    if (draft === undefined) return;
    const text = this.#newText('phone');
    this.steps.push(`phone rewrites ${draft.content} as ${text}`);
    await this.#phone.patch(`/drafts/${draft.id}`, {draft: this.#wire(text)});
    this.#withdraw(draft.content);
    this.#promise(text);
  }

  async #phoneRemoves(): Promise<void> {
    const draft: WireDraft | undefined = this.#random.pick(await this.#serverDrafts());
    if (draft === undefined) return;
    this.steps.push(`phone removes ${draft.content}`);
    await this.#phone.delete(`/drafts/${draft.id}`);
    this.#withdraw(draft.content);
  }

  /** Uploads with a fault; a method that is not used now meets a later request. */
  async #breakSomething(computer: Computer): Promise<void> {
    const kind = this.#random.pick(['drop_before', 'drop_after', 'truncate', 'html', 'rate_limit'] as const);
    const method = this.#random.pick(['POST', 'PATCH', 'DELETE', undefined] as const);
    this.steps.push(`${kind} ${method}`);
    await injectFault(this.#server, {path: '/drafts', kind, method});
    await this.#flush(computer);
  }

  /** The server deletes the event queues; the clients notice and register again. */
  async #loseQueues(): Promise<void> {
    this.steps.push('the queues are deleted');
    for (const computer of this.#computers) await this.#guarded(computer, () => this.#hear(computer));
    await callTestHook(this.#server, 'expire-queues', {user_id: this.#meg.id});
    for (const computer of this.#computers) {
      await this.#guarded(computer, () => computer.client.register().then(() => {}));
    }
  }

  /** Turns synchronization off or on. The server deletes its drafts then, so all clients must have them. */
  async #switchSync(): Promise<void> {
    this.steps.push(`synchronization ${this.#isSynced ? 'off' : 'on'}`);
    await callTestHook(this.#server, 'clear-faults');
    if (this.#isSynced) {
      for (const computer of this.#computers) {
        await this.#guarded(computer, () => this.#hear(computer));
        computer.client.kill();
        Object.assign(computer, this.#start(computer.path, forever));
        await this.#register(computer);
      }
    }
    this.#isSynced = !this.#isSynced;
    await this.#phone.patch('/settings', {enable_drafts_synchronization: this.#isSynced});
    for (const computer of this.#computers) await this.#guarded(computer, () => this.#hear(computer));
    if (this.#isSynced) await this.#flushBoth();
  }

  /** Returns the drafts as the phone sees them, without faults. */
  async #serverDrafts(): Promise<readonly WireDraft[]> {
    if (!this.#isSynced) return [];
    await callTestHook(this.#server, 'clear-faults');
    const {drafts} = await this.#phone.get('/drafts');
    return drafts;
  }

  #wire(content: string) {
    const {channelId} = this.#target as {channelId: number};
    const timestamp = this.#computers[0]?.client.clock.seconds() ?? 0;
    return {type: 'stream', to: [channelId], topic: 't', content, timestamp};
  }

  /** Advances the clock and lets due timers run. */
  async #advanceClock({client}: Computer): Promise<void> {
    client.clock.advance(this.#random.below(4) * 5000);
    await client.drafts.idle();
  }

  #promise(text: string): void {
    this.#promises.push({texts: new Set([text])});
  }

  /** Allows the new text in place of the old one. */
  #replacePromise(before: string, after: string): void {
    this.#promises = this.#promises.map((promise) =>
      hasText(promise, before) ? {texts: new Set([...promise.texts, after])} : promise,
    );
  }

  /** Withdraws a promise, because somebody who saw the text replaced it. */
  #withdraw(text: string): void {
    this.#promises = this.#promises.filter((promise) => !hasText(promise, text));
  }
}

/** Compares without the blanks that the server strips. */
function hasText({texts}: Promised, text: string): boolean {
  return [...texts].some((each) => each.trim() === text.trim());
}

function contentsOf(drafts: readonly WireDraft[]): string[] {
  return drafts.map(({content}) => content).sort();
}

/** The number of walks, and the seed of the first. */
const walkCount = Number(process.env.PARLEY_WALKS ?? 4);
const firstSeed = Number(process.env.PARLEY_FIRST_WALK ?? 1);

test.each(fewOf(['kills', 'deafness'] as const))(
  'drafts: two computers and a phone lose, double and alter no text, whatever random edits and faults happen (%s)',
  async (trouble) => {
    const server = await testServer({testHooks: true, rateLimited: false});
    const directory = scratchDirectory();
    for (let seed = firstSeed; seed < firstSeed + walkCount; seed++) {
      const walk = new Walk(server, seed, trouble, directory);
      for (let step = 0; step < 40; step++) await walk.step();
      await walk.end();
    }
  },
);
