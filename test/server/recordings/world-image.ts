import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Secrets} from '#server/accounts/secrets.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {startServer} from '#server/server.ts';
import {testPasswordCost} from '#test/support/server.ts';
import {type Credentials, sendRecorded} from './recorded-client.ts';
import type {RecordedWorld} from './recording.ts';
import {Symbols} from './symbols.ts';

/** A database with the users and bots of a recording, from which many servers can be started. */
interface WorldImage {
  readonly database: Uint8Array;
  readonly secrets: Secrets;
  readonly symbols: Symbols;
  /** By the name of the user. */
  readonly credentials: ReadonlyMap<string, Credentials>;
}

const images = new Map<string, Promise<WorldImage>>();

/**
 * Returns the image of a recording's world. It is created once for all recordings with the same users, because hashing
 * passwords takes longer than a recording.
 */
export function worldImage(world: RecordedWorld): Promise<WorldImage> {
  const key = JSON.stringify([world.users, world.bots]);
  const image = images.get(key) ?? createImage(world);
  images.set(key, image);
  return image;
}

async function createImage(world: RecordedWorld): Promise<WorldImage> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
  try {
    const database = join(directory, 'world.db');
    const secrets = Secrets.generate();
    const server = await startServer({
      database,
      secrets,
      passwordCost: testPasswordCost,
      rateLimited: false,
      prepare: (context) => seedWorld(context, {world: 'empty', size: 'small'}, () => {}),
    });
    const builder = new WorldBuilder(server.url);
    const owner = server.context.db.get<{id: number; delivery_email: string; key_generation: number}>(
      'SELECT id, delivery_email, key_generation FROM user WHERE role = ?',
      Role.owner,
    );
    if (owner === undefined) throw new Error('The new organization has no owner.');
    builder.addPerson('owner', owner.id, [owner.delivery_email, secrets.apiKey(owner)]);
    await builder.addPeople(world);
    await builder.nameExisting();
    await server.close();
    return {database: readFileSync(database), secrets, symbols: builder.symbols, credentials: builder.credentials};
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Body = Record<string, any>;

class WorldBuilder {
  readonly symbols = new Symbols();
  readonly credentials = new Map<string, Credentials>([['anon', undefined]]);
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  addPerson(name: string, id: number, credentials: readonly [email: string, key: string]): void {
    this.symbols.bind(`u.${name}`, id);
    this.credentials.set(name, credentials);
    this.symbols.set(`e.${name}`, credentials[0]);
    this.symbols.set(`k.${name}`, credentials[1]);
  }

  async addPeople({users, bots}: RecordedWorld): Promise<void> {
    for (const {name, email, password, full_name, role} of users) {
      const {user_id} = await this.#call('owner', 'POST', '/users', {email, password, full_name});
      const login = await this.#call('anon', 'POST', '/fetch_api_key', {username: email, password});
      this.addPerson(name, user_id, [login.email, login.api_key]);
      if (role !== 400) await this.#call('owner', 'PATCH', `/users/${user_id}`, {role: String(role)});
    }
    for (const {name, owner, full_name, short_name, bot_type} of bots) {
      const params = {full_name, short_name, bot_type: String(bot_type)};
      const {user_id, api_key} = await this.#call(owner, 'POST', '/bots', params);
      const {user} = await this.#call('owner', 'GET', `/users/${user_id}`);
      this.addPerson(name, user_id, [user.delivery_email ?? user.email, api_key]);
      this.symbols.set(`e.${name}`, user.email);
    }
  }

  /** Binds the symbols of what every organization has, and of ids that do not exist. */
  async nameExisting(): Promise<void> {
    for (const kind of ['c', 'u', 'g']) this.symbols.set(`${kind}.none`, 99_999_999);
    this.symbols.set('m.none', 999_999_999);
    for (const {id, name} of (await this.#call('owner', 'GET', '/user_groups')).user_groups) {
      this.symbols.bind(`g.${name.replace('role:', '').replaceAll(/[^\w-]/g, '-')}`, id);
    }
    const {stream_id} = await this.#call('owner', 'GET', '/get_stream_id', {stream: 'general'});
    this.symbols.bind('c.general', stream_id);
    const params = {fetch_event_types: '["realm_user","realm"]', event_types: '["alert_words"]'};
    const state = await this.#call('owner', 'POST', '/register', params);
    this.symbols.set('x.emptytopic', state.realm_empty_topic_display_name);
    for (const {user_id, full_name} of state.cross_realm_bots) {
      const [, role = 'email'] = /(notif|welcome)/i.exec(full_name) ?? [];
      this.symbols.bind(`u.${role.toLowerCase()}`, user_id);
    }
  }

  async #call(who: string, method: string, path: string, params: Readonly<Record<string, string>> = {}): Promise<Body> {
    const sent = {method, path: `/api/v1${path}`, params};
    const {status, body} = await sendRecorded(this.#url, this.credentials.get(who), sent);
    if (status !== 200) throw new Error(`${who} ${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body as Body;
  }
}
