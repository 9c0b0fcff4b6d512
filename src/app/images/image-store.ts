import type {App} from '#app/core/app.ts';
import {failureReason} from '#app/requests/server-request.ts';
import {uploadPath} from '#content/file-chip.ts';
import type {AccountState} from '#state/state.ts';
import {objectBytes} from '#std/lru-cache.ts';
import {Semaphore} from '#std/semaphore.ts';
import {checkImage, maxImageBytes} from '#terminal/images/check-image.ts';
import {type EncodedImage, type ImageTarget, pixelSizeFor, removeImage} from '#terminal/images/encode-image.ts';
import type {PixelSize} from '#terminal/images/fit-image.ts';
import {idCount, placeholderId} from '#terminal/images/kitty-graphics.ts';
import type {ImageDisplay, ImageLoader, ImageRequest, ImageState} from '#ui/core/frame.ts';
import {downloadEndpointId, RetryFailure} from '#wire/failure.ts';

/** The files of images on disk. */
export interface ImageFiles {
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, file: Uint8Array): Promise<void>;
}

interface ImageStoreParts {
  readonly files: ImageFiles;
  /** Writes a sequence to the terminal. */
  readonly write: (sequence: string) => void;
  /** Different for each store of the program: it is part of the ids in the terminal. */
  readonly session: number;
}

/** The images kept in memory: their bytes, and their number, because ids in the terminal are few. */
const maxBytes = 16 * 1024 * 1024;
const maxCount = 180;
const maxDownloads = 2;
const downloadTimeoutMs = 60_000;
/** The cells of an emoji are blank while it loads, in the middle of a text, so that it soon gets its name instead. */
const emojiTimeoutMs = 5000;
/** The different emoji that are images on one screen, because ids in the terminal are few. */
const maxEmoji = 100;

const loading: ImageState = {kind: 'loading'};

interface Entry {
  readonly state: ImageState;
  readonly bytes: number;
  /** Whether a later attempt may succeed. */
  readonly isTemporary?: boolean;
}

/** Loads the images on the screen: from memory, the disk or the server, then through the worker that encodes them. */
export class ImageStore implements ImageLoader {
  readonly #app: App;
  readonly #parts: ImageStoreParts;
  /** In the order of their use. */
  readonly #entries = new Map<string, Entry>();
  readonly #jobs = new Map<string, AbortController>();
  /** The ids in the terminal that are in use. */
  readonly #ids = new Set<number>();
  readonly #downloads = new Semaphore(maxDownloads);
  /** Emoji are small and do not wait for images. */
  readonly #emojiDownloads = new Semaphore(maxDownloads);
  /** Whether a later attempt may succeed, by address. Their names are on the screen. A new object with each change. */
  #failedEmoji: ReadonlyMap<string, boolean> = new Map();
  #visible: ReadonlyMap<string, ImageRequest> = new Map();
  #target: ImageTarget | undefined;
  #maxRows = 0;

