import {createHash} from 'node:crypto';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {required} from '#server/required.ts';
import {realmId, safeFilename} from '#server/uploads/upload-path.ts';
import {typeByName} from '#std/media-type.ts';
import {assetNames, readAsset, readAssetBytes} from '#std/program-files.ts';
import {parseChatScript, type ScriptConversation} from './chat-script.ts';
import {DemoDataError, parseWorldFile, type SourcePosition, type WorldFile, worldPosition} from './world-file.ts';

/** A file of the demo: an attachment or a custom emoji. */
export interface DemoFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Its upload path, the same every time, unlike those of user uploads. */
  readonly pathId: string;
}

/** The parsed files of `assets/demo`. */
export interface DemoData {
  readonly world: WorldFile;
  readonly conversations: readonly ScriptConversation[];
  readonly files: ReadonlyMap<string, DemoFile>;
}

export function readDemoData(): DemoData {
  const scripts = assetNames('demo/conversations').filter((name) => name.endsWith('.chat'));
  return {
    world: parseWorldFile('world.json', readAsset('demo/world.json')),
    conversations: scripts.flatMap((name) => parseChatScript(name, readAsset(`demo/conversations/${name}`))),
    files: new Map(assetNames('demo/files').map((name) => [name, demoFile(name)])),
  };
}

function demoFile(name: string): DemoFile {
  const bytes = readAssetBytes(`demo/files/${name}`);
  const digest = createHash('sha256').update(name).update(bytes).digest('base64url').slice(0, 24);
  return {
    name,
    bytes,
    contentType: typeByName(name) ?? 'application/octet-stream',
    pathId: `${realmId}/00/${digest}/${safeFilename(name)}`,
  };
}

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
    const user = required(findUser(this.#act.db, id), () => new DemoDataError(source, `“${key}” was not inserted`));
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
    if (this.#you === undefined) throw new DemoDataError(worldPosition('people'), 'no person has “you”');
    return this.#you;
  }

  user(key: string, source: SourcePosition): UserRow {
    return required(this.#users.get(key), () => new DemoDataError(source, `world.json has no person or bot “${key}”`));
  }

  channel(name: string, source: SourcePosition): ChannelRow {
    const channel = this.#channelsByName.get(name);
    if (channel === undefined) throw new DemoDataError(source, `there is no channel named “${name}”`);
    return channel;
  }

  channelByKey(key: string, source: SourcePosition): ChannelRow {
    return required(this.#channelsByKey.get(key), () => new DemoDataError(source, `there is no channel “${key}”`));
  }

  users(): Iterable<[string, UserRow]> {
    return this.#users;
  }
}
