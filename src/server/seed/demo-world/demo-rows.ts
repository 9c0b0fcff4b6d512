import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {DemoDataError, type SourcePosition} from './demo-data-error.ts';

/** The inserted users and channels by their keys and names in the demo's data. */
export class DemoRows {
  readonly #act: ActionContext;
  readonly #users = new Map<string, UserRow>();
  readonly #channelsByKey = new Map<string, ChannelRow>();
  readonly #channelsByName = new Map<string, ChannelRow>();
  #you: UserRow | undefined;

  constructor(act: ActionContext) {
    this.#act = act;
  }

  addUser(key: string, id: number, source: SourcePosition, isYou = false): UserRow {
    if (this.#users.has(key)) throw new DemoDataError(source, `“${key}” occurs twice`);
    const user = findUser(this.#act.db, id);
    if (user === undefined) throw new DemoDataError(source, `“${key}” was not inserted`);
    this.#users.set(key, user);
    if (isYou) this.#you = user;
    return user;
  }

  addChannel(key: string, id: number, source: SourcePosition): void {
    const channel = findChannel(this.#act.db, id);
    if (channel === undefined) throw new DemoDataError(source, `“${key}” was not inserted`);
    this.#channelsByKey.set(key, channel);
    this.#channelsByName.set(channel.name, channel);
  }

  get you(): UserRow {
    if (this.#you === undefined)
      throw new DemoDataError({file: 'world.json', position: 'people'}, 'no person has “you”');
    return this.#you;
  }

  user(key: string, source: SourcePosition): UserRow {
    const user = this.#users.get(key);
    if (user === undefined) throw new DemoDataError(source, `world.json has no person or bot “${key}”`);
    return user;
  }

  channel(name: string, source: SourcePosition): ChannelRow {
    const channel = this.#channelsByName.get(name);
    if (channel === undefined) throw new DemoDataError(source, `there is no channel named “${name}”`);
    return channel;
  }

  channelByKey(key: string, source: SourcePosition): ChannelRow {
    const channel = this.#channelsByKey.get(key);
    if (channel === undefined) throw new DemoDataError(source, `there is no channel “${key}”`);
    return channel;
  }

  users(): Iterable<[string, UserRow]> {
    return this.#users;
  }
}
