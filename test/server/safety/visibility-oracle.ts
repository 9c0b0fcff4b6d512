import type {ServerContext} from '#server/context.ts';

/**
 * Who may see what, decided from the contract alone. Takes raw facts (who is subscribed where, where a message is) from the
 * tables, but none of the server's rules, and remembers what the tables do not: who was there when a message arrived.
 */
export interface OracleChannel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly sharesHistory: boolean;
  readonly permissions: Readonly<Record<string, GroupValue>>;
}

type GroupValue = number | {direct_members: number[]; direct_subgroups: number[]};

export interface OracleMessage {
  readonly id: number;
  readonly sender: number;
  readonly channel: number | null;
  readonly dm: number | null;
  readonly topic: string;
  readonly content: string;
}

interface OracleUser {
  readonly id: number;
  readonly role: number;
  readonly isActive: boolean;
  readonly isBot: boolean;
  readonly emailVisibility: number;
  readonly email: string;
  readonly name: string;
  readonly owner: number | null;
}

export interface OracleState {
  readonly users: ReadonlyMap<number, OracleUser>;
  readonly channels: ReadonlyMap<number, OracleChannel>;
  readonly messages: ReadonlyMap<number, OracleMessage>;
  /** `user:channel` */
  readonly subscribed: ReadonlySet<string>;
  /** `user:dm` */
  readonly inDm: ReadonlySet<string>;
  /** `group:user` */
  readonly members: ReadonlySet<string>;
  readonly systemGroups: ReadonlyMap<number, string>;
  readonly limitsUsers: boolean;
  readonly systemBots: ReadonlySet<number>;
}

type Row = Record<string, number | string | null>;

function readFacts({db}: ServerContext): OracleState {
  const all = (sql: string) => db.all<Row>(sql);
  const users = all('SELECT * FROM user').map((row) => ({
    id: Number(row.id),
    role: Number(row.role),
    isActive: row.is_active === 1,
    isBot: row.is_bot === 1,
    emailVisibility: JSON.parse(String(row.settings)).email_address_visibility ?? 1,
    email: String(row.delivery_email),
    name: String(row.full_name),
    owner: row.bot_owner_id === null ? null : Number(row.bot_owner_id),
  }));
  const channels = all('SELECT * FROM channel').map((row) => ({
    id: Number(row.id),
    name: String(row.name),
    description: String(row.description),
    isPrivate: row.invite_only === 1,
    isWebPublic: row.is_web_public === 1,
    sharesHistory: row.history_public_to_subscribers === 1,
    permissions: JSON.parse(String(row.permissions)),
  }));
  const messages = all(
    'SELECT *, (SELECT group_concat(content) FROM submessage WHERE message_id = message.id) AS widget FROM message',
  ).map((row) => ({
    id: Number(row.id),
    sender: Number(row.sender_id),
    channel: row.channel_id === null ? null : Number(row.channel_id),
    dm: row.dm_id === null ? null : Number(row.dm_id),
    topic: String(row.topic),
    content: `${row.content} ${row.widget ?? ''}`,
  }));
  const pairs = (sql: string) => new Set(all(sql).map((row) => `${row.a}:${row.b}`));
  const limit = all(`SELECT value FROM realm_setting WHERE name = 'can_access_all_users_group'`)[0]?.value;
  const systemGroups = new Map(
    all('SELECT id, name FROM user_group WHERE is_system = 1').map((row) => [
      Number(row.id),
      String(row.name),
    ]),
  );
  return {
    users: byId(users),
    channels: byId(channels),
    messages: byId(messages),
    subscribed: pairs('SELECT user_id AS a, channel_id AS b FROM subscription WHERE active = 1'),
    inDm: pairs('SELECT user_id AS a, dm_id AS b FROM dm_member'),
    members: pairs(
      `SELECT group_id AS a, user_id AS b FROM group_member JOIN user_group AS g ON g.id = group_id
       WHERE g.deactivated = 0`,
    ),
    systemGroups,
    limitsUsers: limit !== undefined && systemGroups.get(Number(limit)) !== 'role:everyone',
    systemBots: new Set(all('SELECT id FROM user WHERE is_system_bot = 1').map((row) => Number(row.id))),
  };
}

