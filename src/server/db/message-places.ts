import {getOrCreate} from '#std/get-or-create.ts';
import type {Database} from './database.ts';
import {fold, type Ids} from './rows.ts';

/** A conversation: a topic in one spelling, or a direct conversation. The same object for all its messages. */
export interface Place {
  /** Undefined for a direct conversation. */
  readonly channelId: number | undefined;
  readonly topic: string;
  readonly topicKey: string;
  /** The ids of the participants; empty in a channel. */
  readonly dmKey: string;
}

/** Where messages are, column by column. */
interface FoundPlaces {
  /** The places by their index. */
  readonly places: readonly (Place | undefined)[];
  /** The index of the place of each message; 0 if the message was not read, or does not exist. */
  readonly indexes: Int32Array;
  /** The sender of each message that its readers have unread without a row; 0 for other messages. */
  readonly senders: Int32Array;
  /** The messages that were not read. */
  readonly unknown: Ids;
}

/** Messages with consecutive ids are stored together: few, because the ids that are needed may be far apart. */
const idsPerBlock = 64;
/** The most blocks: at least one for each unread message of one registration. They take 700 bytes each. */
const maxBlocks = 65_536;
/** The messages that are read at once, in a few milliseconds. */
const idsPerQuery = 1000;

/**
 * Where messages are and who sent them, kept in memory because the registrations of all readers of a channel need the same. A
 * message is read from the database when it is first needed, and again after it was moved.
 */
class MessagePlaces {
  readonly #db: Database;
  #version: number;
  /** For each message of a block the index of its place, or 0 if it is not known, and its sender, if that matters. */
  readonly #blocks = new Map<number, Int32Array>();
  readonly #places: (Place | undefined)[] = [undefined];
  readonly #placeIndexes = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
    this.#version = db.changes.messages.version;
  }

  /** Returns what is known of messages. It is valid until the next action. */
  find(ids: Ids): FoundPlaces {
    this.#dropChanged();
    const indexes = new Int32Array(ids.length);
    const senders = new Int32Array(ids.length);
    const unknown: number[] = [];
    let number = -1;
    let block: Int32Array | undefined;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      // Neighbours are often in the same block.
      if (blockOf(id) !== number) {
        number = blockOf(id);
        block = this.#blocks.get(number);
      }
      const slot = 2 * (id % idsPerBlock);
      const index = block?.[slot] ?? 0;
      if (index === 0) unknown.push(id);
      indexes[at] = index;
      senders[at] = block?.[slot + 1] ?? 0;
    }
    return {places: this.#places, indexes, senders, unknown};
  }

  /** Reads messages; others may run at each `yield`. */
  *read(ids: Ids): Generator<void, void> {
    const needed = new Set(ids.map(blockOf)).size;
    if (this.#blocks.size + needed > maxBlocks) this.#clear();
    for (let from = 0; from < ids.length; from += idsPerQuery) {
      this.#dropChanged();
      this.#readSome(ids.slice(from, from + idsPerQuery));
      yield;
    }
  }

  #readSome(ids: Ids): void {
    // Each column as one JSON text: row objects would take twice as long.
    const sql = `SELECT json_group_array(m.id) AS ids, json_group_array(m.channel_id) AS channels,
         json_group_array(m.topic) AS topics, json_group_array(m.unread_by_default * m.sender_id) AS senders,
         json_group_array((SELECT key FROM dm WHERE dm.id = m.dm_id)) AS dmKeys
       FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value`;
    const row = this.#db.get<Record<string, string>>(sql, JSON.stringify(ids));
    const column = (name: string) => JSON.parse(row?.[name] ?? '[]');
    const [channels, topics, senders, dmKeys] = ['channels', 'topics', 'senders', 'dmKeys'].map(column);
    for (const [at, id] of column('ids').entries()) {
      const block = getOrCreate(this.#blocks, blockOf(id), () => new Int32Array(2 * idsPerBlock));
      block[2 * (id % idsPerBlock)] = this.#placeIndex(channels[at] ?? undefined, topics[at], dmKeys[at] ?? '');
      block[2 * (id % idsPerBlock) + 1] = senders[at];
    }
  }

  #placeIndex(channelId: number | undefined, topic: string, dmKey: string): number {
    return getOrCreate(
      this.#placeIndexes,
      `${channelId ?? `d${dmKey}`}:${topic}`,
      () => this.#places.push({channelId, topic, topicKey: fold(topic), dmKey}) - 1,
    );
  }

  #dropChanged(): void {
    const {messages} = this.#db.changes;
    const changed = messages.since(this.#version);
    this.#version = messages.version;
    if (changed === undefined) this.#clear();
    else
      for (const id of changed)
        this.#blocks.get(blockOf(id))?.fill(0, 2 * (id % idsPerBlock), 2 * (id % idsPerBlock) + 2);
  }

  #clear(): void {
    this.#blocks.clear();
    this.#placeIndexes.clear();
    this.#places.length = 1;
  }
}

function blockOf(id: number): number {
  return Math.floor(id / idsPerBlock);
}

const placesByDatabase = new WeakMap<Database, MessagePlaces>();

export function messagePlaces(db: Database): MessagePlaces {
  return getOrCreate(placesByDatabase, db, () => new MessagePlaces(db));
}
