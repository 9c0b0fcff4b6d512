import type {ServerContext} from '#server/context.ts';

export interface OracleChannel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isArchived: boolean;
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
  readonly text: string;
  /** The text with the submessages. */
  readonly content: string;
  /** The reactions as one text. */
  readonly reactions: string;
  /** The number of votes and other submessages. */
  readonly votes: number;
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
  /** Pairs `user:channel`. */
  readonly subscribed: ReadonlySet<string>;
  /** Pairs `user:dm`. */
  readonly inDm: ReadonlySet<string>;
  /** Pairs `group:user`. */
  readonly members: ReadonlySet<string>;
  /** The groups in each group. */
  readonly subgroups: ReadonlyMap<number, readonly number[]>;
  readonly systemGroups: ReadonlyMap<number, string>;
  readonly limitsUsers: boolean;
  readonly systemBots: ReadonlySet<number>;
}

type Row = Record<string, number | string | null>;

function readState({db}: ServerContext): OracleState {
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
    isArchived: row.is_archived === 1,
    sharesHistory: row.history_public_to_subscribers === 1,
    permissions: JSON.parse(String(row.permissions)),
  }));
  const messages = all(
    `SELECT *, (SELECT group_concat(content) FROM submessage WHERE message_id = message.id) AS widget,
       (SELECT count(*) FROM submessage WHERE message_id = message.id) AS votes,
       (SELECT group_concat(user_id || emoji_name) FROM reaction WHERE message_id = message.id) AS reactions
     FROM message`,
  ).map((row) => ({
    id: Number(row.id),
    sender: Number(row.sender_id),
    channel: row.channel_id === null ? null : Number(row.channel_id),
    dm: row.dm_id === null ? null : Number(row.dm_id),
    topic: String(row.topic),
    text: String(row.content),
    content: `${row.content} ${row.widget ?? ''}`,
    reactions: String(row.reactions ?? ''),
    votes: Number(row.votes),
  }));
  const pairs = (sql: string) => new Set(all(sql).map((row) => `${row.a}:${row.b}`));
  const limit = all(`SELECT value FROM realm_setting WHERE name = 'can_access_all_users_group'`)[0]?.value;
  const systemGroups = new Map(
    all('SELECT id, name FROM user_group WHERE is_system = 1').map((row) => [Number(row.id), String(row.name)]),
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
    subgroups: new Map(
      all('SELECT group_id, json_group_array(subgroup_id) AS ids FROM group_subgroup GROUP BY group_id').map((row) => [
        Number(row.group_id),
        JSON.parse(String(row.ids)),
      ]),
    ),
    systemGroups,
    limitsUsers: limit !== undefined && systemGroups.get(Number(limit)) !== 'role:everyone',
    systemBots: new Set(all('SELECT id FROM user WHERE is_system_bot = 1').map((row) => Number(row.id))),
  };
}

function byId<T extends {readonly id: number}>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** The tokens in all texts: each is one secret that can be searched for in responses and events. */
const tokenPattern = /x(con|top|cha|nam|ema|pri)(\d+)x/gi;

export function tokensIn(text: string): string[] {
  return [...text.matchAll(tokenPattern)].map((match) => match[0].toLowerCase());
}

/**
 * Decides which users may see which data, from the API documentation alone. It reads rows (subscriptions, messages) from
 * the tables but uses none of the server's rules, and records who was subscribed when a message arrived.
 */
export class VisibilityOracle {
  readonly #server: ServerContext;
  before: OracleState;
  now: OracleState;
  /**
   * Messages, as `message:channel`, that moved to a channel with shared history: all readers may have received them.
   */
  readonly #movedWithSharedHistory = new Set<string>();
  /** The subscribers of the channel when the message arrived there, by `message:channel`. */
  readonly #subscribersAtArrival = new Map<string, ReadonlySet<number>>();
  /** The tokens (topics, names) that a user was once allowed to see, as `user:token`. */
  readonly #known = new Set<string>();
  /** The messages that contain a token, now or before an edit. */
  readonly #messagesByToken = new Map<string, Set<number>>();

