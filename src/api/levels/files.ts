import type {Connection} from '#api/connection.ts';
import type {UploadOptions} from '#api/connection-options.ts';
import type {FileSource} from '#api/multipart.ts';
import {malformedFailure} from '#api/response.ts';
import type {Endpoint, ParamsIn, ParamTable} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {modernAttachment, uploadedUrl} from '#wire/objects/personal.ts';
import {type AdaptedCall, withLongTimeout} from './adapted-call.ts';

interface WithFile {
  readonly file: FileSource;
}

/**
 * Uploads a file and returns its path on the server, for a link in a message. Below level 272 the URL's field has another
 * name, and below 285 the file name is missing.
 */
export async function uploadFile(connection: Connection, {file}: WithFile, options: UploadOptions = {}) {
  const response = await connection.upload(endpoints.uploadFile, {}, file, withLongTimeout(options));
  const url = uploadedUrl(response);
  if (url === undefined) {
    const host = new URL(connection.site).host;
    throw malformedFailure({endpoint: endpoints.uploadFile.id, host}, 'it has no URL of the file');
  }
  return {url, filename: response.filename ?? file.name};
}

/** Returns the call of an endpoint that takes a file. */
function uploading<P extends ParamTable, R>(endpoint: Endpoint<P, R>) {
  return (connection: Connection, args: ParamsIn<P> & WithFile, options: UploadOptions = {}): Promise<R> =>
    connection.upload(endpoint, args, args.file, withLongTimeout(options));
}

export const uploadAvatar = uploading(endpoints.uploadAvatar);
export const uploadIcon = uploading(endpoints.uploadIcon);
/** Changes a bot's picture. */
export const uploadBotAvatar = uploading(endpoints.updateBot);
export const addEmoji = uploading(endpoints.addEmoji);

export const getAttachments: AdaptedCall<'getAttachments'> = async (connection, args = {}, options = {}) => {
  const response = await connection.call(endpoints.getAttachments, args, options);
  return {...response, attachments: response.attachments.map(modernAttachment)};
};