function byId<T extends {readonly id: number}>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** What texts are made of: each stands for one secret, and can be found wherever it turns up. */
export const tokenPattern = /x(con|top|cha|nam|ema|pri)(\d+)x/gi;

export function tokensIn(text: string): string[] {
  return [...text.matchAll(tokenPattern)].map((match) => match[0].toLowerCase());
}

export class VisibilityOracle {
  readonly #world: ServerContext;
  before: OracleState;
  now: OracleState;
  /** Messages that came from elsewhere while all was open to read: whether they count as received is nobody's secret. */
  readonly #cameOpenly = new Set<string>();
  /** Who was subscribed to the channel when the message came there. By `message:channel`. */
  readonly #arrived = new Map<string, ReadonlySet<number>>();
  /** Topics, channel names and people's names that somebody was once allowed to know. `user:token` */
  readonly #known = new Set<string>();
  /** Messages that held a text, now or before an edit. */
  readonly #holders = new Map<string, Set<number>>();

  /** Under which topics messages were ever filed, and in which channel: `message:channel` by topic. */
  readonly #filed = new Map<string, Set<string>>();

  constructor(world: ServerContext) {
    this.#world = world;
    this.now = readFacts(world);
    this.before = this.now;
    this.observe();
  }

  /** After each action: takes the facts anew. */
  observe(): void {
    this.before = this.now;
    this.now = readFacts(this.#world);
    for (const message of this.now.messages.values()) this.#note(message);
    for (const user of this.now.users.keys()) this.#learn(user);
  }

  grant(user: number, text: string): void {
    for (const token of tokensIn(text)) this.#known.add(`${user}:${token}`);
  }

  #note(message: OracleMessage): void {
    for (const token of tokensIn(message.content)) {
      const holders = this.#holders.get(token) ?? new Set();
      this.#holders.set(token, holders.add(message.id));
    }
    for (const token of tokensIn(message.topic)) {
      const places = this.#filed.get(token) ?? new Set();
      this.#filed.set(token, places.add(`${message.id}:${message.channel}`));
    }
    if (this.before.messages.get(message.id)?.channel === message.channel) return;
    const people = new Set<number>();
    for (const pair of this.now.subscribed) {
      const [user, channel] = pair.split(':').map(Number);
      if (user !== undefined && channel === message.channel) people.add(user);
    }
    const key = `${message.id}:${message.channel}`;
    this.#arrived.set(key, people);
    const isOpen = this.now.channels.get(message.channel ?? 0)?.sharesHistory === true;
    if (isOpen && this.before.messages.has(message.id)) this.#cameOpenly.add(key);
    else this.#cameOpenly.delete(key);
  }

