import {createHash, randomUUID} from 'node:crypto';
import {mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Clock} from '#std/clock.ts';

/** The files of images that were shown, for the next time. Nothing depends on it: problems with the disk count as missing files. */
export class ImageCache {
  readonly #folder: string;
  readonly #maxBytes: () => number;
  readonly #clock: Pick<Clock, 'now'>;
  /** The bytes in the folder, as far as this process knows; undefined before it has looked. */
  #total: number | undefined;

  /** The folder is made with the first file. With a limit of 0 bytes nothing is saved. */
  constructor(folder: string, maxBytes: () => number, clock: Pick<Clock, 'now'>) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  /** Returns the file, and notes that it was used. */
  async get(key: string): Promise<Buffer | undefined> {
    try {
      const path = this.#path(key);
      const file = await readFile(path);
      const seconds = this.#clock.now() / 1000;
      await utimes(path, seconds, seconds);
      return file;
    } catch {
      return undefined;
    }
  }

  /** Saves a file. When all together exceed the limit, those that were not used for longest are removed. */
  async set(key: string, file: Uint8Array): Promise<void> {
    const limit = this.#maxBytes();
    if (file.length > limit) {
      // The limit may have been lowered.
      await this.#removeOldest(limit).catch(() => {});
      return;
    }
    const path = this.#path(key);
    const temporary = `${path}.${randomUUID()}.new`;
    try {
      await mkdir(this.#folder, {recursive: true, mode: 0o700});
      await writeFile(temporary, file, {mode: 0o600});
      await rename(temporary, path);
      this.#total = this.#total === undefined ? undefined : this.#total + file.length;
      if (this.#total === undefined || this.#total > limit) await this.#removeOldest(limit);
    } catch {
      await rm(temporary, {force: true}).catch(() => {});
    }
  }

  /** Other processes write here too, so the folder is read again. A tenth more than needed is removed, so that this is rare. */
  async #removeOldest(limit: number): Promise<void> {
    const files = (await Promise.all((await readdir(this.#folder)).map((name) => this.#fileNamed(name))))
      .filter((file) => file !== undefined)
      .sort((one, other) => one.used - other.used);
    let total = files.reduce((sum, {size}) => sum + size, 0);
    const least = total > limit ? limit * 0.9 : limit;
    for (const {path, size} of files) {
      if (total <= least) break;
      await rm(path, {force: true});
      total -= size;
    }
    this.#total = total;
  }

  async #fileNamed(name: string) {
    const path = join(this.#folder, name);
    const stats = await stat(path).catch(() => undefined);
    return stats === undefined ? undefined : {path, size: stats.size, used: stats.mtimeMs};
  }

  /** Names are hashes: they say nothing about the image, and no path can leave the folder. */
  #path(key: string): string {
    return join(this.#folder, createHash('sha256').update(key).digest('hex'));
  }
}
