import type {Database} from '#server/db/database.ts';
import {Flag, type MessageRow} from '#server/db/rows.ts';
import {isUnreadByRule} from '#server/db/unread-messages.ts';
import type {ExportContext} from './export-context.ts';

/** A time during which a user received the messages of a channel, with the user's subscription. */
interface Receiver {
  readonly user_id: number;
  readonly active: number;
  readonly unread_since: number;
  readonly since_id: number;
  readonly until_id: number | null;
}

/** The numbers of a receiver in a list; the last one is infinite while the user is subscribed. */
const stride = 5;
/** Numbers in memory at once: some 80 megabytes. */
const maxCached = 10_000_000;

/** The bit of a direct message, and of others that differ from ours. */
const direct = 1 << 11;
/** The bits from starred to topic wildcard are the same. */
const sameBits = 62;

/** Returns the bits of a user's flags on Zulip's servers. */
function exportedFlags(flags: number): number {
  const isRead = (flags & Flag.unread) === 0 ? 1 : 0;
  const alertWord = (flags & Flag.alertWord) === 0 ? 0 : 1 << 9;
  const historical = (flags & Flag.historical) === 0 ? 0 : 1 << 10;
  return isRead | (flags & sameBits) | alertWord | historical;
}

/** Who received which message, with their flags: rows that this server does not store for every receiver. */
export class ReceivedMessages {
  readonly #db: Database;
  readonly #context: ExportContext;
  /** The receivers by channel, packed: there may be millions. */
  readonly #channels = new Map<number, Float64Array>();
  #cached = 0;
  /** The channels in which people may read only what they received. */
  readonly #protectedIds: ReadonlySet<number>;
  readonly #systemBotIds: ReadonlySet<number>;

  constructor(context: ExportContext) {
    const {db} = context.server;
    this.#db = db;
    this.#context = context;
    this.#protectedIds = new Set(db.pluck('SELECT id FROM channel WHERE history_public_to_subscribers = 0'));
    this.#systemBotIds = new Set(db.pluck('SELECT id FROM user WHERE is_system_bot = 1'));
  }

  /**
   * Returns the JSON of the rows of a message, with commas between them, and their number. Without `isComplete`, those are
   * left out who have read it and will find it in its channel all the same.
   */
  json(message: MessageRow, isComplete: boolean): {json: string; count: number} {
    const flagged = new Map(
      this.#db
        .all<{user_id: number; flags: number}>(
          'SELECT user_id, flags FROM user_message WHERE message_id = ?',
          message.id,
        )
        .map(({user_id, flags}) => [user_id, flags]),
    );
    let json = '';
    let count = 0;
    const add = (userId: number, mask: number) => {
      if (this.#systemBotIds.has(userId) || !this.#context.hasPrivateDataOf(userId)) return;
      json += `${count === 0 ? '' : ','}{"user_profile":${userId},"message":${message.id},"flags_mask":${mask}}`;
      count++;
    };
    if (message.channel_id === null) {
      const members = this.#db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ?', message.dm_id);
      for (const id of members) add(id, exportedFlags(flagged.get(id) ?? 0) | direct);
      return {json, count};
    }
    for (const [id, flags] of flagged) {
      // A message that was marked unread counts as received.
      const isReceived = (flags & Flag.unread) !== 0 || this.#hasReceived(id, message);
      add(id, exportedFlags(isReceived ? flags : flags | Flag.historical));
    }
    const namesReaders = isComplete || this.#protectedIds.has(message.channel_id);
    if (!namesReaders && message.unread_by_default === 0) return {json, count};
    const muters = new Set(this.#db.pluck('SELECT user_id FROM muted_user WHERE muted_id = ?', message.sender_id));
    const list = this.#receivers(message.channel_id);
    for (let at = 0; at < list.length; at += stride) {
      const user_id = list[at] ?? 0;
      const [since = 0, until = 0] = [list[at + 3], list[at + 4]];
      if (message.id < since || message.id >= until || flagged.has(user_id)) continue;
      const subscription = {user_id, active: list[at + 1] ?? 0, unread_since: list[at + 2] ?? 0};
      const isUnread = until === Infinity && isUnreadByRule(message, subscription, muters);
      if (isUnread || namesReaders) add(user_id, isUnread ? 0 : 1);
    }
    return {json, count};
  }

  #hasReceived(userId: number, {id, channel_id}: MessageRow): boolean {
    const sql = `SELECT 1 FROM subscription_period
      WHERE user_id = ? AND channel_id = ? AND since_id <= ? AND (until_id IS NULL OR until_id > ?)`;
    return this.#db.get(sql, userId, channel_id, id, id) !== undefined;
  }

  #receivers(channelId: number): Float64Array {
    const known = this.#channels.get(channelId);
    if (known !== undefined) return known;
    const rows = this.#db.all<Receiver>(
      `SELECT p.user_id, s.active, s.unread_since, p.since_id, p.until_id
       FROM subscription_period AS p JOIN subscription AS s ON s.user_id = p.user_id AND s.channel_id = p.channel_id
       WHERE p.channel_id = ?`,
      channelId,
    );
    const list = new Float64Array(rows.length * stride);
    for (const [index, row] of rows.entries()) {
      const {user_id, active, unread_since, since_id, until_id} = row;
      list.set([user_id, active, unread_since, since_id, until_id ?? Infinity], index * stride);
    }
    if (this.#cached + list.length > maxCached) {
      this.#channels.clear();
      this.#cached = 0;
    }
    this.#channels.set(channelId, list);
    this.#cached += list.length;
    return list;
  }
}
