import type {Connection} from '#api/connection.ts';
import type {CallOptions, UploadOptions} from '#api/connection-options.ts';
import type {FileSource} from '#api/multipart.ts';
import {malformedFailure} from '#api/response.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {modernAttachment, uploadedUrl} from '#wire/objects/attachment.ts';
import {withLongTimeout} from './adapted-call.ts';

interface WithFile {
  readonly file: FileSource;
}

export interface UploadedFile {
  /** The path on the server, for a link in a message. */
  readonly url: string;
  readonly filename: string;
}

/** Uploads a file. Below level 272 the URL's field has another name, and below 285 the file name is missing. */
export async function uploadFile(
  connection: Connection,
  {file}: WithFile,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const response = await connection.upload(endpoints.uploadFile, {}, file, withLongTimeout(options));
  const url = uploadedUrl(response);
  if (url === undefined) {
    const host = new URL(connection.site).host;
    throw malformedFailure({endpoint: endpoints.uploadFile.id, host}, 'it has no URL of the file');
  }
  return {url, filename: response.filename ?? file.name};
}

export async function uploadAvatar(
  connection: Connection,
  {file}: WithFile,
  options: UploadOptions = {},
): Promise<ResultOf<typeof endpoints.uploadAvatar>> {
  return connection.upload(endpoints.uploadAvatar, {}, file, withLongTimeout(options));
}

export async function uploadIcon(
  connection: Connection,
  {file}: WithFile,
  options: UploadOptions = {},
): Promise<ResultOf<typeof endpoints.uploadIcon>> {
  return connection.upload(endpoints.uploadIcon, {}, file, withLongTimeout(options));
}

/** Changes a bot's picture. */
export async function uploadBotAvatar(
  connection: Connection,
  {file, bot_id}: WithFile & {readonly bot_id: number},
  options: UploadOptions = {},
): Promise<ResultOf<typeof endpoints.updateBot>> {
  return connection.upload(endpoints.updateBot, {bot_id}, file, withLongTimeout(options));
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
  const response = await connection.call(endpoints.getAttachments, args, options);
  return {...response, attachments: response.attachments.map(modernAttachment)};
}