  /** All messages and channels that a topic ever had, as `message:channel` by token. */
  readonly #topicLocations = new Map<string, Set<string>>();

  constructor(server: ServerContext) {
    this.#server = server;
    this.now = readState(server);
    this.before = this.now;
    this.observe();
  }

  /** Reads the state again; called after each action. */
  observe(): void {
    this.before = this.now;
    this.now = readState(this.#server);
    for (const message of this.now.messages.values()) this.#record(message);
    for (const user of this.now.users.keys()) this.#grantVisible(user);
  }

  grant(user: number, text: string): void {
    for (const token of tokensIn(text)) this.#known.add(`${user}:${token}`);
  }

  #record(message: OracleMessage): void {
    for (const token of tokensIn(message.content)) {
      const messageIds = this.#messagesByToken.get(token) ?? new Set();
      this.#messagesByToken.set(token, messageIds.add(message.id));
    }
    for (const token of tokensIn(message.topic)) {
      const locations = this.#topicLocations.get(token) ?? new Set();
      this.#topicLocations.set(token, locations.add(`${message.id}:${message.channel}`));
    }
    if (this.before.messages.get(message.id)?.channel === message.channel) return;
    const people = new Set<number>();
    for (const pair of this.now.subscribed) {
      const [user, channel] = pair.split(':').map(Number);
      if (user !== undefined && channel === message.channel) people.add(user);
    }
    const key = `${message.id}:${message.channel}`;
    this.#subscribersAtArrival.set(key, people);
    const isOpen = this.now.channels.get(message.channel ?? 0)?.sharesHistory === true;
    if (isOpen && this.before.messages.has(message.id)) this.#movedWithSharedHistory.add(key);
    else this.#movedWithSharedHistory.delete(key);
  }

  #grantVisible(user: number): void {
    // A bot may post where its owner may, so it may see the names of these channels.
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

