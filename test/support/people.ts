import type {ServerContext} from '#server/context.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {fold} from '#server/db/rows.ts';
import {Role} from '#server/organization/permission-rules.ts';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly apiKey: string;
}

/** Inserts people and channels directly into a test server's database. */
export class People {
  readonly #server: ServerContext;

  constructor(server: ServerContext) {
    this.#server = server;
  }

  owner = (name = 'Olive Owner') => this.add(name, {role: Role.owner});
  admin = (name = 'Ada Admin') => this.add(name, {role: Role.admin});
  moderator = (name = 'Mo Moderator') => this.add(name, {role: Role.moderator});
  member = (name = 'Meg Member') => this.add(name, {role: Role.member});
  guest = (name = 'Gus Guest') => this.add(name, {role: Role.guest});
  bot = (name: string, owner: Person) => this.add(name, {role: Role.member, botOwner: owner.id});

  add(
    fullName: string,
    options: {role?: number; email?: string; active?: boolean; botOwner?: number; settings?: object} = {},
  ): Person {
    const {db, secrets} = this.#server;
    const email = options.email ?? `${fold(fullName).replaceAll(/[^a-z0-9]+/g, '.')}@example.com`;
    const id = db.insert(
      `INSERT INTO user (delivery_email, email_key, full_name, name_key, role, is_active, is_bot, bot_type, bot_owner_id,
         settings, joined_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      email,
      fold(email),
      fullName,
      fold(fullName),
      options.role ?? Role.member,
      options.active === false ? 0 : 1,
      options.botOwner === undefined ? 0 : 1,
      options.botOwner === undefined ? null : 1,
      options.botOwner ?? null,
      JSON.stringify(options.settings ?? {}),
      Math.floor(this.#server.clock.now() / 1000) - 86_400 * 30,
    );
    return {id, email, fullName, apiKey: secrets.apiKey({id, key_generation: 0})};
  }

  /** Creates a channel with these subscribers. Columns may be overridden; `permissions` is an object. */
  channel(
    name: string,
    subscribers: readonly Person[],
    options: {
      invite_only?: number;
      is_web_public?: number;
      history_public_to_subscribers?: number;
      is_archived?: number;
      topics_policy?: string;
      permissions?: object;
      creator?: Person;
    } = {},
  ): number {
    const {db, clock} = this.#server;
    const id = db.insert(
      `INSERT INTO channel (name, name_key, created_at, creator_id, invite_only, is_web_public,
         history_public_to_subscribers, is_archived, topics_policy, permissions)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      name,
      fold(name),
      Math.floor(clock.now() / 1000) - 86_400 * 20,
      options.creator?.id ?? null,
      options.invite_only ?? 0,
      options.is_web_public ?? 0,
      options.history_public_to_subscribers ?? 1,
      options.is_archived ?? 0,
      options.topics_policy ?? 'inherit',
      JSON.stringify(options.permissions ?? {}),
    );
    for (const person of subscribers) this.subscribe(person, id);
    return id;
  }

  subscribe(person: Person, channelId: number): void {
    const {db, derivedFacts} = this.#server;
    const since = nextMessageId(db);
    db.run(
      'INSERT INTO subscription (user_id, channel_id, unread_since) VALUES (?, ?, ?)',
      person.id,
      channelId,
      since,
    );
    db.run(
      'INSERT INTO subscription_period (user_id, channel_id, since_id) VALUES (?, ?, ?)',
      person.id,
      channelId,
      since,
    );
    db.run('UPDATE channel SET subscriber_count = subscriber_count + 1 WHERE id = ?', channelId);
    derivedFacts.invalidateAll();
  }

  /** Overrides an organization setting. */
  setting(name: string, value: unknown): void {
    const {db, derivedFacts} = this.#server;
    db.run('INSERT OR REPLACE INTO realm_setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
    derivedFacts.invalidateAll();
  }
}
