import {invalidCallFailure} from '#api/failure.ts';
import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import {uploadFile as uploading} from '#wire/endpoints/personal.ts';

export interface FileUpload {
  readonly file: FileSource;
  readonly onProgress?: (sent: number, size: number) => void;
  /** Cancels this upload alone. */
  readonly signal?: AbortSignal;
}

type NamedSize = Pick<FileSource, 'name' | 'size'>;

export interface UploadResult {
  readonly url: string;
  readonly filename: string;
  /** The link to put into a message. */
  readonly markdown: string;
}

/** Returns why a file cannot be uploaded: it is empty, or larger than the server's limit. */
export function uploadProblem({name, size}: NamedSize, limitMib: number | undefined): string | undefined {
  if (size === 0) return `${name} is empty.`;
  if (limitMib === undefined || size <= limitMib * 1024 * 1024) return undefined;
  return `${name} is larger than this server’s limit of ${limitMib} MiB.`;
}

/** Uploads a file. Rejects with the signal's reason when cancelled. */
export async function uploadFile(
  context: Pick<SessionContext, 'api' | 'cache' | 'signal'>,
  upload: FileUpload,
): Promise<UploadResult> {
  const problem = uploadProblem(upload.file, context.cache.state.server.maxFileUploadSizeMib);
  if (problem !== undefined) throw invalidCallFailure(uploading.id, problem);
  const signal = upload.signal === undefined ? context.signal : AbortSignal.any([context.signal, upload.signal]);
  const onProgress = upload.onProgress;
  const {url, filename} = await context.api.uploadFile(
    {file: upload.file},
    {signal, ...(onProgress !== undefined && {onProgress})},
  );
  return {url, filename, markdown: `[${linkText(filename)}](${url})`};
}

/** Removes brackets and line breaks, which would end the text of a link. */
function linkText(filename: string): string {
  const text = filename.replaceAll(/[[\]\p{Cc}\u2028\u2029]/gu, '').trim();
  return text === '' ? 'file' : text;
}
