import {type BackupEntry, type BackupHeader, isEntry, readManifest} from './manifest.ts';

/** The files of an earlier backup, which are asked for in the order in which it lists them. */
export class PreviousBackup {
  readonly #lines: AsyncGenerator<BackupHeader | BackupEntry, void>;
  #next: BackupEntry | undefined;
  #isAtEnd: boolean;

  constructor(directory: string | undefined) {
    this.#isAtEnd = directory === undefined;
    this.#lines = readManifest(directory ?? '');
  }

  async find(path: string): Promise<BackupEntry | undefined> {
    while (!this.#isAtEnd && (this.#next === undefined || comparePaths(this.#next.path, path) < 0))
      await this.#advance();
    return this.#next?.path === path ? this.#next : undefined;
  }

  async #advance(): Promise<void> {
    try {
      const {value, done} = await this.#lines.next();
      this.#isAtEnd = done === true;
      this.#next = value !== undefined && isEntry(value) && value.path.startsWith('files/') ? value : undefined;
    } catch {
      // A damaged backup is not used: its files are copied again.
      this.#isAtEnd = true;
      this.#next = undefined;
    }
  }
}

/** Compares folder by folder, as `listFiles` sorts. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length;
}
