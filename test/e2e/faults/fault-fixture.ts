import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Conversation} from '#state/model/conversation.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  topicNarrow,
} from '#state/model/narrow.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {ServeProcess} from '#test/support/serve-process.ts';
import type {FastClockOptions} from './fast-clock.ts';
import {FaultClient} from './fault-client.ts';

interface ClientSetup {
  readonly site?: string;
  readonly directory?: string;
  /** Meg by default. */
  readonly person?: Person;
  readonly clock?: FastClockOptions;
}

/** A real server with two users in a channel. One of them uses Parley, the other writes to her. */
export class FaultFixture {
  readonly server: ServeProcess;
  readonly meg: Person;
  readonly otto: Person;
  readonly channelId: number;
  readonly topic = 'Talk';
  #seeds = 0;

  private constructor(server: ServeProcess, meg: Person, otto: Person, channelId: number) {
    this.server = server;
    this.meg = meg;
    this.otto = otto;
    this.channelId = channelId;
  }

  /** The caller must close it. */
  static async open(level: number): Promise<FaultFixture> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
    // The clients' clocks are fast, and the tests of a file share a server.
    const server = await ServeProcess.start({directory, level, rateLimited: false});
    const fixture = await FaultFixture.#on(server, ['Meg Member', 'Otto Other']);
    fixture.close = async () => {
      await server.kill();
      rmSync(directory, {recursive: true, force: true});
    };
    return fixture;
  }

  static async #on(server: ServeProcess, names: readonly [string, string]): Promise<FaultFixture> {
    const [meg, otto] = [await server.person(names[0]), await server.person(names[1])];
    return new FaultFixture(server, meg, otto, await server.channel(`Talk of ${names.join(' and ')}`, [meg, otto]));
  }

  close: () => Promise<void> = async () => {};

  /** Creates two other users on the same server, with a channel of their own. */
  otherPair(): Promise<FaultFixture> {
    return FaultFixture.#on(this.server, ['Mia Member', 'Olaf Other']);
  }

  get level(): number {
    return this.server.level;
  }

  get talk(): Conversation {
    return {kind: 'topic', channelId: this.channelId, topic: this.topic};
  }

  get private(): Conversation {
    return {kind: 'direct', userIds: [this.otto.id]};
  }

  /** Posts a message as Otto in the channel; returns its id. */
  async postMessage(content: string, topic = this.topic): Promise<number> {
    const args = {type: 'stream', to: this.channelId, topic, content};
    return (await this.server.as(this.otto).post('/messages', args)).id;
  }

  /** Sends a direct message from Otto to Meg; returns its id. */
  async sendDirect(content: string): Promise<number> {
    const args = {type: 'private', to: [this.meg.id], content};
    return (await this.server.as(this.otto).post('/messages', args)).id;
  }

  /** Returns Meg's client, not started. */
  client(options: ClientSetup = {}): FaultClient {
    const {site = this.server.url, directory = scratchDirectory(), person = this.meg, clock = {}} = options;
    const isImpatient = site !== this.server.url;
    return new FaultClient({person, site, directory, seed: ++this.#seeds, isImpatient, clock});
  }

  /** Returns a started client with views of all kinds open. */
  async watchingClient(options: ClientSetup = {}): Promise<FaultClient> {
    const client = await this.client(options).start();
    for (const narrow of this.narrows()) await client.open(narrow, 'newest');
    return client;
  }

  narrows(): readonly Narrow[] {
    return [
      everythingNarrow,
      channelNarrow(this.channelId),
      topicNarrow(this.channelId, this.topic),
      directNarrow([this.otto.id]),
      narrowIs('starred'),
      narrowIs('mentioned'),
      [{operator: 'search', operand: 'teapot'}],
    ];
  }
}
