import type {Act} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {DataError, type Source} from './demo-data-error.ts';

/** Who is who and what is where: the data's names with the rows they became. */
export class Cast {
  readonly #act: Act;
  readonly #users = new Map<string, UserRow>();
  readonly #channelsByKey = new Map<string, ChannelRow>();
  readonly #channelsByName = new Map<string, ChannelRow>();
  #you: UserRow | undefined;

  constructor(act: Act) {
    this.#act = act;
  }

  addUser(key: string, id: number, source: Source, isYou = false): UserRow {
    if (this.#users.has(key)) throw new DataError(source, `“${key}” is there twice`);
    const user = findUser(this.#act.db, id);
    if (user === undefined) throw new DataError(source, `“${key}” was not planted`);
    this.#users.set(key, user);
    if (isYou) this.#you = user;
    return user;
  }

  addChannel(key: string, id: number, source: Source): void {
    const channel = findChannel(this.#act.db, id);
    if (channel === undefined) throw new DataError(source, `“${key}” was not planted`);
    this.#channelsByKey.set(key, channel);
    this.#channelsByName.set(channel.name, channel);
  }

  get you(): UserRow {
    if (this.#you === undefined) throw new DataError({file: 'world.json', place: 'people'}, 'nobody is you');
    return this.#you;
  }

  user(key: string, source: Source): UserRow {
    const user = this.#users.get(key);
    if (user === undefined) throw new DataError(source, `“${key}” is nobody in world.json`);
    return user;
  }

  channel(name: string, source: Source): ChannelRow {
    const channel = this.#channelsByName.get(name);
    if (channel === undefined) throw new DataError(source, `there is no channel named “${name}”`);
    return channel;
  }

  channelByKey(key: string, source: Source): ChannelRow {
    const channel = this.#channelsByKey.get(key);
    if (channel === undefined) throw new DataError(source, `there is no channel “${key}”`);
    return channel;
  }

  users(): Iterable<[string, UserRow]> {
    return this.#users;
  }
}