  #learn(user: number): void {
    // A bot may write where its owner may, and so is told what the place is called.
    const owner = this.now.users.get(user)?.owner ?? user;
    for (const channel of this.now.channels.values()) {
      if (![user, owner].some((id) => this.seesChannel(this.now, id, channel.id))) continue;
      this.grant(user, channel.name);
      this.grant(user, channel.description);
    }
    for (const message of this.now.messages.values()) {
      if (this.reads(this.now, user, message.id)) this.grant(user, message.topic);
    }
    for (const other of this.now.users.values()) {
      if (this.knowsUser(this.now, user, other.id)) this.grant(user, other.name);
    }
  }

  #holds(facts: OracleState, user: OracleUser, value: GroupValue | undefined): boolean {
    if (value === undefined) return false;
    if (typeof value !== 'number') {
      return (
        value.direct_members.includes(user.id) ||
        value.direct_subgroups.some((id) => this.#holds(facts, user, id))
      );
    }
    const name = facts.systemGroups.get(value);
    if (name === undefined) return facts.members.has(`${value}:${user.id}`);
    const highest: Record<string, number> = {
      'role:everyone': 600,
      'role:internet': 600,
      'role:members': 400,
      'role:fullmembers': 400,
      'role:moderators': 300,
      'role:administrators': 200,
      'role:owners': 100,
    };
    return user.role <= (highest[name] ?? 0);
  }

  seesChannel(facts: OracleState, userId: number, channelId: number): boolean {
    const [user, channel] = [facts.users.get(userId), facts.channels.get(channelId)];
    if (user === undefined || channel === undefined) return false;
    if (this.readsChannel(facts, userId, channelId)) return true;
    if (user.role >= 600) return false;
    return user.role <= 200 || this.#holds(facts, user, channel.permissions.can_administer_channel_group);
  }

  readsChannel(facts: OracleState, userId: number, channelId: number): boolean {
    const [user, channel] = [facts.users.get(userId), facts.channels.get(channelId)];
    if (user === undefined || channel === undefined) return false;
    const isGuest = user.role >= 600;
    if (channel.isWebPublic || (!channel.isPrivate && !isGuest)) return true;
    if (facts.subscribed.has(`${userId}:${channelId}`)) return true;
    if (isGuest) return false;
    const {can_add_subscribers_group, can_subscribe_group} = channel.permissions;
    return (
      this.#holds(facts, user, can_add_subscribers_group) || this.#holds(facts, user, can_subscribe_group)
    );
  }

  reads(facts: OracleState, userId: number, messageId: number): boolean {
    const message = facts.messages.get(messageId);
    if (message === undefined) return false;
    if (message.channel === null) return facts.inDm.has(`${userId}:${message.dm}`);
    return this.#readsIn(facts, userId, messageId, message.channel);
  }

  /** Whether the person may read the message where it is or was. */
  #readsIn(facts: OracleState, userId: number, messageId: number, channelId: number): boolean {
    if (!this.readsChannel(facts, userId, channelId)) return false;
    if (facts.channels.get(channelId)?.sharesHistory) return true;
    const key = `${messageId}:${channelId}`;
    return (
      facts.subscribed.has(`${userId}:${channelId}`) &&
      (this.#arrived.get(key)?.has(userId) === true || this.#cameOpenly.has(key))
    );
  }

  /** Whether reading it is a right rather than merely no harm. */
  mustRead(facts: OracleState, userId: number, messageId: number): boolean {
    const message = facts.messages.get(messageId);
    if (message === undefined || !this.reads(facts, userId, messageId)) return false;
    const isOpen = facts.channels.get(message.channel ?? 0)?.sharesHistory !== false;
    return isOpen || !this.#cameOpenly.has(`${messageId}:${message.channel}`);
  }

  /** Those who are limited know bots and whoever they share a conversation with. */
  knowsUser(facts: OracleState, userId: number, otherId: number): boolean {
    const [user, other] = [facts.users.get(userId), facts.users.get(otherId)];
    if (user === undefined || other === undefined) return false;
    if (!facts.limitsUsers || user.role <= 400 || userId === otherId || other.isBot) return true;
    return [facts.subscribed, facts.inDm].some((pairs) =>
      [...pairs].some(
        (pair) => pair.startsWith(`${userId}:`) && pairs.has(`${otherId}:${pair.split(':')[1]}`),
      ),
    );
  }

  seesEmail(facts: OracleState, userId: number, otherId: number): boolean {
    const [user, other] = [facts.users.get(userId), facts.users.get(otherId)];
    if (user === undefined || other === undefined) return false;
    if (userId === otherId || other.isBot) return true;
    const highest: Record<number, number> = {1: 600, 2: 400, 3: 200, 4: 0, 5: 300};
    return user.role <= (highest[other.emailVisibility] ?? 0);
  }

  /** Whether somebody may come upon this secret, at one of these moments. */
  mayKnow(user: number, token: string, moments: readonly OracleState[]): boolean {
    if (this.#known.has(`${user}:${token}`)) return true;
    switch (token.slice(1, 4)) {
      case 'con':
        return [...(this.#holders.get(token) ?? [])].some((id) =>
          moments.some((facts) => this.reads(facts, user, id)),
        );
      // A message's history tells what it was filed under, to those who could have read it there.
      case 'top':
        return [...(this.#filed.get(token) ?? [])].some((place) => {
          const [id = 0, channel = 0] = place.split(':').map(Number);
          return moments.some(
            (facts) => this.reads(facts, user, id) && this.#readsIn(facts, user, id, channel),
          );
        });
      case 'ema':
        return moments.some((facts) =>
          [...facts.users.values()].some(
            (other) =>
              other.email.includes(token) &&
              this.seesEmail(facts, user, other.id) &&
              this.knowsUser(facts, user, other.id),
          ),
        );
      default:
        return false;
    }
  }
}
