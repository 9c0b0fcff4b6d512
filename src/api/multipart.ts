import {randomUUID} from 'node:crypto';
import {Readable} from 'node:stream';

/** A file to send: its size is told beforehand, its bytes are never all held. */
export interface FileSource {
  readonly name: string;
  readonly size: number;
  readonly type?: string | undefined;
  readonly data: Blob | AsyncIterable<Uint8Array>;
}

export interface Multipart {
  readonly headers: {readonly 'content-type': string; readonly 'content-length': string};
  readonly body: Readable;
  /** What reading the source threw, if it did: not the server's fault. */
  sourceError(): {readonly error: unknown} | undefined;
}

/** The file's bytes are not as many as were announced. */
export class FileChangedError extends Error {}

/** One file part. `onProgress` tells how many of the file's bytes have been handed to the network. */
export function multipart(file: FileSource, onProgress?: (sent: number, size: number) => void): Multipart {
  const boundary = `parley-${randomUUID()}`;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type ?? '') ? file.type : 'application/octet-stream';
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let thrown: {error: unknown} | undefined;
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    try {
      yield head;
      let sent = 0;
      for await (const chunk of chunksOf(file.data)) {
        sent += chunk.length;
        if (sent > file.size) throw new FileChangedError(`${file.name} grew while it was being sent.`);
        yield chunk;
        onProgress?.(sent, file.size);
      }
      if (sent < file.size) throw new FileChangedError(`${file.name} shrank while it was being sent.`);
      yield tail;
    } catch (error) {
      thrown = {error};
      throw error;
    }
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    body: Readable.from(parts(), {objectMode: false}),
    sourceError: () => thrown,
  };
}

function chunksOf(data: FileSource['data']): AsyncIterable<Uint8Array> {
  return data instanceof Blob ? data.stream() : data;
}

/** As browsers write a file's name. */
function quoted(name: string): string {
  return name
    .toWellFormed()
    .replaceAll('"', '%22')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll(/\p{Cc}/gu, '_');
}