  #isInGroup(state: OracleState, user: OracleUser, value: GroupValue | undefined): boolean {
    if (value === undefined) return false;
    if (typeof value !== 'number') {
      return (
        value.direct_members.includes(user.id) || value.direct_subgroups.some((id) => this.#isInGroup(state, user, id))
      );
    }
    const name = state.systemGroups.get(value);
    if (name === undefined) {
      const nested = state.subgroups.get(value) ?? [];
      return state.members.has(`${value}:${user.id}`) || nested.some((id) => this.#isInGroup(state, user, id));
    }
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

  seesChannel(state: OracleState, userId: number, channelId: number): boolean {
    const [user, channel] = [state.users.get(userId), state.channels.get(channelId)];
    if (user === undefined || channel === undefined) return false;
    if (this.readsChannel(state, userId, channelId)) return true;
    if (user.role >= 600) return false;
    return user.role <= 200 || this.administers(state, userId, channelId);
  }

  /** Returns whether the channel's own permission lets the user change it. */
  administers(state: OracleState, userId: number, channelId: number): boolean {
    const [user, channel] = [state.users.get(userId), state.channels.get(channelId)];
    if (user === undefined || channel === undefined || user.role >= 600) return false;
    return this.#isInGroup(state, user, channel.permissions.can_administer_channel_group);
  }

  /** Returns whether the user gets events about the message in any case: it is direct, or they are subscribed and read it. */
  hears(state: OracleState, userId: number, messageId: number): boolean {
    const channel = state.messages.get(messageId)?.channel ?? null;
    if (channel !== null && !state.subscribed.has(`${userId}:${channel}`)) return false;
    return this.mustRead(state, userId, messageId);
  }

  readsChannel(state: OracleState, userId: number, channelId: number): boolean {
    const [user, channel] = [state.users.get(userId), state.channels.get(channelId)];
    if (user === undefined || channel === undefined) return false;
    const isGuest = user.role >= 600;
    if (channel.isWebPublic || (!channel.isPrivate && !isGuest)) return true;
    if (state.subscribed.has(`${userId}:${channelId}`)) return true;
    if (isGuest) return false;
    const {can_add_subscribers_group, can_subscribe_group} = channel.permissions;
    return this.#isInGroup(state, user, can_add_subscribers_group) || this.#isInGroup(state, user, can_subscribe_group);
  }

  reads(state: OracleState, userId: number, messageId: number): boolean {
    const message = state.messages.get(messageId);
    if (message === undefined) return false;
    if (message.channel === null) return state.inDm.has(`${userId}:${message.dm}`);
    return this.#readsIn(state, userId, messageId, message.channel);
  }

  /** Returns whether the user may read the message in this channel, where it is or was. */
  #readsIn(state: OracleState, userId: number, messageId: number, channelId: number): boolean {
    if (!this.readsChannel(state, userId, channelId)) return false;
    if (state.channels.get(channelId)?.sharesHistory) return true;
    const key = `${messageId}:${channelId}`;
    return (
      state.subscribed.has(`${userId}:${channelId}`) &&
      (this.#subscribersAtArrival.get(key)?.has(userId) === true || this.#movedWithSharedHistory.has(key))
    );
  }

  /** Returns whether the server must return the message, as opposed to may. */
  mustRead(state: OracleState, userId: number, messageId: number): boolean {
    const message = state.messages.get(messageId);
    if (message === undefined || !this.reads(state, userId, messageId)) return false;
    const isOpen = state.channels.get(message.channel ?? 0)?.sharesHistory !== false;
    return isOpen || !this.#movedWithSharedHistory.has(`${messageId}:${message.channel}`);
  }

  /** Limited users see bots and users who share a conversation with them. */
  knowsUser(state: OracleState, userId: number, otherId: number): boolean {
    const [user, other] = [state.users.get(userId), state.users.get(otherId)];
    if (user === undefined || other === undefined) return false;
    if (!state.limitsUsers || user.role <= 400 || userId === otherId || other.isBot) return true;
    return [state.subscribed, state.inDm].some((pairs) =>
      [...pairs].some((pair) => pair.startsWith(`${userId}:`) && pairs.has(`${otherId}:${pair.split(':')[1]}`)),
    );
  }

  seesEmail(state: OracleState, userId: number, otherId: number): boolean {
    const [user, other] = [state.users.get(userId), state.users.get(otherId)];
    if (user === undefined || other === undefined) return false;
    if (userId === otherId || other.isBot) return true;
    const highest: Record<number, number> = {1: 600, 2: 400, 3: 200, 4: 0, 5: 300};
    return user.role <= (highest[other.emailVisibility] ?? 0);
  }

  /** Returns whether the user may see the token in one of these states. */
  mayKnow(user: number, token: string, moments: readonly OracleState[]): boolean {
    if (this.#known.has(`${user}:${token}`)) return true;
    switch (token.slice(1, 4)) {
      case 'con':
        return [...(this.#messagesByToken.get(token) ?? [])].some((id) =>
          moments.some((state) => this.reads(state, user, id)),
        );
      // A message's history has its former topics, for users who could have read it there.
      case 'top':
        return [...(this.#topicLocations.get(token) ?? [])].some((location) => {
          const [id = 0, channel = 0] = location.split(':').map(Number);
          return moments.some((state) => this.reads(state, user, id) && this.#readsIn(state, user, id, channel));
        });
      case 'ema':
        return moments.some((state) =>
          [...state.users.values()].some(
            (other) =>
              other.email.includes(token) &&
              this.seesEmail(state, user, other.id) &&
              this.knowsUser(state, user, other.id),
          ),
        );
      default:
        return false;
    }
  }
}