  constructor(app: App, parts: ImageStoreParts) {
    this.#app = app;
    this.#parts = parts;
    app.onEnd(() => this.#forget());
    app.onEnd(
      app.session.cache.subscribe(['connection'], ({connection}) => {
        if (connection.phase === 'online') this.#loadAgain((isTemporary) => isTemporary);
      }),
    );
  }

  setTarget(target: ImageTarget | undefined, maxRows: number): void {
    this.#forget();
    this.#target = target;
    this.#maxRows = maxRows;
    this.#show();
    this.#loadVisible();
  }

  setVisible(requests: readonly ImageRequest[]): void {
    const tooMany = requests.filter(({isEmoji}) => isEmoji === true).slice(maxEmoji);
    const shown = tooMany.length === 0 ? requests : requests.filter((request) => !tooMany.includes(request));
    this.#visible = new Map(shown.map((request) => [keyOf(request), request]));
    for (const [key, job] of this.#jobs) {
      if (this.#visible.has(key)) continue;
      this.#jobs.delete(key);
      job.abort();
    }
    // What could not be loaded is tried again when it is next on the screen.
    for (const [key, {isTemporary}] of this.#entries) {
      if (isTemporary === true && !this.#visible.has(key)) this.#entries.delete(key);
    }
    this.#loadVisible();
    if (tooMany.length === 0) return;
    this.#failedEmoji = new Map([...this.#failedEmoji, ...tooMany.map(({href}) => [href, false] as const)]);
    this.#show();
  }

  retry(): void {
    this.#loadAgain(() => true);
  }

  #loadAgain(isMeant: (isTemporary: boolean) => boolean): void {
    const keys = Array.from(this.#entries).flatMap(([key, {state, isTemporary}]) =>
      state.kind === 'failed' && isMeant(isTemporary === true) ? key : [],
    );
    const failedEmoji = new Map([...this.#failedEmoji].filter(([, isTemporary]) => !isMeant(isTemporary)));
    if (keys.length === 0 && failedEmoji.size === this.#failedEmoji.size) return;
    for (const key of keys) this.#entries.delete(key);
    this.#failedEmoji = failedEmoji;
    this.#show();
    this.#loadVisible();
  }

  terminalReset(): void {
    for (const [key, {state}] of this.#entries) {
      if (state.kind !== 'ready' || state.image.upload === '') continue;
      if (this.#visible.has(key)) this.#parts.write(state.image.upload);
      else this.#remove(key);
    }
  }

  removal(): string {
    return Array.from(this.#entries.values(), ({state}) =>
      state.kind === 'ready' && state.image.upload !== '' ? removeImage(state.image) : '',
    ).join('');
  }

  #forget(): void {
    for (const job of this.#jobs.values()) job.abort();
    this.#jobs.clear();
    this.#failedEmoji = new Map();
    for (const key of [...this.#entries.keys()]) this.#remove(key);
  }

  #remove(key: string): void {
    const state = this.#entries.get(key)?.state;
    this.#entries.delete(key);
    if (state?.kind !== 'ready') return;
    this.#ids.delete(state.image.id);
    if (state.image.upload !== '') this.#parts.write(removeImage(state.image));
  }

  /** Makes a new display, so that all lines are made again. An image that was loaded does not change them. */
  #show(): void {
    const target = this.#target;
    const images: ImageDisplay | undefined = target && {
      protocol: target.protocol,
      cell: target.cell,
      maxRows: this.#maxRows,
      failedEmoji: this.#failedEmoji,
      get: (request) => this.#entries.get(keyOf(request))?.state ?? loading,
    };
    this.#app.setDisplay({images});
  }

  #loadVisible(): void {
    const target = this.#target;
    if (target === undefined) return;
    for (const [key, request] of this.#visible) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) {
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else if (!this.#jobs.has(key)) void this.#load(key, request, target);
    }
  }

  async #load(key: string, request: ImageRequest, target: ImageTarget): Promise<void> {
    const job = new AbortController();
    this.#jobs.set(key, job);
    this.#evict();
    const id = this.#newId();
    const entry = await this.#loaded(request, target, id, job.signal);
    if (entry.state.kind !== 'ready' || job.signal.aborted) this.#ids.delete(id);
    if (job.signal.aborted) return;
    this.#jobs.delete(key);
    if (request.isEmoji === true && entry.state.kind === 'failed') {
      this.#failedEmoji = new Map([...this.#failedEmoji, [request.href, entry.isTemporary === true]]);
      this.#show();
    } else this.#entries.set(key, entry);
    if (entry.state.kind === 'ready' && entry.state.image.upload !== '') this.#parts.write(entry.state.image.upload);
    this.#evict();
    this.#app.update((screen) => ({...screen, imageChanges: screen.imageChanges + 1}));
  }

  async #loaded(request: ImageRequest, target: ImageTarget, id: number, signal: AbortSignal): Promise<Entry> {
    try {
      const {encodeInWorker} = await import('#terminal/images/image-worker.ts');
      const file = await this.#file(request, target, signal);
      const {columns, rows} = request;
      const reply = await encodeInWorker({file, box: {columns, rows}, target, id}, signal);
      if ('problem' in reply) return {state: {kind: 'failed', reason: reply.problem}, bytes: 0};
      return {state: {kind: 'ready', image: reply.image}, bytes: bytesOf(reply.image)};
    } catch (error) {
      const reason = failureReason(error) ?? 'The image could not be loaded.';
      return {state: {kind: 'failed', reason}, bytes: 0, isTemporary: error instanceof RetryFailure};
    }
  }

  /** Returns the file, from the disk or the server. */
  async #file(request: ImageRequest, target: ImageTarget, signal: AbortSignal): Promise<Uint8Array> {
    const {files} = this.#parts;
    const size = pixelSizeFor(request, target);
    const sources = imageSources(request.href, size, this.#app.state.server.serverThumbnailFormats);
    for (const source of sources) {
      const saved = await files.get(source);
      if (saved !== undefined) return saved;
    }
    const [downloads, timeoutMs] =
      request.isEmoji === true ? [this.#emojiDownloads, emojiTimeoutMs] : [this.#downloads, downloadTimeoutMs];
    return await downloads.run(async () => {
      for (const [index, source] of sources.entries()) {
        const isLast = index === sources.length - 1;
        try {
          const file = await this.#download(source, timeoutMs, signal);
          const isImage = 'size' in checkImage(file);
          if (isImage) await files.set(source, file);
          if (isImage || isLast) return file;
        } catch (error) {
          // A server without this thumbnail still has the image.
          if (isLast || error instanceof RetryFailure || signal.aborted) throw error;
        }
      }
      throw new Error('There is no address of the image.');
    });
  }

  async #download(source: string, timeoutMs: number, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted();
    const {clock, session} = this.#app;
    const timeout = new AbortController();
    const endpoint = downloadEndpointId;
    const cancel = clock.after(timeoutMs, () =>
      timeout.abort(
        new RetryFailure('The image took too long to arrive.', {endpoint, carriedOut: 'no', reason: 'timeout'}),
      ),
    );
    try {
      const {api, signal: end} = session.context;
      const {body} = await api.connection.download(source, {
        signal: AbortSignal.any([signal, end, timeout.signal]),
        maxBytes: maxImageBytes,
        isOwnOnly: true,
      });
      return Buffer.concat(await Array.fromAsync(body));
    } finally {
      cancel();
    }
  }

  /** Removes the images that were not shown for longest, also to make room for those that are being loaded. */
  #evict(): void {
    let total = this.#entries.values().reduce((sum, {bytes}) => sum + bytes, 0);
    for (const [key, {bytes}] of this.#entries) {
      if (total <= maxBytes && this.#entries.size + this.#jobs.size <= maxCount) return;
      if (this.#visible.has(key)) continue;
      this.#remove(key);
      total -= bytes;
    }
  }

  #newId(): number {
    for (let number = 0; ; number++) {
      const id = placeholderId(this.#parts.session, number);
      if (this.#ids.has(id) && number < idCount) continue;
      this.#ids.add(id);
      return id;
    }
  }
}

function keyOf({href, columns, rows}: ImageRequest): string {
  return `${columns}×${rows} ${href}`;
}

function bytesOf({upload, drawnRows}: EncodedImage): number {
  // The text of placeholders has two bytes for each character, the others have one.
  return drawnRows.reduce((sum, row) => sum + 2 * row.length, objectBytes + upload.length);
}

type ThumbnailFormats = NonNullable<AccountState['server']['serverThumbnailFormats']>;

/**
 * Returns the addresses to try for an image, the best first: of an upload, the smallest thumbnail that has enough pixels. Animated
 * ones are larger, and only their first picture would be shown.
 */
export function imageSources(href: string, size: PixelSize, formats: ThumbnailFormats = []): readonly string[] {
  const path = uploadPath(href);
  if (path === undefined || path.startsWith('/user_uploads/thumbnail/')) return [href];
  const stills = formats
    .filter(({animated}) => animated !== true)
    .map(({name, max_width = 0, max_height = 0}) => ({name, width: max_width, height: max_height}))
    .sort((one, other) => one.width * one.height - other.width * other.height);
  const thumbnail = (name: string) => `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${name}`;
  const enough = stills.find(({width, height}) => width >= size.width && height >= size.height);
  if (enough !== undefined) return [thumbnail(enough.name), path];
  const largest = stills.at(-1);
  return largest === undefined ? [path] : [path, thumbnail(largest.name)];
}
