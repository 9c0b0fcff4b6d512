import type {Connection} from '#api/connection.ts';
import type {CallOptions, UploadOptions} from '#api/connection-options.ts';
import type {FileSource} from '#api/multipart.ts';
import {malformedFailure} from '#api/response.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {uploadedUrl} from '#wire/endpoints/uploads.ts';
import {endpoints} from '#wire/endpoints.ts';
import {attachedMessageIds, attachmentCreatedAt, type WireAttachment} from '#wire/objects/attachment.ts';
import {withLongTimeout} from './request-limits.ts';

interface WithFile {
  readonly file: FileSource;
}

export interface UploadedFile {
  /** A path on the server, to be linked in a message. */
  readonly url: string;
  readonly filename: string;
}

/** Below level 272 the address has another name, and below 285 the file has none. */
export async function uploadFile(
  connection: Connection,
  {file}: WithFile,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const answer = await connection.upload(endpoints.uploadFile, {}, file, withLongTimeout(options));
  const url = uploadedUrl(answer);
  if (url === undefined) {
    const host = new URL(connection.site).host;
    throw malformedFailure({endpoint: endpoints.uploadFile.id, host}, 'it does not say where the file is');
  }
  return {url, filename: answer.filename ?? file.name};
}

export async function uploadAvatar(
  connection: Connection,
  {file}: WithFile,
  options: UploadOptions = {},
): Promise<ResultOf<typeof endpoints.uploadAvatar>> {
  return connection.upload(endpoints.uploadAvatar, {}, file, withLongTimeout(options));
}

export async function addEmoji(
  connection: Connection,
  {file, ...args}: ArgsOf<typeof endpoints.addEmoji> & WithFile,
  options: UploadOptions = {},
): Promise<ResultOf<typeof endpoints.addEmoji>> {
  return connection.upload(endpoints.addEmoji, args, file, withLongTimeout(options));
}

export async function getAttachments(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getAttachments> = {},
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getAttachments>> {
  const answer = await connection.call(endpoints.getAttachments, args, options);
  return {...answer, attachments: answer.attachments.map(modernAttachment)};
}

/** Below level 443 times are in milliseconds, and below 472 whole messages are listed. */
export function modernAttachment({messages: _older, ...file}: WireAttachment): WireAttachment {
  const older = {...file, messages: _older};
  return {...file, create_time: attachmentCreatedAt(older), message_ids: attachedMessageIds(older)};
}
