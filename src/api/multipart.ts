import {randomUUID} from 'node:crypto';
import {Readable} from 'node:stream';
import {mediaType, signatureLength} from '#std/media-type.ts';

/** A file to upload. Its size is known in advance; its content is streamed. */
export interface FileSource {
  readonly name: string;
  readonly size: number;
  readonly data: Blob | AsyncIterable<Uint8Array>;
}

/** The file's size differs from the announced size. */
export class FileChangedError extends Error {}

/**
 * Encodes one file as multipart form data. Servers believe the type that is given, and guess it from the name if there is
 * none, so an unknown type is left out. `onProgress` reports how many bytes have been passed to the network.
 */
export async function multipart(file: FileSource, onProgress?: (sent: number, size: number) => void) {
  const boundary = `parley-${randomUUID()}`;
  const type = mediaType(file.name, await firstBytes(file.data));
  const disposition = `Content-Disposition: form-data; name="file"; filename="${escapedName(file.name)}"`;
  const typeHeader = type === undefined ? '' : `\r\nContent-Type: ${type}`;
  const head = Buffer.from(`--${boundary}\r\n${disposition}${typeHeader}\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let readError: {error: unknown} | undefined;
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
      readError = {error};
      throw error;
    }
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    body: Readable.from(parts(), {objectMode: false}),
    /** Returns the error of reading the source, if there was one. */
    sourceError: () => readError,
  };
}

/** Returns the first bytes of a file, or none of a stream, which can be read only once. */
async function firstBytes(data: FileSource['data']): Promise<Uint8Array> {
  return data instanceof Blob ? new Uint8Array(await data.slice(0, signatureLength).arrayBuffer()) : new Uint8Array();
}

function chunksOf(data: FileSource['data']): AsyncIterable<Uint8Array> {
  return data instanceof Blob ? data.stream() : data;
}

/** Escapes a file name as browsers do. */
function escapedName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll('"', '%22')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll(/\p{Cc}/gu, '_');
}
