import {invalidCallFailure} from '#api/failure.ts';
import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import {uploadFile as uploading} from '#wire/endpoints/uploads.ts';

export interface FileUpload {
  readonly file: FileSource;
  readonly onProgress?: (sent: number, size: number) => void;
  /** Cancels this upload alone. */
  readonly signal?: AbortSignal;
}

export interface UploadResult {
  readonly url: string;
  readonly filename: string;
  /** The link to put into a message. */
  readonly markdown: string;
}

/** Returns why a file is too large for this server; undefined when it is not. */
export function uploadSizeProblem({cache}: SessionContext, bytes: number): string | undefined {
  const limit = cache.state.server.maxFileUploadSizeMib;
  if (limit === undefined || bytes <= limit * 1024 * 1024) return undefined;
  return `The file is larger than this server’s limit of ${limit} MiB.`;
}

/** Uploads a file. Rejects with the signal's reason when cancelled. */
export async function uploadFile(context: SessionContext, upload: FileUpload): Promise<UploadResult> {
  const problem = uploadSizeProblem(context, upload.file.size);
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

/** Deletes one of the user's files; messages keep a dead link to it. */
export async function deleteAttachment({api, signal}: SessionContext, id: number): Promise<void> {
  await api.deleteAttachment({attachment_id: id}, {signal});
}
